/** Verdicts on typings in table cells: a word, with the reason for the report. */
import { DRB1_MISMATCH, THREE_COPIES } from '../../engine/validate/plausibility.ts'
import { isMalformed } from '../../engine/validate/validate.ts'
import { type ErrorCode, HlaError, type Note } from '../../errors.ts'
import { becameText, numberText } from '../../engine/suggest/past.ts'
import { type NameVerdict, VERDICTS, verdictOfError, verdictOfNote } from '../../engine/validate/verdict.ts'
import { isAccession, withoutPrefix } from '../../nomenclature/allele.ts'
import type { CellOutcome } from '../cell-face.ts'
import { readErrorRecord } from '../error-record.ts'
import { object, type Property, type ValueOf } from '../schema.ts'
import { formatCause, PROBLEM_SCHEMA } from './problem.ts'

/** Answer of validate, also in the reduced form of a basic service. */
interface VerdictAnswer {
  readonly gl_string: string
  readonly valid: boolean
  readonly malformed: boolean
  readonly unlisted?: boolean | undefined
  readonly verdict?: NameVerdict | undefined
  readonly names?: readonly NameRecord[] | undefined
  readonly code?: string | undefined
  readonly cause?: string | undefined
  readonly suggestions?: readonly string[] | undefined
  readonly problems?: readonly Readonly<Record<string, unknown>>[] | undefined
  readonly notes?: readonly Pick<Note, 'code' | 'message'>[] | undefined
}

const IMPLAUSIBLE: readonly string[] = [THREE_COPIES, DRB1_MISMATCH]

export const VERDICT_SCHEMA = {
  type: 'string',
  enum: VERDICTS,
  description:
    'status of the name; for several names, the first that makes the text invalid, else the most severe one',
} as const satisfies Property

export const NAME_SCHEMA = object(['name', 'position', 'verdict', 'code', 'message', 'suggestions'], {
  name: { type: 'string', description: 'as typed; for a malformed name, the part that is wrong' },
  position: PROBLEM_SCHEMA.properties.position,
  verdict: VERDICT_SCHEMA,
  code: { type: 'string' },
  message: { type: 'string' },
  suggestions: PROBLEM_SCHEMA.properties.suggestions,
  successor: { type: 'string', description: 'the name of its allele, or of the one it was merged into' },
  since: { type: 'string', description: 'the first release with that name' },
  last: { type: 'string', description: 'the last release with the name as it was typed' },
  reason: { type: 'string', description: 'the reason given in Deleted_alleles.txt' },
  accession: { type: 'string', description: 'accession number of the allele that had the name' },
})

export type NameRecord = ValueOf<typeof NAME_SCHEMA>

/** Error of a name, with the verdict on the name. */
export interface JudgedProblem {
  readonly verdict: NameVerdict
  readonly problem: HlaError
}

/** `release`: the one in use. */
export function wrongName({ verdict, problem }: JudgedProblem, release: string): NameRecord {
  const { code, offending, position, suggestions, facts } = problem
  const message = wrongMessage(problem, release)
  return nameRecord(verdict, { code, message, offending, position, suggestions, facts })
}

/** Message about a wrong name, with its rename or deletion where that is known. */
function wrongMessage(problem: HlaError, release: string): string {
  const { code, message, offending = '', facts, suggestions } = problem
  const isNumber = isAccession(withoutPrefix(offending))
  if (facts !== undefined) return `${isNumber ? message : offending}: ${becameText(code, facts, release)}`
  const [name] = suggestions
  if (!isNumber) return formatCause(problem)
  return name === undefined ? message : `${message}: ${numberText(name)}`
}

/** Record for a valid name with a note about it; undefined for other notes. */
export function notedName(note: Note): NameRecord | undefined {
  const verdict = verdictOfNote(note.code)
  return verdict === undefined ? undefined : nameRecord(verdict, note)
}

/** Members that errors and notes about a name share. */
type SaidOfName = Pick<HlaError, 'message'> & { readonly code: string } & {
  readonly [K in 'offending' | 'position' | 'suggestions' | 'facts']?: Note[K] | undefined
}

function nameRecord(
  verdict: NameVerdict,
  { code, message, offending = '', position, suggestions = [], facts }: SaidOfName,
): NameRecord {
  return {
    name: offending,
    position: [...(position ?? [0, 0])],
    verdict,
    code,
    message,
    suggestions,
    ...facts,
  }
}

/** Columns of a verdict; the answer of a basic service fills few of them. */
export const VERDICT_COLUMNS = ['verdict', 'code', 'message', 'suggestion'] as const

export function verdictCells(answer: VerdictAnswer): readonly string[] {
  const { code = '', cause = '', names = [], suggestions = [] } = answer
  const verdict = verdictWord(answer)
  const suggested = answer.valid ? names.flatMap((name) => name.suggestions) : suggestions
  return [verdict, code, cause, [...new Set(suggested)].join(' ')]
}

/** Fills the code and message of a valid typing; a reason for another verdict goes first. */
export function warnedCells(
  [verdict = '', code = '', message = '', ...others]: readonly string[],
  warning: Pick<Note, 'code' | 'message'>,
): readonly string[] {
  return code === ''
    ? [verdict, warning.code, warning.message, ...others]
    : [verdict, code, message, ...others]
}

export function cellVerdict(answer: VerdictAnswer): CellOutcome {
  const warning = answer.valid ? answer.notes?.find(({ code }) => IMPLAUSIBLE.includes(code)) : undefined
  const cells = verdictCells(answer)
  const results = warning === undefined ? cells : warnedCells(cells, warning)
  const outcome = { results, kind: verdictWord(answer) }
  return answer.valid ? outcome : { ...outcome, fault: verdictError(answer) }
}

/** Verdict word; derived from the other properties when a service gives none. */
export function verdictWord({ valid, malformed, unlisted, verdict }: VerdictAnswer): NameVerdict {
  if (verdict !== undefined) return verdict
  if (valid) return unlisted === true ? 'unlisted' : 'valid'
  return malformed ? 'malformed' : 'unknown'
}

/** Error with all deciding problems, under the code of the first. */
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

/** Outcome for a cell that is not a typing of its column; undefined when undecidable. */
export function failedVerdict(error: HlaError): CellOutcome | undefined {
  if (UNDECIDED.includes(error.code)) return undefined
  const kind = UNREADABLE.includes(error.code) ? 'malformed' : verdictOfError(error.code)
  const results = [kind, error.code, formatCause(error), error.suggestions.join(' ')]
  return { results, kind, fault: error }
}

const UNDECIDED: readonly ErrorCode[] = ['starter', 'no-data', 'unknown-release', 'too-ambiguous']
/** Codes of cells that cannot be a typing of their column in any release. */
const UNREADABLE: readonly ErrorCode[] = [
  'locus-mismatch',
  'surplus-typing',
  'excel-artifact',
  'ambiguous-digits',
  'ambiguous-separator',
]
