/** How an IPD-IMGT/HLA release number is spelt, and the names the published files give it. Pure. */
import { advice, clause, command, option } from '../advice.ts'
import { HlaError } from '../errors.ts'

export interface ReleaseNumber {
  /** `3.58.0` */
  readonly label: string
  /** As branches and allele lists are numbered: `3580`; `300` to `390` before 3.10.0. */
  readonly compact: string
  /** The folder it is installed in: the label, or `3.58.0-r2` for a second copy. */
  readonly name: string
  /** The tag it was asked for by: `v3.65.0-alpha`. */
  readonly tag?: string
}

/**
 * Reads `3.58.0`, `3.58`, `3580`, and any of them with `-suffix` for a second copy; `v3.65.0-alpha`, a tag of the publisher.
 * `active` is not a number: ask the store.
 * @throws {HlaError} unknown-release — for anything else
 */
export function parseReleaseNumber(text: string): ReleaseNumber {
  const isTag = /^v\d/.test(text)
  const number = isTag ? text.slice(1) : text
  const match = DOTTED.exec(number) ?? COMPACT.exec(number)
  if (!match) throw notARelease(text)
  const [, major = '', minor = '', patch = '0', suffix = ''] = match
  const label = [major, minor, patch].map(Number).join('.')
  return { label, compact: label.replaceAll('.', ''), name: label + suffix, ...(isTag && { tag: text }) }
}

/** Names of the branch or folder a release stands in, likeliest first. */
export function branchNames(release: ReleaseNumber): string[] {
  if (release.tag !== undefined) return [release.tag]
  // 3.13.0 was reissued as 3.13.1: the branch kept the old number, its allele list and headers have the new one
  if (isReissued(release.label)) return ['3130', '3131']
  return [...new Set([release.compact, padded(release)])]
}

/** File names of the release's allele list, likeliest first. */
export function alleleListNames(release: ReleaseNumber): string[] {
  const numbers = isReissued(release.label) ? ['3131', '3130'] : [release.compact, padded(release)]
  return [...new Set(numbers)].map((number) => `Allelelist.${number}.txt`)
}

/** Whether a file that calls itself `found` belongs to the release. Both as `3.58.0`. */
export function isOfRelease(found: string, release: ReleaseNumber): boolean {
  return found === release.label || (isReissued(found) && isReissued(release.label))
}

/** Oldest first; copies after the release they are of. Takes labels or names. */
export function compareReleases(a: string, b: string): number {
  const [left, right] = [splitNumber(a), splitNumber(b)]
  const at = left.findIndex((part, index) => part !== right[index])
  return at === -1 ? Number(a > b) - Number(a < b) : (left[at] ?? 0) - (right[at] ?? 0)
}

/** Column 7 of `rel_dna_ser.txt`, the HATS antigen, is published from 3.64.0 on. */
export function hasHatsColumn({ label, name }: ReleaseNumber): boolean {
  return namesAntigensOf2026(label) && !name.endsWith(BEFORE_2026)
}

/** Behind the number of a release that is installed with the definitions of `wmda/pre2026`. */
export const BEFORE_2026 = '-pre2026'

/** The first release with the antigens of the report of 2026, A0203 for A203: April 2026. */
export function namesAntigensOf2026(label: string): boolean {
  return compareReleases(label, '3.64.0') >= 0
}

const SUFFIX = '(-[A-Za-z0-9][A-Za-z0-9._-]*)?'
const DOTTED = new RegExp(`^([3-9])\\.(\\d{1,2})(?:\\.(\\d))?${SUFFIX}$`)
const COMPACT = new RegExp(`^([3-9])(\\d{1,2})(\\d)${SUFFIX}$`)
const METHODS = new Set(['G', 'P', 'LG', 'LGX', 'W', 'EXON', 'U2', 'S', '1F', 'HATS', 'ALL'])

function notARelease(text: string): HlaError {
  if (text.toLowerCase() === 'latest')
    return new HlaError(
      'unknown-release',
      'answers come from a release that is installed, not from "latest"',
      {
        offending: text,
        hint: advice`${command('data install', { args: ['latest'] })} installs the newest, ${command('data list')} shows its number`,
      },
    )
  if (!METHODS.has(text.toUpperCase()))
    return new HlaError('unknown-release', `"${text}" is not a release: give it as 3.58.0, 3.58 or 3580`, {
      offending: text,
    })
  return new HlaError('unknown-release', `"${text}" is not a release`, {
    offending: text,
    hint: advice`did you mean ${option('method', text)}?${clause` (${option('release')} chooses the IPD-IMGT/HLA release)`}`,
  })
}

function isReissued(label: string): boolean {
  return label === '3.13.0' || label === '3.13.1'
}

function padded({ label }: ReleaseNumber): string {
  const [major = '', minor = '', patch = ''] = label.split('.')
  return major + minor.padStart(2, '0') + patch
}

function splitNumber(name: string): number[] {
  return (name.split('-')[0] ?? '').split('.').map(Number)
}
