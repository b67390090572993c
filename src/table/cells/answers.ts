/** What each cell becomes: each distinct value of a kind of column is read and asked once, then looked up. */
import { type HlaError, isHlaError, type Note } from '../../errors.ts'
import type { OperationRequest } from '../../operations/operation-request.ts'
import type { CellOutcome } from '../../operations/cell-face.ts'
import type { Executor } from '../../operations/executor.ts'
import type { CellOperation } from '../../operations/operation.ts'
import type { CellNote, CellReading } from './cell-reading.ts'
import { readCell } from './cells.ts'
import { type PlannedGroup, tryRead } from '../plan/plan.ts'
import { endsTable, PLAIN_NAME } from './ends-table.ts'
import type { TokenStatus } from './tokens.ts'

export interface CellAnswer {
  readonly status: 'ok' | 'error' | TokenStatus
  /** One a result column, with their loci; empty for a token, and for an error that says no more. */
  readonly results: readonly string[]
  /** What the answer counts as besides its status, for operations that tell kinds apart. */
  readonly kind?: string | undefined
  readonly error: HlaError | undefined
  readonly notes: readonly (CellNote | Note)[]
}

export interface AnswerRequest {
  readonly executor: Executor
  readonly operation: CellOperation
  /** The questions about each typing: their properties besides the typing. */
  readonly inputs: readonly Readonly<Record<string, unknown>>[]
  /** Columns that one answer fills. */
  readonly width: number
  /** Of the data that answer, `3.58.0`. */
  readonly release: string
}

export interface Answers {
  /** `text` as people read it. */
  readonly of: (text: string, group: PlannedGroup) => CellAnswer
  /** Distinct values so far; a lower bound when `isExact` is false, because memory is bounded. */
  readonly distinct: () => { readonly count: number; readonly isExact: boolean }
}

export interface RememberedAnswers extends Answers {
  /** What came of a text that was asked about elsewhere. */
  readonly keep: (text: string, group: PlannedGroup, answer: CellAnswer) => void
}

/** Answers kept; registry files have a hundred distinct cells, tables of GL Strings as many as rows. */
export const MOST_KEPT = 100_000
/** Characters of them, in all threads: what a code stands for is a thousand times as long. */
const MOST_CHARACTERS = 8 * 1024 * 1024
/** A longer text is asked again rather than kept. */
export const LONGEST_KEPT = 4096

export function makeAnswers(request: AnswerRequest, threads = 1): RememberedAnswers {
  const contexts = new Map<string, Map<string, CellAnswer>>()
  const mostCharacters = MOST_CHARACTERS / threads
  let [kept, characters, count, isExact] = [0, 0, 0, true]
  const keep = (text: string, { contextKey }: PlannedGroup, answer: CellAnswer) => {
    if (text.length > LONGEST_KEPT) {
      isExact = false
      return
    }
    if (kept >= MOST_KEPT || characters > mostCharacters) {
      contexts.clear()
      kept = 0
      characters = 0
      isExact = false
    }
    const known = contexts.get(contextKey) ?? new Map<string, CellAnswer>()
    contexts.set(contextKey, known.set(ownText(text), answer))
    kept += 1
    characters += answerSize(text, answer)
  }
  return {
    keep,
    of(text, group) {
      const found = contexts.get(group.contextKey)?.get(text)
      if (found !== undefined) return found
      const answer = answerCell(text, group, request)
      count += 1
      keep(text, group, answer)
      return answer
    },
    distinct: () => ({ count, isExact }),
  }
}

/** A part of a text keeps all of it: a cell would keep its block of the table. */
function ownText(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8')
}

/** Characters, an error with its advice counted as so many. */
const OF_ERROR = 1000

function answerSize(text: string, { results, error }: CellAnswer): number {
  const sum = results.reduce((size, result) => size + result.length, text.length)
  return error === undefined ? sum : sum + OF_ERROR
}

/** Asks, whether or not it was asked before. */
export function answerCell(text: string, { context }: PlannedGroup, request: AnswerRequest): CellAnswer {
  let release: string | undefined
  try {
    const read = readCell(text, context)
    if (read.kind === 'typing') release = read.release
    if (read.kind === 'token') return { status: read.status, results: [], error: undefined, notes: [] }
    const notes: (CellNote | Note)[] = [...read.notes]
    const outcomes: CellOutcome[] = []
    for (const input of request.inputs)
      outcomes.push(readOutcome(makeAsked(read, input, request), request, notes))
    return makeAnswer(outcomes, notes, request)
  } catch (error) {
    if (!isHlaError(error) || failsTable(error, release, request)) throw error
    const failed = request.operation.cells.failed?.(error) ?? { results: [], fault: error }
    return makeAnswer([failed], [], request)
  }
}

/** The questions about a cell, as `answerCell` asks them; none for a cell that is not a typing. */
export function cellQuestions(
  text: string,
  { context }: PlannedGroup,
  request: AnswerRequest,
): OperationRequest[] {
  const read = tryRead(text, context)
  if (read instanceof Error || read.kind === 'token') return []
  return request.inputs.map((input) => makeQuestion(makeAsked(read, input, request), request))
}

type ReadTyping = Extract<CellReading, { kind: 'typing' }>

/** A GL String Code says itself of which release it is. */
function makeAsked(read: ReadTyping, input: AnswerRequest['inputs'][number], request: AnswerRequest) {
  const typing = { [request.operation.subject ?? '']: read.glString }
  if (read.release === undefined) return { ...input, ...typing }
  const { from: _, lift: __, ...rest } = input
  return { ...rest, ...(read.release === request.release ? {} : { from: read.release }), ...typing }
}

function makeQuestion(
  input: Readonly<Record<string, unknown>>,
  { operation }: AnswerRequest,
): OperationRequest {
  // the input is of the operation
  return operation.cells.instead?.(input as never) ?? { operation: operation.name, input }
}

function readOutcome(
  input: Readonly<Record<string, unknown>>,
  request: AnswerRequest,
  notes: (CellNote | Note)[],
): CellOutcome {
  const asked = makeQuestion(input, request)
  // every output has its notes so
  const output = request.executor.execute(asked.operation, asked.input) as { notes?: readonly Note[] }
  for (const note of output.notes ?? []) if (note.level !== 'detail') notes.push(note)
  // the output is of the operation, or of what was asked instead
  return request.operation.cells.outcome(output as never, input as never)
}

function makeAnswer(
  outcomes: readonly CellOutcome[],
  notes: CellAnswer['notes'],
  { width }: AnswerRequest,
): CellAnswer {
  let fault: HlaError | undefined
  const results: string[] = []
  for (const outcome of outcomes) {
    fault ??= outcome.fault
    for (let at = 0; at < width; at += 1) results.push(outcome.results[at] ?? '')
  }
  return {
    status: fault === undefined ? 'ok' : 'error',
    results,
    kind: outcomes[0]?.kind,
    error: fault,
    // what was said about a failure is in its error
    notes: fault === undefined ? notes : [],
  }
}

/** Whether every other cell would fail alike. `release` is that of the cell alone. */
function failsTable(error: HlaError, release: string | undefined, request: AnswerRequest): boolean {
  if (release !== undefined && OF_RELEASE.has(error.code)) return false
  return endsTable(error, () => {
    const read = { kind: 'typing', glString: PLAIN_NAME, release: undefined, notes: [] } as const
    for (const input of request.inputs) readOutcome(makeAsked(read, input, request), request, [])
  })
}

/** What is wrong with the release that a GL String Code names. */
const OF_RELEASE: ReadonlySet<string> = new Set(['unknown-release', 'no-data', 'bad-request'])
