/** Converts an opened table into its output file, with report and progress. */
import { fromByteText } from '../input/encoding.ts'
import type { OpenTable } from '../plan/open-table.ts'
import { outputColumns } from '../plan/output-columns.ts'
import { FORMAT_FILES } from '../plan/output-format-names.ts'
import { openRowWriter } from '../output/row-writer.ts'
import { advice } from '../../advice.ts'
import { messageText } from '../../operations/faces.ts'
import { HlaError } from '../../errors.ts'
import type { Failure } from '../output/failure-report.ts'
import { countBroken, type Distinct, newTally, type Tally } from '../output/summary.ts'
import type { Sink } from '../../io/sink.ts'
import { pumpTable, type TablePump } from './pump-table.ts'
import { withFiles } from './commit-files.ts'
import { openFailures, orderedFailures } from './table-failures.ts'
import { type Progress, type TableJob, answerRequest } from './table-job.ts'
import { largeOutput } from './large-output.ts'
import { cellTrials } from './tried-advice.ts'

export interface ConvertedTable {
  readonly tally: Tally
  readonly distinct: Distinct
  /** Name of the report of failures, if one was written. */
  readonly report: string | undefined
  readonly started: Date
}

/** Actions after all rows are converted, before the output has its final name. */
export interface EndActions {
  /** `identity`: that of the output, when it cannot be read back. */
  readonly provenance: (
    counted: ConversionCounts,
    identity: ReturnType<Sink['identity']>,
  ) => Promise<Sink | undefined>
  /** Called when all files but the output have their names. */
  readonly named: (counted: ConversionCounts) => Promise<void>
}

export type ConversionCounts = Pick<ConvertedTable, 'tally' | 'distinct' | 'started'>

/** A conversion whose files are open. */
export interface OpenRun {
  readonly sink: Sink
  readonly tally: Tally
  readonly progress: Progress
  /** Reports a failure, and writes it to the report. */
  readonly add: (failure: Failure) => void
}

interface RunInput extends Pick<OpenTable, 'input' | 'plan'> {
  /** Encodes the output. */
  readonly encode: (text: string) => Buffer
  readonly withFiles: boolean
  readonly withPaths: boolean
}

/** `pump` converts all rows, and ends the progress line. @throws errors of reading, converting and writing */
export async function convertInto(
  job: TableJob,
  { input: { bytesRead, workbook }, plan, ...files }: RunInput,
  before: EndActions,
  pump: (run: OpenRun) => Promise<Distinct>,
): Promise<ConvertedTable> {
  job.reporter.planned(plan)
  return withFiles(
    (opened) => openFiles(job, files, opened),
    async ({ sink, failures }, commit) => {
      const [tally, started] = [newTally(job.operation.cells.kinds), new Date()]
      // a workbook is read completely before the first row
      const bytes = workbook === undefined ? job.source.size : undefined
      const progress = job.reporter.progress({ tally, bytesRead, bytes })
      const add = (failure: Failure) => {
        progress.clear()
        failures.add(failure)
      }
      try {
        const distinct = await pump({ sink, tally, progress, add })
        const counted = { tally, distinct, started }
        const report = await commit({
          provenance: (identity) => before.provenance(counted, identity),
          named: () => before.named(counted),
        })
        return { ...counted, report }
      } catch (error) {
        progress.clear()
        throw error
      }
    },
  )
}

/** @throws errors of reading, converting and writing */
export function convertTable(job: TableJob, table: OpenTable, before: EndActions): Promise<ConvertedTable> {
  const { input, plan, dialect } = table
  const { hasFiles = false, hasPaths = false } = input.made ?? {}
  const { format } = job.options.writing
  const isUtf8 = format !== undefined && FORMAT_FILES[format].isUtf8 === true
  const encode = (text: string) => fromByteText(text, isUtf8 ? 'utf8' : dialect.encoding)
  const run = { input, plan, encode, withFiles: hasFiles, withPaths: hasPaths }
  return convertInto(job, run, before, async ({ sink, tally, progress, add }) => {
    const stopAtFirst = job.options.writing.onError === 'fail'
    const telling = orderedFailures(table, { tally, stopAtFirst, add })
    const trials = cellTrials(plan, answerRequest(job))
    const failed = (failure: Failure) => {
      trials.saw(failure)
      telling.failed(failure)
    }
    const passed: TablePump['passed'] = () => progress.passed()
    const conversion = { ...(await makeCounting(table, job)), tally, ...telling, failed }
    tally.consensus = conversion.writer.consensus
    const outgrown = () => {
      progress.clear()
      job.reporter.warned?.(largeOutput(plan, job))
    }
    const pump = { ...choosePump(job, table), passed, outgrown, conversion, sink }
    const distinct = await pumpTable(pump)
    progress.finish()
    for (const { code, message } of await trials.advice())
      job.reporter.warned?.({ code, message: messageText(message, job.face ?? 'command-line') })
    tellLost(table, { tally, stopAtFirst, add })
    return distinct
  })
}

/** Reports files that could not be read. @throws {HlaError} bad-record — with `stopAtFirst` */
function tellLost(
  { input }: OpenTable,
  { tally, stopAtFirst, add }: { tally: Tally; stopAtFirst: boolean; add: (failure: Failure) => void },
): void {
  for (const { name, line, error } of input.made?.facts.lost ?? []) {
    if (stopAtFirst) throw new HlaError(error.code, advice`${name}: ${error.said}`, { cause: error })
    countBroken(tally, error.code)
    add({ row: 0, line, id: '', column: '', locus: '', value: '', error, file: name })
  }
}

/** Sink of the output format, if it has its own. */
async function shapedSink(sink: Sink, { options: { writing } }: TableJob): Promise<Sink> {
  if (writing.format === undefined) return sink
  const { OUTPUT_FORMATS } = await import('../output/population/population-formats.ts')
  const ended = (text: string) => (writing.eol === 'crlf' ? text.replaceAll('\n', '\r\n') : text)
  return OUTPUT_FORMATS[writing.format].sink?.(sink, ended) ?? sink
}

async function openFiles(
  job: TableJob,
  { encode, ...places }: Omit<RunInput, 'input' | 'plan'>,
  opened: Pick<Sink, 'abandon'>[],
) {
  const { output, report, filePort, reporter } = job
  const sink = await filePort.sink(output, { encode })
  opened.push(sink)
  const failures = await openFailures(filePort, report, reporter, places)
  opened.push(failures)
  return { sink: await shapedSink(sink, job), failures }
}

function choosePump(job: TableJob, table: OpenTable) {
  const { writing } = job.options
  const output = outputColumns(table.plan, writing)
  const isWatched = job.output === '-'
  return { table, writing, output, answers: answerRequest(job), isWatched, limits: job.limits }
}

async function makeCounting({ plan, dialect }: OpenTable, { options, maxErrors }: TableJob) {
  const { reading, writing } = options
  const writer = await openRowWriter(plan, dialect, writing, outputColumns(plan, writing))
  const stopAtFirst = writing.onError === 'fail'
  return { plan, dialect, writer, ragged: reading.ragged, stopAtFirst, maxErrors }
}
