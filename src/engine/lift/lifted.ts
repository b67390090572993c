/** What translating a name between releases answers. */
import type { Note } from '../../errors.ts'

export type LiftStatus =
  /** the same text */
  | 'same'
  /** the same allele, spelled otherwise in a way that is none of the next two */
  | 'renamed'
  /** only fields were added: `A*01:04N` → `A*01:04:01:01N` */
  | 'extended'
  /** only the expression letter came, went or changed */
  | 'suffix'
  /** gone, and declared to be, or to have become, another allele, whose name this is */
  | 'merged'
  | 'deleted'
  /** gone, and its name now means another allele */
  | 'reissued'
  /** it may be any of several names; the warning lists them */
  | 'ambiguous'
  /** no such name in the release it should be from, or no such allele yet in the release asked for */
  | 'unknown'

export interface Lifted {
  readonly input: string
  /** A release label, or `any`. */
  readonly from: string
  readonly to: string
  /** The accession number the input stood for; null for anything but one allele's own name. */
  readonly accession: string | null
  /** Null where there is no name, or no single name, in `to`. */
  readonly result: string | null
  readonly status: LiftStatus
  readonly warnings: readonly Note[]
  /** A name from before April 2010 in the spelling it was read in, whether or not there is such an allele. */
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
