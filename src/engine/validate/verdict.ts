/** What a name is today, in one word. It follows from the code of the error or note about the name. */

/** The first is nothing to say; then from harmless to wrong. */
export const VERDICTS = [
  'valid',
  /** `DRB3*NNNN`: typed, and the gene is not there */
  'absent',
  /** known to two or three fields */
  'unlisted',
  /** official, and its sequence is confidential */
  'not-public',
  /** another allele had the name before */
  'reused',
  'renamed',
  'deleted',
  'unknown',
  /** no name at all, whatever the release */
  'malformed',
] as const
export type NameVerdict = (typeof VERDICTS)[number]

const BY_CODE: ReadonlyMap<string, NameVerdict> = new Map([
  ['absent-gene', 'absent'],
  ['unlisted-fields', 'unlisted'],
  ['not-public', 'not-public'],
  ['reissued', 'reused'],
  ['renamed-allele', 'renamed'],
  ['deleted-allele', 'deleted'],
  ['empty-part', 'malformed'],
  ['bad-character', 'malformed'],
  ['bad-syntax', 'malformed'],
])

/** Of an error about a name. */
export function verdictOfError(code: string): NameVerdict {
  return BY_CODE.get(code) ?? 'unknown'
}

/** Of a note on a valid name; undefined: the note says something else about it. */
export function verdictOfNote(code: string): NameVerdict | undefined {
  return BY_CODE.get(code)
}

/** The verdict of a text of several valid names: the one that needs most attention. */
export function worstVerdict(verdicts: readonly NameVerdict[]): NameVerdict {
  const rank = Math.max(0, ...verdicts.map((verdict) => VERDICTS.indexOf(verdict)))
  return VERDICTS[rank] ?? 'valid'
}
