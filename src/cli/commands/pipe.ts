/** `hla pipe`: answers requests in JSON Lines until its input ends. */
import { EXIT } from '../../io/exit-status.ts'
import type { CommandSpec } from '../options/declare-command.ts'
import type { GlobalOptions } from '../options/options.ts'
import { reportBug } from '../messages.ts'
import { openFilePort } from '../run/open-file-port.ts'
import { type Sink, withSink } from '../../io/sink.ts'
import { openExecutor } from '../run/open-executor.ts'
import { openReporter } from '../run/reporter.ts'
import type { OperationRequest } from '../../operations/operation-request.ts'
import { type HlaError, orElse } from '../../errors.ts'
import { errorRecord } from '../../operations/error-record.ts'
import { type Executor, readyExecutor } from '../../operations/executor.ts'
import { answerList, listQuestions } from '../../operations/list-request.ts'
import { answerQuestion, parseRequest } from '../../operations/request.ts'
import type { ByteInput } from '../../io/file-port.ts'
import { keepHeapsSmall, keepNewSpaceSmall } from '../../io/heap.ts'
import { type InputLine, readLineBlocks } from '../../io/lines.ts'

export const PIPE: CommandSpec = {
  usage: 'pipe',
  hasGlobalOptions: true,
  examples: [
    [
      `echo '{"op":"validate","gl_string":"A*01:01"}' | hla pipe`,
      '{"gl_string":"A*01:01","valid":true,"malformed":false,"verdict":"valid"}',
    ],
    [
      `echo '{"op":"splits","allele":"B14"}' | hla pipe`,
      '{"allele":"B14","broad":"B14","splits":["B64","B65"]}',
    ],
    [
      `echo '{"op":"redux","gl_string":["A*01:01:01","A*02:AB"]}' | hla pipe`,
      '{"answers":["A*01:01","A*02:01/A*02:02"]}',
    ],
    'hla pipe -i requests.jsonl -o answers.jsonl',
  ],
  run: answerRequests,
}

async function answerRequests(options: GlobalOptions): Promise<number> {
  const reporter = await openReporter(options)
  const { executor, close } = await openExecutor(options, reporter, 'all')
  const [input = '-'] = options.input ?? []
  let status: number = EXIT.ok
  const report = (fault: unknown) => (status = reportBug(fault))
  const filePort = openFilePort(options)
  try {
    const source = await filePort.source(input)
    await withSink(await filePort.sink(options.output), (sink) => runPipe({ executor, sink, source, report }))
  } finally {
    await filePort.close()
    await close()
  }
  return status
}

interface Pipe {
  readonly executor: Executor
  readonly sink: Sink
  readonly source: ByteInput
  /** Called for a line that reveals a bug; the line and those after it still get answers. */
  readonly report: (fault: unknown) => void
}

/** Answers every line, including empty and malformed ones, until standard input ends. */
export async function runPipe({ executor, sink, source, report }: Pipe): Promise<void> {
  keepHeapsSmall()
  for await (const block of readLineBlocks(source)) {
    const ready = await readyExecutor(executor, () => block.map(readRequest).flatMap(listAsked))
    for (const line of block) {
      for (const piece of answerLine(ready, readRequest(line), report)) sink.write(piece)
      sink.write('\n')
    }
    keepNewSpaceSmall()
    // the client waits for these answers before its next request
    sink.flush()
    await sink.ready()
  }
  await sink.finish()
}

/** Answer to a line without a valid question. */
type Refusal = { readonly error: Readonly<Record<string, unknown>> }

function readRequest({ text, fault }: InputLine): OperationRequest | Refusal {
  const refused = (error: HlaError) => ({ error: errorRecord(error, 'program') })
  return fault === undefined ? orElse(() => parseRequest(text), refused) : refused(fault)
}

function listAsked(request: OperationRequest | Refusal): OperationRequest[] {
  if ('error' in request) return []
  const items = listQuestions(request)
  return items === undefined ? [request] : [...items]
}

function answerLine(
  executor: Executor,
  request: OperationRequest | Refusal,
  report: (fault: unknown) => void,
): Iterable<string> {
  if ('error' in request) return [JSON.stringify(request)]
  const items = listQuestions(request)
  if (items !== undefined) return answerList(executor, items, report)
  return [JSON.stringify(answerQuestion(executor, request, report))]
}
