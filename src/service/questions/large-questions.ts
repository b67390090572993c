/** Answers large questions in a thread of their own: in the event loop one of them would hold up every other caller. */
import type { Face } from '../../operations/faces.ts'
import { type CheckedInput, localExecutor } from '../../operations/executor.ts'
import { type AdviceBudget, withBudget } from '../../operations/knowledge.ts'
import { answerRequest } from '../../operations/request.ts'
import { sharePlaces } from '../../web/share.ts'
import type { ServedData } from '../current.ts'
import type { PiecedAnswer } from '../threads/serve-thread.ts'
import { startThreads, type ThreadScript } from '../threads/threads.ts'
import { answerRoute, type AnswerForm, type RouteAnswer, routeNamed } from './answer-route.ts'

/** Characters from which a question is large. A shorter one takes the event loop some 10 ms at most. */
const LARGE_LENGTH = 1000

/** Threads for large questions. They are shared by caller, one question at a time. */
export const QUESTION_THREADS = 1

interface LargeRequest {
  readonly kind: 'request'
  /** `POST /redux` */
  readonly route: string
  readonly checked: CheckedInput
  readonly form: AnswerForm
}

interface LargeLine {
  readonly kind: 'line'
  readonly line: string
  readonly face: Face
  /** Of the batch so far. */
  readonly advice: AdviceBudget
}

interface RequestHead extends Omit<RouteAnswer, 'body'> {
  readonly isText: boolean
}

interface LineHead {
  readonly advice: AdviceBudget
  /** Stacks of bugs. */
  readonly faults: readonly string[]
}

type LargeAnswer<Head> = Head & { readonly bytes: Buffer }

/** A caller, and the data to answer from. */
interface Asker {
  readonly caller: string
  readonly dataId: string
}

export interface LargeQuestions {
  /**
   * Returns undefined when the thread has other data.
   * @throws {HlaError} errors of the question; limits exceeded (`readLossReason`)
   */
  readonly request: (asker: Asker, question: Omit<LargeRequest, 'kind'>) => Promise<RouteAnswer | undefined>
  /** As `request`, for a line of a batch, whose errors are in the answer. */
  readonly line: (asker: Asker, line: Omit<LargeLine, 'kind'>) => Promise<LargeAnswer<LineHead> | undefined>
  /** Call after the data changed. */
  readonly renew: () => void
  readonly close: () => Promise<void>
}

export function openLargeQuestions(script: ThreadScript): LargeQuestions {
  const threads = startThreads<LargeRequest | LargeLine, PiecedAnswer>(script, 'question', QUESTION_THREADS)
  const places = sharePlaces(QUESTION_THREADS)
  async function ask<Head>(
    { caller, dataId }: Asker,
    question: LargeRequest | LargeLine,
  ): Promise<LargeAnswer<Head> | undefined> {
    const leave = await places.take(caller)
    try {
      const answer = await threads.ask(question, dataId)
      if (answer === undefined) return undefined
      const { body, ...head } = answer
      const pieces: Uint8Array[] = []
      for await (const piece of body) pieces.push(Buffer.from(piece))
      // the thread answers this kind of question with such a head
      return { ...(head as Head), bytes: Buffer.concat(pieces) }
    } finally {
      leave()
    }
  }
  return {
    async request(asker, question) {
      const answer = await ask<RequestHead>(asker, { kind: 'request', ...question })
      if (answer === undefined) return undefined
      const { status, notes, isText, bytes } = answer
      return { status, notes, body: isText ? bytes.toString() : bytes }
    },
    line: (asker, question) => ask<LineHead>(asker, { kind: 'line', ...question }),
    renew: () => threads.renew(),
    close: () => threads.close(),
  }
}

export function isLargeLine(line: string): boolean {
  return line.length > LARGE_LENGTH
}

export function isLargeInput({ input }: CheckedInput): boolean {
  let length = 0
  for (const value of Object.values(input)) {
    if (typeof value === 'string') length += value.length
    else if (Array.isArray(value)) length += value.join('/').length
  }
  return length > LARGE_LENGTH
}

export function isLargeQuestion(request: unknown): request is LargeRequest | LargeLine {
  return typeof request === 'object' && request !== null && 'kind' in request
}

/** Runs in the thread. @throws {HlaError} errors of a request */
export function answerLarge(
  question: LargeRequest | LargeLine,
  { knowledge }: ServedData,
): PiecedAnswer & (RequestHead | LineHead) {
  if (question.kind === 'line') {
    const faults: string[] = []
    const advice = { ...question.advice }
    const executor = localExecutor(withBudget(knowledge, advice))
    const report = (fault: unknown) => void faults.push(fault instanceof Error ? (fault.stack ?? '') : '')
    const answer = answerRequest(executor, question.line, report, question.face)
    return { advice, faults, body: once(JSON.stringify(answer)) }
  }
  const { route, checked, form } = question
  const { status, notes, body } = answerRoute(routeNamed(route), checked, form, knowledge)
  const isText = typeof body === 'string'
  return { status, notes, isText, body: once(isText ? body : JSON.stringify(body)) }
}

async function* once(text: string): AsyncGenerator<string> {
  yield await Promise.resolve(text)
}
