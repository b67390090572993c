/** Converts an opened document into its output file, with its report and its progress. One thread does. */
import { makeAnswers } from '../cells/answers.ts'
import { cellsAhead } from '../cells/answers-ahead.ts'
import { convertPassages } from '../documents/convert-passages.ts'
import type { DocumentBlock } from '../documents/document.ts'
import { encodeText, markBytes } from '../documents/document-text.ts'
import { type OpenDocument, sitesOfBlock } from '../documents/open-document.ts'
import { distinctCells } from '../fast/distinct.ts'
import type { Failure } from '../output/failure-report.ts'
import { type Distinct, newTally, type Tally } from '../output/summary.ts'
import { isTooMany, tellFailure, tooMany } from './convert.ts'
import type { Before, ConvertedTable } from './convert-table.ts'
import { openEnding } from './ending.ts'
import { openFailures } from './table-failures.ts'
import type { Progress, TableJob } from './table-job.ts'
import { type WorkingTime, workingTime } from './working-time.ts'

/** @throws whatever reading, converting and writing throw */
export async function convertDocument(
  job: TableJob,
  document: OpenDocument,
  before: Before,
): Promise<ConvertedTable> {
  const { reporter, source } = job
  reporter.planned(document.plan)
  const files = await openFiles(job, document)
  const [tally, started] = [newTally(job.operation.cells.kinds), new Date()]
  const { bytesRead } = document.input
  const ending = openEnding({ ...files, isUnbroken: job.isUnbroken })
  const progress = reporter.progress({ tally, bytesRead, bytes: source.size })
  try {
    const distinct = await pumpDocument(job, document, { ...files, tally, progress })
    progress.finish()
    const counted = { tally, distinct, started }
    const report = await ending.finish({
      provenance: () => before.provenance(counted, files.sink.identity()),
      named: () => before.named(counted),
    })
    return { ...counted, report }
  } catch (error) {
    progress.clear()
    await ending.abandon(error)
    throw error
  } finally {
    ending.stop()
  }
}

interface Pump extends Awaited<ReturnType<typeof openFiles>> {
  readonly tally: Tally
  readonly progress: Progress
}

async function pumpDocument(
  job: TableJob,
  document: OpenDocument,
  { sink, failures, tally, progress }: Pump,
): Promise<Distinct> {
  const { maxErrors, output, options } = job
  const { onError } = options.writing
  const add = (failure: Failure) => {
    progress.clear()
    failures.add(failure)
  }
  const counting = { tally, maxErrors, failed: add, stopAtFirst: onError === 'fail' }
  const failed = (failure: Failure) => tellFailure(failure, document.plan.header.table, counting)
  const time = job.limits && workingTime(job.limits)
  const asked = openAnswers(job, document, time)
  const conversion = { ...document, answers: asked.answers, tally, onError, failed }
  sink.writeBytes(markBytes(document.dialect))
  for await (const block of document.blocks()) {
    await asked.prepare?.(block)
    const write = () => sink.write(document.held.take(block.upTo, convertPassages(block, conversion)))
    if (time === undefined) write()
    else time.inTurn(write)
    if (output === '-') sink.flush()
    await sink.ready()
    progress.passed()
  }
  if (maxErrors !== undefined && isTooMany(tally, maxErrors, true)) throw tooMany(tally)
  return asked.answers.distinct()
}

async function openFiles({ filePort, output, report, reporter }: TableJob, { dialect }: OpenDocument) {
  const encode = (text: string) => encodeText(text, dialect.encoding)
  const sink = await filePort.sink(output, { encode })
  try {
    return { sink, failures: await openFailures(filePort, report, reporter, { withPaths: true }) }
  } catch (error) {
    await sink.abandon()
    throw error
  }
}

/** As cells of a table are answered; `prepare`: who is asked is far away. */
function openAnswers(
  { answering, operation, inputs, options }: TableJob,
  document: OpenDocument,
  time: WorkingTime | undefined,
) {
  const { facts } = answering
  const executor = time?.limited(answering.executor) ?? answering.executor
  const request = { executor, operation, inputs, width: options.writing.width, release: facts.label }
  const local = makeAnswers(request)
  if (executor.ahead === undefined) return { answers: local, prepare: undefined }
  const { of, prepare } = cellsAhead(request)
  const cells = distinctCells()
  const asked = (block: DocumentBlock) =>
    sitesOfBlock(block)
      .filter(document.isRead)
      .map((site) => ({ group: document.groupFor(site), value: site.cell }))
  return {
    answers: { of, distinct: cells.distinct },
    async prepare(block: DocumentBlock) {
      const all = asked(block)
      for (const { group, value } of all) cells.add(group.columns[0] ?? 0, value)
      await prepare(all)
    },
  }
}
