/** `hla pipe`: a co-process. One request a line, one answer a line, in the same order (JSON Lines). */
import { HlaError, isHlaError } from '../errors.ts'
import type { Executor } from '../operations/executor.ts'
import { readLineBlocks } from './io/lines.ts'
import type { Sink } from './io/sink.ts'
import { errorRecord } from './run-operation.ts'

/** Answers every line, the empty and the malformed ones too; ends with standard input. */
export async function runPipe(executor: Executor, sink: Sink, file = '-'): Promise<void> {
  for await (const block of readLineBlocks(file)) {
    for (const { text } of block) sink.write(`${JSON.stringify(answerRequest(executor, text))}\n`)
    // the other side waits for these answers before it asks again
    sink.flush()
  }
  sink.finish()
}

/** `{"op":"redux","gl_string":…}` -> the operation's output, or `{"error":{…}}`. */
export function answerRequest(executor: Executor, text: string): unknown {
  try {
    const { op, ...input } = parseRequest(text)
    return executor.execute(op, input)
  } catch (error) {
    if (!isHlaError(error)) throw error
    return { error: errorRecord(error) }
  }
}

function parseRequest(text: string): { op: string } & Record<string, unknown> {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new HlaError('bad-request', 'a request is one JSON object on one line')
  }
  const { op } = value as Record<string, unknown>
  if (typeof op !== 'string') throw new HlaError('bad-request', 'op is missing: the name of an operation')
  return { ...value, op }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new HlaError('bad-request', 'the line is not JSON', { cause: error })
  }
}
