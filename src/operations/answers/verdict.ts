/** Verdicts on typings as cells of tables: a word, and the reason for the report. */
import { isOfUnlisted } from '../../engine/names.ts'
import { isMalformed } from '../../engine/validate/validate.ts'
import { type ErrorCode, HlaError, type Note } from '../../errors.ts'
import type { CellOutcome } from '../cell-face.ts'
import { readErrorRecord } from '../error-record.ts'
import { formatCause } from './problem.ts'

/** The answer of validate, also of a service that says little. */
interface VerdictAnswer {
  readonly gl_string: string
  readonly valid: boolean
  readonly malformed: boolean
  readonly unlisted?: boolean | undefined
  readonly cause?: string | undefined
  readonly problems?: readonly Readonly<Record<string, unknown>>[] | undefined
}

export function cellVerdict(answer: VerdictAnswer): CellOutcome {
  const word = verdictWord(answer)
  const outcome = { results: [word, answer.cause ?? ''], kind: word }
  return answer.valid ? outcome : { ...outcome, fault: verdictError(answer) }
}

/** In the order of summaries. */
export const VERDICTS = ['valid', 'unlisted', 'invalid', 'malformed'] as const

export function verdictWord({ valid, malformed, unlisted }: VerdictAnswer): (typeof VERDICTS)[number] {
  if (valid) return unlisted === true ? 'unlisted' : 'valid'
  return malformed ? 'malformed' : 'invalid'
}

/** Why a valid text is `unlisted`, as the answer has it for an invalid one. */
export function unlistedCause(notes: readonly Note[]): { readonly code: string; readonly cause: string } {
  const unlisted = notes.filter(isOfUnlisted)
  const messages = unlisted.map(({ message }) => message)
  return { code: unlisted[0]?.code ?? '', cause: [...new Set(messages)].join('; ') }
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
