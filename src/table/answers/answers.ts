/** Answers to cells: each distinct value of a kind of column is read and answered once, then looked up. */
import { type HlaError, type Note, endsRun, errorKind, isHlaError } from '../../errors.ts'
import type { OperationRequest } from '../../operations/operation-request.ts'
import type { CellOutcome, Copies } from '../../operations/cell-face.ts'
import type { Executor } from '../../operations/executor.ts'
import type { CellOperation } from '../../operations/operation.ts'
import type { CellNote, CellReading } from '../cells/cell-reading.ts'
import { readCell } from '../cells/cells.ts'
import { type PlannedGroup, tryRead } from '../plan/plan.ts'
import { settleFacts } from '../cells/name-facts.ts'
import type { TokenStatus } from '../cells/tokens.ts'

export interface CellAnswer {
  readonly status: 'ok' | 'error' | TokenStatus
  /** One per result column, with loci; empty for a token, and for an error without further detail. */
  readonly results: readonly string[]
  /** Further classification of the answer, for operations that distinguish kinds. */
  readonly kind?: string | undefined
  readonly error: HlaError | undefined
  readonly notes: readonly (CellNote | Note)[]
  /** Possible alleles of each copy; undefined unless requested. */
  readonly copies?: Copies | undefined
}

export interface AnswerRequest {
  readonly executor: Executor
  readonly operation: CellOperation
  /** Input of each question about a typing, without the typing itself. */
  readonly inputs: readonly Readonly<Record<string, unknown>>[]
  /** Number of columns that one answer fills. */
  readonly width: number
  /** Release of the answering data, `3.58.0`. */
  readonly release: string
}

export interface Answers {
  /** Answer to `text` as decoded for display. */
  readonly of: (text: string, group: PlannedGroup) => CellAnswer
  /** Answer to a text that cannot be read. */
  readonly failed: (text: string, group: PlannedGroup, error: HlaError) => CellAnswer
  /** Number of distinct values so far; a lower bound when `isExact` is false, since memory is bounded. */
  readonly distinct: () => { readonly count: number; readonly isExact: boolean }
}

export interface RememberedAnswers extends Answers {
  /** Set when each question is a remote request: `of` then answers prepared cells only. */
  readonly ahead: AnswersAhead | undefined
}

export interface CellQuestion {
  readonly group: PlannedGroup
  /** Decoded value. */
  readonly value: string
}

export interface AnswersAhead {
  readonly has: (cell: CellQuestion) => boolean
  /** Asks about all unknown cells together. These cells then have answers; others may have been dropped. */
  readonly prepare: (cells: readonly CellQuestion[]) => Promise<void>
}

/**
 * Maximum number of answers kept; registry files have a hundred distinct cells, tables of GL Strings as many as rows.
 */
export const MAX_KEPT = 100_000
/** Maximum characters of kept answers over all tables at once: an expanded code is a thousand times as long as the code. */
const MAX_CHARACTERS = 8 * 1024 * 1024
/** Length in characters from which a text is answered anew instead of kept. */
export const MAX_KEPT_LENGTH = 4096

export function makeAnswers(request: AnswerRequest, atOnce = 1): RememberedAnswers {
  const memory = answerMemory(atOnce)
  const { find } = memory
  const ahead = request.executor.ahead && answersAhead(request, memory)
  const keep = (text: string, group: PlannedGroup, answer: CellAnswer): void => {
    if (text.length > MAX_KEPT_LENGTH) {
      memory.isExact = false
      return
    }
    memory.clearFull()
    memory.put(text, group, answer)
  }
  return {
    ahead,
    of(text, group) {
      const found = find(text, group)
      if (found !== undefined) return found
      if (ahead !== undefined) throw new Error('a cell that was not prepared')
      const answer = answerCell(text, group, request)
      memory.count += 1
      keep(text, group, answer)
      return answer
    },
    failed: (_, __, error) => failedAnswer(error, request),
    distinct: () => ({ count: memory.count, isExact: memory.isExact }),
  }
}

interface AnswerMemory {
  /** Cells answered; too low when some were dropped. */
  count: number
  isExact: boolean
  readonly find: (text: string, group: PlannedGroup) => CellAnswer | undefined
  readonly put: (text: string, group: PlannedGroup, answer: CellAnswer) => void
  /** Drops all answers when full. */
  readonly clearFull: () => void
}

function answerMemory(atOnce: number): AnswerMemory {
  const contexts = new Map<string, Map<string, CellAnswer>>()
  const mostCharacters = MAX_CHARACTERS / atOnce
  let [kept, characters] = [0, 0]
  const memory: AnswerMemory = {
    count: 0,
    isExact: true,
    find: (text, { contextKey }) => contexts.get(contextKey)?.get(text),
    put(text, { contextKey }, answer) {
      const known = contexts.get(contextKey) ?? new Map<string, CellAnswer>()
      contexts.set(contextKey, known.set(ownText(text), answer))
      kept += 1
      characters += answerSize(text, answer)
    },
    clearFull() {
      if (kept < MAX_KEPT && characters <= mostCharacters) return
      contexts.clear()
      kept = 0
      characters = 0
      memory.isExact = false
    },
  }
  return memory
}

function answersAhead(request: AnswerRequest, memory: AnswerMemory): AnswersAhead {
  return {
    has: ({ value, group }) => memory.find(value, group) !== undefined,
    async prepare(cells) {
      memory.clearFull()
      const missing = distinctMissing(cells, memory.find)
      const [first] = missing
      if (first === undefined) return
      // facts are shared by all groups
      const questions = await settleFacts(first.group.context.facts, () =>
        missing.flatMap(({ value, group }) => cellQuestions(value, group, request)),
      )
      const executor = (await request.executor.ahead?.(questions)) ?? request.executor
      for (const { value, group } of missing) {
        memory.put(value, group, answerCell(value, group, { ...request, executor }))
        memory.count += 1
        if (value.length > MAX_KEPT_LENGTH) memory.isExact = false
      }
    },
  }
}

function distinctMissing(
  cells: readonly CellQuestion[],
  find: (text: string, group: PlannedGroup) => CellAnswer | undefined,
): readonly CellQuestion[] {
  const missing = new Map<string, CellQuestion>()
  for (const cell of cells) {
    const { value, group } = cell
    if (find(value, group) === undefined) missing.set(`${group.contextKey}\n${value}`, cell)
  }
  return [...missing.values()]
}

/** Copies a substring, which would keep its block of the table in memory. */
function ownText(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8')
}

/** Size in characters counted for an error with its advice. */
const OF_ERROR = 1000

/** In characters. */
export function answerSize(text: string, { results, error }: Pick<CellAnswer, 'results' | 'error'>): number {
  const sum = results.reduce((size, result) => size + result.length, text.length)
  return error === undefined ? sum : sum + OF_ERROR
}

/** Answers a cell without looking at earlier answers. */
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
    return failedAnswer(error, request)
  }
}

function failedAnswer(error: HlaError, request: AnswerRequest): CellAnswer {
  const nothing = { results: [], fault: error }
  const failed = request.operation.cells.failed?.(error, (request.inputs[0] ?? {}) as never) ?? nothing
  return makeAnswer([failed], [], request)
}

/** Questions of a cell, as in `answerCell`; empty for a cell that is not a typing. */
function cellQuestions(text: string, { context }: PlannedGroup, request: AnswerRequest): OperationRequest[] {
  const read = tryRead(text, context)
  if (read instanceof Error || read.kind === 'token') return []
  return request.inputs.map((input) => makeQuestion(makeAsked(read, input, request), request))
}

type ReadTyping = Extract<CellReading, { kind: 'typing' }>

/** A GL String Code names its own release. */
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
  // the input belongs to the operation
  return operation.cells.instead?.(input as never) ?? { operation: operation.name, input }
}

function readOutcome(
  input: Readonly<Record<string, unknown>>,
  request: AnswerRequest,
  notes: (CellNote | Note)[],
): CellOutcome {
  const asked = makeQuestion(input, request)
  // every operation's output has its notes in this form
  const output = request.executor.execute(asked.operation, asked.input) as { notes?: readonly Note[] }
  for (const note of output.notes ?? [])
    if (note.level !== 'detail' || note.losses !== undefined) notes.push(note)
  // the output belongs to the operation, or to its substitute
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
    // the error already contains the notes on a failure
    notes: fault === undefined ? notes : [],
    copies: outcomes[0]?.copies,
  }
}

/** True when every other cell would fail alike. `release` is that of this cell only. */
function failsTable(error: HlaError, release: string | undefined, request: AnswerRequest): boolean {
  if (release !== undefined && OF_RELEASE.has(error.code)) return false
  return endsTable(error, () => {
    const read = { kind: 'typing', glString: PLAIN_NAME, release: undefined, notes: [] } as const
    for (const input of request.inputs) readOutcome(makeAsked(read, input, request), request, [])
  })
}

/** Errors about the release that a GL String Code names. */
const OF_RELEASE: ReadonlySet<string> = new Set(['unknown-release', 'no-data', 'bad-request'])

/** An allele in every release. */
export const PLAIN_NAME = 'A*01:01'

/**
 * True when even a plain name of the table's release fails; codes and names of another release need more data than it
 * does.
 */
export function endsTable(error: HlaError, askPlainName: () => unknown): boolean {
  if (!endsRun(error)) return false
  if (errorKind(error.code).about === 'world') return true
  try {
    askPlainName()
    return false
  } catch {
    // also when a remote service was not asked: nothing is known
    return true
  }
}
