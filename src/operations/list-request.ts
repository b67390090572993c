/**
 * Request with a list of typings: `{"op":"redux","gl_string":["A*01:01:01","B*07:02"]}` asks about each, and one line
 * has all answers.
 */
import type { Executor } from './executor.ts'
import { isRecord } from './http-face.ts'
import type { OperationRequest } from './operation-request.ts'
import { OPERATIONS } from './registry.ts'
import { answerQuestion } from './request.ts'

/** One question per item of the list; undefined when the typing is not a list. */
export function listQuestions({
  operation,
  input,
}: OperationRequest): Iterable<OperationRequest> | undefined {
  const subject = OPERATIONS.find(({ name }) => name === operation)?.subject
  if (subject === undefined || !isRecord(input) || !Object.hasOwn(input, subject)) return undefined
  const items: unknown = input[subject]
  if (!Array.isArray(items)) return undefined
  return eachItem(operation, input, subject, items)
}

function* eachItem(
  operation: string,
  input: Readonly<Record<string, unknown>>,
  subject: string,
  items: readonly unknown[],
): Generator<OperationRequest> {
  for (const item of items) yield { operation, input: { ...input, [subject]: item } }
}

/**
 * Yields `{"answers":[…]}` in pieces, since all answers together may exceed the maximum length of a string.
 * Each item is the answer to its single question, shortened to the bare result where nothing else is relevant; this
 * makes lists fast.
 */
export function* answerList(
  executor: Executor,
  questions: Iterable<OperationRequest>,
  report: (fault: unknown) => void,
): Generator<string> {
  let before = '{"answers":['
  for (const question of questions) {
    yield `${before}${JSON.stringify(briefly(question.operation, answerQuestion(executor, question, report)))}`
    before = ','
  }
  yield before === ',' ? ']}' : `${before}]}`
}

function briefly(operation: string, answer: unknown): unknown {
  if (!isRecord(answer) || 'error' in answer) return answer
  // the operation's answer matches its own output schema
  return BRIEF.get(operation)?.(answer as never) ?? answer
}

const BRIEF = new Map(OPERATIONS.map(({ name, brief }) => [name, brief]))
