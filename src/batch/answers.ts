/** What each cell becomes: each distinct value of a kind of column is read and asked once, then looked up. */
import { type HlaError, isHlaError, type Note } from '../errors.ts'
import type { Executor } from '../operations/executor.ts'
import { type CellNote, readCell } from './cells.ts'
import type { PlannedGroup } from './plan.ts'
import type { TokenStatus } from './tokens.ts'

export interface CellAnswer {
  readonly status: 'ok' | 'error' | TokenStatus
  /** One a method, with their loci; empty unless `ok`. */
  readonly results: readonly string[]
  readonly error: HlaError | undefined
  readonly notes: readonly (CellNote | Note)[]
}

export interface AnswerRequest {
  readonly executor: Executor
  readonly methods: readonly string[]
  /** Properties of every question besides the typing and the method. */
  readonly input: Readonly<Record<string, unknown>>
  /** Of the data that answer, `3.58.0`. */
  readonly release: string
}

export interface Answers {
  /** `text` as people read it. */
  readonly of: (text: string, group: PlannedGroup) => CellAnswer
  /** Distinct values so far; a lower bound when `isExact` is false, because memory is bounded. */
  readonly distinct: () => { readonly count: number; readonly isExact: boolean }
}

/** Answers kept; registry files have a hundred distinct cells, tables of GL Strings as many as rows. */
const MOST_KEPT = 100_000
/** A longer text is asked again rather than kept. */
const LONGEST_KEPT = 4096

export function answersOf(request: AnswerRequest): Answers {
  const contexts = new Map<string, Map<string, CellAnswer>>()
  let [kept, count, isExact] = [0, 0, true]
  return {
    of(text, group) {
      const known = contexts.get(group.contextKey) ?? new Map<string, CellAnswer>()
      const found = known.get(text)
      if (found !== undefined) return found
      const answer = answerCell(text, group, request)
      count += 1
      if (text.length > LONGEST_KEPT) {
        isExact = false
        return answer
      }
      if (kept >= MOST_KEPT) {
        contexts.clear()
        known.clear()
        kept = 0
        isExact = false
      }
      contexts.set(group.contextKey, known.set(text, answer))
      kept += 1
      return answer
    },
    distinct: () => ({ count, isExact }),
  }
}

/** Asks, whether or not it was asked before. */
export function answerCell(text: string, { context }: PlannedGroup, request: AnswerRequest): CellAnswer {
  try {
    const read = readCell(text, context)
    if (read.kind === 'token') return { status: read.status, results: [], error: undefined, notes: [] }
    const of = read.release === undefined || read.release === request.release ? {} : { from: read.release }
    const notes: (CellNote | Note)[] = [...read.notes]
    const results = request.methods.map((method) => {
      const output = ask(request, {
        ...request.input,
        ...of,
        gl_string: read.glString,
        reduction_method: method,
      })
      for (const note of output.notes ?? []) if (note.level !== 'detail') notes.push(note)
      return output.ard
    })
    return { status: 'ok', results, error: undefined, notes }
  } catch (error) {
    if (!isHlaError(error) || isFatal(error)) throw error
    return { status: 'error', results: [], error, notes: [] }
  }
}

interface ReduxOutput {
  readonly ard: string
  readonly notes?: readonly Note[]
}

function ask({ executor }: AnswerRequest, input: Record<string, unknown>): ReduxOutput {
  // the output schema of redux
  return executor.execute('redux', input) as ReduxOutput
}

/** Nothing about the cell: every other one would fail alike. */
function isFatal({ code }: HlaError): boolean {
  return [
    'usage',
    'bad-request',
    'unknown-method',
    'unknown-release',
    'no-data',
    'remote',
    'pin',
    'no-hats',
  ].includes(code)
}
