/** Runs an operation over typings from arguments, files or standard input: one record for each, in order. */
import type { OperationQuestion } from '../../operations/operation-question.ts'
import type { OperationRequest } from '../../operations/operation-request.ts'
import { endsRun, errorKind, type HlaError, isHlaError, type Note } from '../../errors.ts'
import { outputFor } from '../../operations/faces.ts'
import { errorRecord, readErrorRecord } from '../../operations/error-record.ts'
import { type Executor, readyExecutor } from '../../operations/executor.ts'
import type { Operation } from '../../operations/operation.ts'
import { EXIT } from '../../io/exit-status.ts'
import type { FilePort } from '../../io/file-port.ts'
import { keepHeapsSmall, keepNewSpaceSmall } from '../../io/heap.ts'
import { readLineBlocks } from '../../io/lines.ts'
import type { Sink } from '../../io/sink.ts'
import { isTerminal } from '../../io/stdout.ts'
import type { InputPlace } from '../messages.ts'
import type { AnswerRecord, Formatter } from '../../operations/answers/records.ts'
import type { Reporter } from './reporter.ts'

export interface OperationRun {
  readonly operation: Operation
  readonly executor: Executor
  readonly questions: readonly OperationQuestion[]
  readonly formatter: Formatter
  readonly filePort: FilePort
  readonly sink: Sink
  readonly reporter: Reporter
  /** Print the number of answers by kind at the end. */
  readonly summary: boolean
  /** The whole command line. */
  readonly words: readonly string[]
}

/** Typings from arguments, or files to read them from. */
export type Typings = { readonly arguments: readonly string[] } | { readonly files: readonly string[] }

interface Tally {
  total: number
  status: number
  readonly failures: Map<string, number>
  /** Answers by kind, for operations that distinguish kinds. */
  readonly kinds: Map<string, number>
}

/** Returns the exit status. */
export async function runOperation(run: OperationRun, typings: Typings): Promise<number> {
  const tally: Tally = { total: 0, status: EXIT.ok, failures: new Map(), kinds: new Map() }
  run.sink.write(run.formatter.head)
  if ('arguments' in typings) {
    const { ready, requests } = await prepareBlock(run, typings.arguments.map((text) => ({ text }))) // prettier-ignore
    for (const [at, text] of typings.arguments.entries()) {
      const error = answerOne(ready, { text, place: undefined, tally, requests: requests[at] })
      if (error === undefined) continue
      if (patientText(run, error) !== undefined) {
        reportError(run, error, text, undefined)
        continue
      }
      const { withReading } = await import('../guess/respell.ts')
      const attempt = { ...run, others: typings.arguments, input: run.questions[0]?.input ?? {} }
      run.reporter.error(await withReading(error, text, attempt), text)
    }
  } else for (const file of typings.files) await answerFile(run, file, tally)
  run.sink.write(run.formatter.tail())
  await run.sink.finish()
  if (run.summary) run.reporter.kinds(tally.total, tally.kinds)
  run.reporter.more()
  if ('files' in typings) run.reporter.summary(tally.total, tally.failures)
  return tally.status
}

/** Runs an operation that takes no typing. */
export async function runOnce(run: OperationRun): Promise<number> {
  const { operation, questions, formatter, sink, reporter } = run
  const input = questions[0]?.input ?? {}
  const executor = await readyExecutor(run.executor, () => [{ operation: operation.name, input }])
  const output = outputFor(executor.execute(operation.name, input) as AnswerRecord['json'], 'command-line')
  for (const note of (output['notes'] ?? []) as readonly Note[]) reporter.note(note)
  const answer = {
    input: '',
    method: undefined,
    text: operation.toText(output as never),
    json: output,
    error: undefined,
  }
  sink.write(formatter.record([answer]))
  await sink.finish()
  return EXIT.ok
}

async function answerFile(run: OperationRun, file: string, tally: Tally): Promise<void> {
  keepHeapsSmall()
  for await (const block of readLineBlocks(await run.filePort.source(file))) {
    const { ready, requests } = await prepareBlock(run, block)
    block.forEach(({ text, fault, ...place }, at) => {
      const error = answerOne(ready, { text, place, tally, fault, requests: requests[at] })
      if (error !== undefined) reportError(run, error, text, place)
    })
    keepNewSpaceSmall()
    run.sink.flush()
    await run.sink.ready()
  }
}

/** Makes the questions about all typings of a block; a service answers them at once. */
async function prepareBlock(
  run: OperationRun,
  typings: readonly Pick<Typing, 'text' | 'fault'>[],
): Promise<{ readonly ready: OperationRun; readonly requests: readonly (readonly OperationRequest[])[] }> {
  const { name, subject = '' } = run.operation
  const requests = typings.map(({ text, fault }) =>
    fault === undefined
      ? run.questions.map(({ input }) => ({ operation: name, input: { ...input, [subject]: text } }))
      : [],
  )
  return { ready: { ...run, executor: await readyExecutor(run.executor, () => requests.flat()) }, requests }
}

/** Returns the error of the typing, not yet reported. */
function answerOne(run: OperationRun, typing: Typing): HlaError | undefined {
  const { tally, requests = [] } = typing
  tally.total += 1
  const answers = run.questions.map(({ method }, at) => ask(run, method, requests[at]?.input, typing))
  const error = answers.find(({ error }) => error !== undefined)?.error
  if (error !== undefined) {
    tally.failures.set(error.code, (tally.failures.get(error.code) ?? 0) + 1)
    tally.status = Math.max(tally.status, errorKind(error.code).exit)
  }
  run.sink.write(run.formatter.record(answers))
  // answers first: on a terminal the message then follows its empty line
  if (error !== undefined && isTerminal('output')) run.sink.flush()
  return error
}

interface Typing {
  readonly text: string
  readonly place: InputPlace | undefined
  readonly tally: Tally
  /** Error from reading the line. */
  readonly fault?: HlaError | undefined
  /** One request per question of the run; none for a line that could not be read. */
  readonly requests?: readonly OperationRequest[] | undefined
}

/** `input` includes the typing. */
function ask(run: OperationRun, method: string | undefined, input: unknown, typing: Typing): AnswerRecord {
  const { operation, executor } = run
  const { text } = typing
  try {
    if (typing.fault !== undefined) throw typing.fault
    // the output of execute belongs to the same operation as toText
    const json = outputFor(executor.execute(operation.name, input) as AnswerRecord['json'], 'command-line')
    report(run, json, typing)
    const cells = operation.table?.row(json as never, input as never)
    const isNegative = operation.isNegative?.(json as never) ?? false
    if (isNegative) typing.tally.status = Math.max(typing.tally.status, EXIT.no)
    return {
      input: text,
      method,
      text: operation.toText(json as never, input as never),
      json,
      cells,
      error: undefined,
      isNegative,
    }
  } catch (error) {
    if (!isHlaError(error) || endsRun(error)) throw error
    return { input: text, method, text: '', json: failureRecord(operation, text, method, error), error }
  }
}

/** Reports notes, and the problems of a negative answer. */
function report(run: OperationRun, output: AnswerRecord['json'], { text, place, tally }: Typing): void {
  const { operation, reporter } = run
  for (const note of (output['notes'] ?? []) as readonly Note[]) reporter.note(note)
  for (const problem of (output['problems'] ?? []) as readonly Record<string, unknown>[])
    reportError(run, readErrorRecord(problem, 'bad-syntax'), text, place)
  for (const kind of operation.tallyOf?.(output as never) ?? [])
    tally.kinds.set(kind, (tally.kinds.get(kind) ?? 0) + 1)
}

/** An error of the text given before the typings, else of the typing and its place. */
function reportError(run: OperationRun, error: HlaError, text: string, place: InputPlace | undefined): void {
  const patient = patientText(run, error)
  if (patient === undefined) run.reporter.error(error, text, place)
  else run.reporter.error(error, patient)
}

/** The patient's text, for an error in it; the donor's is the typing. */
function patientText({ questions }: OperationRun, { facts }: HlaError): string | undefined {
  const text = questions[0]?.input[facts?.['person'] ?? '']
  return typeof text === 'string' ? text : undefined
}

function failureRecord(
  operation: Operation,
  text: string,
  method: string | undefined,
  error: HlaError,
): Record<string, unknown> {
  return {
    [operation.subject ?? 'input']: text,
    ...(method === undefined ? {} : { reduction_method: method }),
    [operation.answer]: null,
    status: 'error',
    ...errorRecord(error),
  }
}
