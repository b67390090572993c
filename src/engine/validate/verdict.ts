/** Verdict on a name in one word, derived from the code of its error or note. */

/** Ordered by severity, from nothing to report to wrong. */
export const VERDICTS = [
  'valid',
  /** `DRB3*NNNN`: typed, but the gene is absent */
  'absent',
  /** known to two or three fields */
  'unlisted',
  /** official, but its sequence is confidential */
  'not-public',
  /** the name formerly belonged to another allele */
  'reused',
  'renamed',
  'deleted',
  'unknown',
  /** not a name in any release */
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

/** Verdict from an error about a name. */
export function verdictOfError(code: string): NameVerdict {
  return BY_CODE.get(code) ?? 'unknown'
}

/** Verdict from a note on a valid name; undefined for other notes. */
export function verdictOfNote(code: string): NameVerdict | undefined {
  return BY_CODE.get(code)
}

/** Most severe verdict among several valid names. */
export function worstVerdict(verdicts: readonly NameVerdict[]): NameVerdict {
  const rank = Math.max(0, ...verdicts.map((verdict) => VERDICTS.indexOf(verdict)))
  return VERDICTS[rank] ?? 'valid'
}
