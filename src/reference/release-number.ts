/** IPD-IMGT/HLA release numbers: their spellings, and the names that published files give them. Pure. */
import { advice, clause, command, option } from '../advice.ts'
import { HlaError, isHlaError } from '../errors.ts'

export interface ReleaseNumber {
  /** `3.58.0` */
  readonly label: string
  /** Number in branches and allele lists: `3580`; `300` to `390` before 3.10.0. */
  readonly compact: string
  /** Name of its installed folder: the label, or `3.58.0-r2` for a second copy. */
  readonly name: string
  /** Tag by which the user named it: `v3.65.0-alpha`. */
  readonly tag?: string
}

/**
 * Reads `3.58.0`, `3.58`, `3580`, and any of them with `-suffix` for a second copy; `v3.65.0-alpha`, a tag of the
 * publisher. `active` is not a number; `findRelease` resolves it.
 * @throws {HlaError} unknown-release — for any other text
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

/** Possible branches or folders of a release, likeliest first. */
export function branchNames(release: ReleaseNumber): string[] {
  if (release.tag !== undefined) return [release.tag]
  // 3.13.0 was reissued as 3.13.1: the branch kept the old number, its allele list and headers have the new one
  if (isReissued(release.label)) return ['3130', '3131']
  return [...new Set([release.compact, padded(release)])]
}

/** Possible file names of the release's allele list, likeliest first. */
export function alleleListNames(release: ReleaseNumber): string[] {
  const numbers = isReissued(release.label) ? ['3131', '3130'] : [release.compact, padded(release)]
  return [...new Set(numbers)].map((number) => `Allelelist.${number}.txt`)
}

/** True when a file with the version `found` belongs to the release. Both as `3.58.0`. */
export function isOfRelease(found: string, release: ReleaseNumber): boolean {
  return found === release.label || (isReissued(found) && isReissued(release.label))
}

/** Compares labels or names, oldest first; a copy follows its release. */
export function compareReleases(a: string, b: string): number {
  const [left, right] = [splitNumber(a), splitNumber(b)]
  const at = left.findIndex((part, index) => part !== right[index])
  return at === -1 ? Number(a > b) - Number(a < b) : (left[at] ?? 0) - (right[at] ?? 0)
}

/** True when column 7 of `rel_dna_ser.txt`, the HATS antigen, is present: from 3.64.0 on. */
export function hasHatsColumn({ label, name }: ReleaseNumber): boolean {
  return namesAntigensOf2026(label) && !name.endsWith(BEFORE_2026)
}

/** Suffix of a release installed with the definitions of `wmda/pre2026`. */
export const BEFORE_2026 = '-pre2026'

/** True from the first release with the antigens of the report of 2026 (A0203 for A203), of April 2026. */
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
        hint: advice`${command('data install', { args: ['latest'] })} installs the newest release, then ${command('data list')} shows its number`,
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

/**
 * `IMGT/HLA 3.25.0` or `3.25.0` -> `3.25.0`; undefined for another database, or a text that is not a release number.
 */
export function hlaRelease(name: string): string | undefined {
  const [, number] = /^(?:IMGT\/HLA )?(\S+)$/.exec(name) ?? []
  try {
    return number === undefined ? undefined : parseReleaseNumber(number).label
  } catch (error) {
    if (isHlaError(error)) return undefined
    throw error
  }
}
