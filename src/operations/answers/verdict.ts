/** Verdicts on typings as cells of tables: a word, and the reason for the report. */
import { isMalformed } from '../../engine/validate/validate.ts'
import { type ErrorCode, HlaError } from '../../errors.ts'
import type { CellOutcome } from '../cell-face.ts'
import { readErrorRecord } from '../error-record.ts'
import { formatCause } from './problem.ts'

/** The answer of validate, also of a service that says little. */
interface VerdictAnswer {
  readonly gl_string: string
  readonly valid: boolean
  readonly malformed: boolean
  readonly cause?: string | undefined
  readonly problems?: readonly Readonly<Record<string, unknown>>[] | undefined
}

export function cellVerdict(answer: VerdictAnswer): CellOutcome {
  const { valid, malformed, cause = '' } = answer
  if (valid) return { results: ['valid', ''], kind: 'valid' }
  const kind = malformed ? 'malformed' : 'invalid'
  return { results: [kind, cause], kind, fault: verdictError(answer) }
}

/** All that decided, under the code of the first. */
export function verdictError({ gl_string, malformed, cause = '', problems = [] }: VerdictAnswer): HlaError {
  const errors = problems.map((problem) => readErrorRecord(problem, 'unknown-allele'))
  const deciding = errors.filter((error) => isMalformed(error) === malformed)
  const [first] = deciding
  if (first === undefined)
    return new HlaError(malformed ? 'bad-syntax' : 'unknown-allele', cause, { offending: gl_string })
  const message = [...new Set(deciding.map((error) => error.message))].join('; ')
  const { code, offending, suggestions, hint } = first
  return new HlaError(code, message, { offending, suggestions, hint })
}

/** A cell that is not a typing of its column; undefined: whether it is one cannot be said. */
export function failedVerdict(error: HlaError): CellOutcome | undefined {
  if (UNDECIDED.includes(error.code)) return undefined
  const kind = isMalformed(error) || UNREADABLE.includes(error.code) ? 'malformed' : 'invalid'
  return { results: [kind, formatCause(error)], kind, fault: error }
}

const UNDECIDED: readonly ErrorCode[] = ['starter', 'no-data', 'unknown-release', 'too-ambiguous']
/** Of cells that no release could read. */
const UNREADABLE: readonly ErrorCode[] = [
  'surplus-typing',
  'excel-artifact',
  'ambiguous-digits',
  'ambiguous-separator',
]
