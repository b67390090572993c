/** Result of translating a name between releases. */
import type { Note } from '../../errors.ts'

export type LiftStatus =
  /** the same text */
  | 'same'
  /** the same allele, with a spelling that neither of the next two describes */
  | 'renamed'
  /** only fields were added: `A*01:04N` → `A*01:04:01:01N` */
  | 'extended'
  /** only the expression letter was added, removed or changed */
  | 'suffix'
  /** deleted, and declared to be, or to have become, another allele; the result is that allele's name */
  | 'merged'
  | 'deleted'
  /** deleted, and its name now means another allele */
  | 'reissued'
  /** several names are possible; the warning lists them */
  | 'ambiguous'
  /** no such name in the source release, or no such allele yet in the target release */
  | 'unknown'

export interface Lifted {
  readonly input: string
  /** Release label, or `any`. */
  readonly from: string
  readonly to: string
  /** Accession number of the input; null for anything but one allele's own name. */
  readonly accession: string | null
  /** null when there is no name, or no single name, in `to`. */
  readonly result: string | null
  readonly status: LiftStatus
  readonly warnings: readonly Note[]
  /** Present spelling of a name from before April 2010, even if there is no such allele. */
  readonly spelling?: string
}

/** `Lifted` before the `HLA-` of the input is put back. */
export type LiftOutcome = Pick<Lifted, 'accession' | 'result' | 'status' | 'warnings' | 'spelling'>

export function failure(status: LiftStatus, accession: string | null, warning: Note): LiftOutcome {
  return { accession, result: null, status, warnings: [warning] }
}

export function warning(code: string, message: string, offending: string): Note {
  return { level: 'warning', code, message, offending }
}
