/** The job of a command line that converts a table, with all defaults, its threads and the files beside its output: what is wrong is found before anything is opened.  [disk, environment] */
import { programThread } from '../../../package-root.ts'
import { layoutFor } from '../../../table/plan/layouts.ts'
import { EXIT } from '../../exit-status.ts'
import { WORKER_WORD } from '../../worker-word.ts'
import { argvWithSettings } from '../settings.ts'
import { resolvedOptions, type TableJob, type WorkersAsked } from '../../../table/run/table-job.ts'
import { tableReporter } from './report/table-reporter.ts'
import type { SummaryRecord } from '../../../table/output/summary.ts'
import { parseMaxErrors, parseSummary } from '../../options/table-options.ts'
import type { TableRun } from './table-run.ts'
import { HlaError } from '../../../errors.ts'
import { isDevice, isOfSystem } from '../../../io/part-file.ts'
import { availableParallelism } from 'node:os'

/** @throws {HlaError} usage */
export function makeJob(run: TableRun): TableJob {
  const {
    options,
    source,
    parts,
    skipped,
    output,
    filePort,
    answering,
    operation,
    inputs,
    isUnbroken,
    converted,
  } = run
  const layout = layoutFor(options.layout, source.title)
  const resolved = resolvedOptions(run)
  const summary = parseSummary(options.summary)
  const provenance = provenanceFile(run)
  const maxErrors = parseMaxErrors(options.maxErrors)
  const jobs = jobCount(options.jobs, source.size)
  const report = reportFile({ asked: options.errors, output, beside: run.beside })
  return {
    source,
    parts,
    skipped,
    output,
    filePort,
    answering,
    operation,
    inputs,
    layout,
    options: resolved,
    planFrom: options.planFrom,
    maxErrors,
    workers: options.plan === true ? undefined : chooseWorkers(jobs),
    report: report === undefined ? undefined : { file: report, isAsked: options.errors !== undefined },
    provenance:
      provenance === undefined
        ? undefined
        : {
            file: provenance,
            argv: run.argv ?? argvWithSettings(),
            status: (record) => runStatus(record, run),
          },
    isUnbroken,
    reporter: tableReporter(run, summary),
    converted,
  }
}

type StatusAsked = Pick<TableRun, 'operation'> & {
  readonly options: Pick<TableRun['options'], 'exitZero' | 'strictColumns'>
}

/** The exit status of a conversion in which so many typings have failed, and so many columns were not read. */
export function runStatus(
  { status, unread = [] }: Pick<SummaryRecord, 'status' | 'unread'>,
  asked: StatusAsked,
): number {
  if (unread.length > 0 && isStrict(asked)) return EXIT.no
  return (status['error'] ?? 0) > 0 && asked.options.exitZero !== true ? EXIT.no : EXIT.ok
}

/** Whoever validates a table wants to know of all of it. */
export function isStrict({ operation, options }: StatusAsked): boolean {
  return options.strictColumns === true || (operation.name === 'validate' && options.exitZero !== true)
}

/** This thread is one of the jobs. */
function chooseWorkers(jobs: number): WorkersAsked | undefined {
  if (jobs <= 1) return undefined
  return { count: jobs - 1, takeAll: takesAll(jobs), script: programThread(WORKER_WORD) }
}

interface ReportAsked {
  readonly asked: string | undefined
  readonly output: string
  /** What the name beside the output begins with. */
  readonly beside: string
}

/** undefined: there is none. Among the devices stands nothing of ours. */
export function reportFile({ asked, output, beside }: ReportAsked): string | undefined {
  return asked ?? (output === '-' || isOfSystem(output) ? undefined : `${beside}.errors.csv`)
}

type ProvenanceRun = Pick<TableRun, 'output' | 'beside'> & {
  readonly filePort: Pick<TableRun['filePort'], 'isRemote'>
  readonly options: Pick<TableRun['options'], 'provenance'>
}

/** In a file store it is always there: others have to know what they find. @throws {HlaError} usage — there is nothing to stand beside */
export function provenanceFile({ filePort, options, output, beside }: ProvenanceRun): string | undefined {
  const { provenance = filePort.isRemote(output) ? true : undefined } = options
  if (provenance === undefined) return undefined
  if (output === '-' || isDevice(output))
    throw new HlaError('usage', '--provenance needs an output file', { hint: '-o FILE' })
  return provenance === true ? `${beside}.hla.json` : provenance
}

/** Bytes from which on starting workers is worth it. */
const LARGE = 20_000_000
const MOST = 8
const MOST_ASKED = 64

/** 1: no worker beside this thread; nor for what is of unknown size. @throws {HlaError} usage — neither a number nor `auto` */
export function jobCount(asked: string | undefined, size = 0): number {
  const text = asked ?? process.env['HLA_JOBS']
  if (text === undefined || text === '') return size < LARGE ? 1 : automatic()
  if (text === 'auto' || text === '0') return automatic()
  if (/^\d{1,3}$/.test(text) && Number(text) <= MOST_ASKED) return Number(text)
  const what = asked === undefined ? 'HLA_JOBS' : '--jobs'
  throw new HlaError('usage', `${what} is a number up to ${MOST_ASKED} or auto, not ${JSON.stringify(text)}`)
}

/** This thread is one of them: what reading and writing leave of its core, it converts (docs/adr/table-speed.md#threads). */
function automatic(): number {
  return Math.min(availableParallelism(), MOST)
}

/** So many threads leave no processor to others. */
export function takesAll(jobs: number): boolean {
  return jobs >= availableParallelism()
}
