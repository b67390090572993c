/** Converts an opened table into its output file, with report and progress. */
import type { Dialect } from '../input/dialect.ts'
import { type Encoding, fromByteText } from '../input/encoding.ts'
import type { OpenTable } from '../plan/open-table.ts'
import { outputColumns } from '../plan/output-columns.ts'
import { FORMAT_FILES } from '../plan/output-format-names.ts'
import { openRowWriter } from '../output/row-writer.ts'
import { advice } from '../../advice.ts'
import { messageText } from '../../operations/faces.ts'
import { HlaError } from '../../errors.ts'
import type { Failure } from '../output/failure-report.ts'
import type { ProvenanceFacts } from '../output/provenance.ts'
import { countBroken, type Distinct, newTally, summaryRecord, type SummaryRecord, type Tally } from '../output/summary.ts' // prettier-ignore
import { checkPlace } from '../../io/part-file.ts'
import type { Sink } from '../../io/sink.ts'
import type { TableInput } from '../plan/table-input.ts'
import { pumpTable } from './pump-table.ts'
import { withFiles, type WriteProvenance, writeProvenance } from './commit-files.ts'
import { openFailures, orderedFailures } from './table-failures.ts'
import { type Progress, type ProvenanceRequest, type TableJob, type TableResult, answerRequest } from './table-job.ts' // prettier-ignore
import { largeOutput } from './large-output.ts'
import { cellTrials } from './tried-advice.ts'

/** A conversion whose files are open. */
interface OpenRun {
  readonly sink: Sink
  readonly tally: Tally
  readonly progress: Progress
  /** Reports a failure, and writes it to the report. */
  readonly add: (failure: Failure) => void
}

/** @throws errors of reading, converting and writing */
export async function convertTable(job: TableJob, table: OpenTable): Promise<TableResult> {
  const { source, output, filePort, reporter, provenance, face } = job
  const { input, plan } = table
  if (provenance !== undefined && !filePort.isRemote(provenance.file)) checkPlace(provenance.file)
  reporter.planned(plan)
  const open = (opened: Pick<Sink, 'abandon'>[]) => openFiles(job, table, opened)
  return withFiles(job, open, async ({ sink, failures }, commit) => {
    const [tally, started] = [newTally(job.operation.cells.kinds), new Date()]
    // a workbook is read completely before the first row
    const bytes = input.workbook === undefined ? source.size : undefined
    const progress = reporter.progress({ tally, bytesRead: input.bytesRead, bytes })
    const add = (failure: Failure) => {
      progress.clear()
      failures.add(failure)
    }
    try {
      const distinct = await convertRows(job, table, { sink, tally, progress, add })
      const record = summaryRecord(tally, distinct, plan, face)
      const facts = { plans: [plan], started, summary: record, input }
      const report = await commit(provenance && recordRun(job, provenance, facts))
      const files = [output === '-' ? undefined : output, report, provenance?.file]
      const result = { tally, distinct, record, wrote: files.filter((one) => one !== undefined) }
      reporter.finished(result)
      return result
    } catch (error) {
      progress.clear()
      throw error
    }
  })
}

async function convertRows(
  job: TableJob,
  table: OpenTable,
  { sink, tally, progress, add }: OpenRun,
): Promise<Distinct> {
  const { plan, dialect } = table
  const { maxErrors, limits, reporter } = job
  const { reading, writing } = job.options
  const output = outputColumns(plan, writing)
  const answers = answerRequest(job)
  const stopAtFirst = writing.onError === 'fail'
  const telling = orderedFailures(table, { tally, stopAtFirst, add })
  const trials = cellTrials(plan, answers)
  const failed = (failure: Failure) => {
    trials.saw(failure)
    telling.failed(failure)
  }
  const outgrown = () => {
    progress.clear()
    reporter.warned?.(largeOutput(plan, job))
  }
  const writer = await openRowWriter(plan, dialect, writing, output)
  tally.consensus = writer.consensus
  const counting = { plan, dialect, writer, ragged: reading.ragged, stopAtFirst, maxErrors, tally }
  const conversion = { ...counting, ...telling, failed }
  const pump = { table, writing, output, answers, limits, sink, outgrown, conversion }
  const passed = () => progress.passed()
  const distinct = await pumpTable({ ...pump, passed, isWatched: job.output === '-' })
  progress.finish()
  for (const { code, message } of await trials.advice())
    reporter.warned?.({ code, message: messageText(message, job.face ?? 'command-line') })
  tellLost(table, { tally, stopAtFirst, add })
  return distinct
}

/** Reports files that could not be read. @throws {HlaError} bad-record — with `stopAtFirst` */
function tellLost(
  { input }: OpenTable,
  { tally, stopAtFirst, add }: { tally: Tally; stopAtFirst: boolean; add: (failure: Failure) => void },
): void {
  for (const { name, line, error } of input.source?.facts.lost ?? []) {
    if (stopAtFirst) throw new HlaError(error.code, advice`${name}: ${error.said}`, { cause: error })
    countBroken(tally, error.code)
    add({ row: 0, line, id: '', column: '', locus: '', value: '', error, file: name })
  }
}

async function openFiles(job: TableJob, { input, dialect }: OpenTable, opened: Pick<Sink, 'abandon'>[]) {
  const sink = await openOutput(job, dialect)
  opened.push(sink)
  const { hasFiles = false, hasPaths = false } = input.source ?? {}
  const places = { withFiles: hasFiles, withPaths: hasPaths }
  const failures = await openFailures(job.filePort, job.report, job.reporter, places)
  opened.push(failures)
  return { sink, failures }
}

/** The output, in the shape of its format. */
async function openOutput({ output, filePort, options }: TableJob, dialect: Dialect): Promise<Sink> {
  const { format, eol } = options.writing
  const open = (encoding: Encoding) =>
    filePort.sink(output, { encode: (text) => fromByteText(text, encoding) })
  if (format === undefined) return open(dialect.encoding)
  const { OUTPUT_FORMATS } = await import('../output/population/population-formats.ts')
  const sink = await open(FORMAT_FILES[format].isUtf8 === true ? 'utf8' : dialect.encoding)
  const ended = (text: string) => (eol === 'crlf' ? text.replaceAll('\n', '\r\n') : text)
  return OUTPUT_FORMATS[format].sink?.(sink, ended) ?? sink
}

/** Writer of the provenance, which is called when the output is complete. */
function recordRun(
  { answering, filePort }: TableJob,
  { file, argv, options, status }: ProvenanceRequest,
  { input, summary, ...facts }: { readonly input: TableInput; readonly summary: SummaryRecord } & Pick<ProvenanceFacts, 'plans' | 'started'>, // prettier-ignore
): WriteProvenance {
  return (output, report) => {
    const read = { name: input.name, bytes: input.bytesRead(), sha256: input.sha256() ?? '' }
    const asked = { argv, options, exit: status(summary) }
    return writeProvenance(
      { file, answering, filePort },
      { ...facts, ...asked, input: read, inputs: input.parts?.(), output, report, summary },
    )
  }
}
