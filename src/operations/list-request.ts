/** A request whose typing is a list: `{"op":"redux","gl_string":["A*01:01:01","B*07:02"]}` asks for each, and its answers are one line. */
import type { Executor } from './executor.ts'
import { isRecord } from './http-face.ts'
import type { OperationRequest } from './operation-request.ts'
import { OPERATIONS } from './registry.ts'
import { answerQuestion } from './request.ts'

/** A question for each item of the list; undefined: the typing is no list. */
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
 * `{"answers":[…]}`, piece by piece: together the answers may be longer than a text can be. Each is what the question alone is answered,
 * or the answer proper where nothing else is to be said of it; that is what makes lists fast.
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
  // what the operation answered has the form of its own output
  return BRIEF.get(operation)?.(answer as never) ?? answer
}

const BRIEF = new Map(OPERATIONS.map(({ name, brief }) => [name, brief]))
