/** `--expect-data`: refuses to answer from other data than expected. */
import { HlaError } from '../../errors.ts'

/**
 * `found` is the data id as printed by `hla version`; undefined when unknown.
 * @throws {HlaError} pin — another data id; usage — the expectation is not a data id
 */
export function checkData(expected: string | undefined, found: string | undefined, who: string): void {
  if (expected === undefined) return
  const parts = expected.split(/\s+/).filter((part) => part !== '')
  if (parts.length === 0 || !parts.every((part) => isLabel(part) || HASH.test(part)))
    throw new HlaError('usage', `${JSON.stringify(expected)} is not a data id`, {
      hint: 'hla version prints it: --expect-data "3.58.0+mac.20200711 sha256:…", or a part of it',
    })
  const [label = '', hash = ''] = (found ?? '').split(' sha256:')
  if (parts.every((part) => (isLabel(part) ? part === label : isPart(part, hash)))) return
  throw new HlaError('pin', `${who} ${found ?? 'data that has no id'}, not from ${expected}`)
}

/** At least 6 digits, to avoid matches by chance. */
const HASH = /^(?:sha256:)?[\da-f]{6,64}$/i

/** `3.58.0+mac.20200711`, or `3.58.0-r2` without a MAC list. */
function isLabel(part: string): boolean {
  return /^\d+\.\d+\.\d+/.test(part)
}

/** Either may be a prefix of the other: `hla version` prints 12 digits. */
function isPart(part: string, hash: string): boolean {
  const digits = part.replace(/^sha256:/i, '').toLowerCase()
  return hash !== '' && (hash.startsWith(digits) || digits.startsWith(hash))
}
