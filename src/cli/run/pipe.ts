/** `hla pipe`: a co-process. One request a line, one answer a line, in the same order (JSON Lines). */
import type { OperationRequest } from '../../operations/operation-request.ts'
import { isHlaError } from '../../errors.ts'
import { errorRecord } from '../../operations/error-record.ts'
import { type Executor, readyExecutor } from '../../operations/executor.ts'
import { answerRequest, parseRequest } from '../../operations/request.ts'
import type { ByteInput } from '../../io/file-port.ts'
import { keepHeapsSmall, keepNewSpaceSmall } from '../../io/heap.ts'
import { readLineBlocks } from '../../io/lines.ts'
import type { Sink } from '../../io/sink.ts'

export interface Pipe {
  readonly executor: Executor
  readonly sink: Sink
  readonly source: ByteInput
  /** Told of a line that shows a fault of the program; it is answered all the same, and so are the others. */
  readonly report: (fault: unknown) => void
}

/** Answers every line, the empty and the malformed ones too; ends with standard input. */
export async function runPipe({ executor, sink, source, report }: Pipe): Promise<void> {
  keepHeapsSmall()
  for await (const block of readLineBlocks(source)) {
    const ready = await readyExecutor(executor, () =>
      block.flatMap(({ text, fault }) => (fault === undefined ? askedIn(text) : [])),
    )
    for (const { text, fault } of block) {
      const answer = fault === undefined ? answerRequest(ready, text, report) : { error: errorRecord(fault) }
      sink.write(`${JSON.stringify(answer)}\n`)
    }
    keepNewSpaceSmall()
    // the other side waits for these answers before it asks again
    sink.flush()
    await sink.ready()
  }
  await sink.finish()
}

/** Nothing for a line that is not a request: its answer needs no executor. */
function askedIn(text: string): OperationRequest[] {
  try {
    return [parseRequest(text)]
  } catch (error) {
    if (isHlaError(error)) return []
    throw error
  }
}
