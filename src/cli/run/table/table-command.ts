/** Builds a table run from the command line of an operation.  [disk, environment] */
import { recognizeShape } from '../../../table/words/typing-shape.ts'
import type { Leniency } from '../../../engine/accept.ts'
import { advice, option } from '../../../advice.ts'
import { PROGRAMS } from '../../../nomenclature/programs.ts'
import { HlaError } from '../../../errors.ts'
import { type CellOperation, type Operation, convertsCells } from '../../../operations/operation.ts'
import { type TableOptions, parseMaxErrors, parseSummary } from '../../options/table-options.ts'
import type { GlobalOptions } from '../../options/options.ts'
import type { OperationQuestion } from '../../../operations/operation-question.ts'
import type { Reporter } from '../reporter.ts'
import type { FilePort } from '../../../io/file-port.ts'
import { isTerminal, writeOut } from '../../../io/stdout.ts'
import { EXIT } from '../../../io/exit-status.ts'
import { type Answering, type TableJob, resolvedOptions } from '../../../table/run/table-job.ts'
import { openJob } from '../../../table/run/run-table.ts'
import { keepHeapsSmall } from '../../../io/heap.ts'
import { areMany, openFiles } from './input-files.ts'
import type { OpenTable } from '../../../table/plan/open-table.ts'
import { planText } from '../../../table/plan/text/plan-text.ts'
import { layoutFor } from '../../../table/plan/layouts.ts'
import { argvWithSettings } from '../settings.ts'
import { tableReporter } from './report/table-reporter.ts'
import type { SummaryRecord } from '../../../table/output/summary.ts'
import { isDevice, isOfSystem } from '../../../io/part-file.ts'

export interface TableCommand<O extends Operation = CellOperation> {
  readonly operands: readonly string[]
  readonly options: GlobalOptions & Omit<TableOptions, 'summary'> & { readonly summary?: boolean | string }
  readonly operation: O
  readonly questions: readonly OperationQuestion[]
  readonly reporter: Reporter
  readonly filePort: FilePort
  readonly answering: Answering
  /** Notes anything unusual about the data or service. */
  readonly noteData: () => void
}

/** Returns the exit status. @throws {HlaError} usage — a format that tables cannot be written in */
export async function runTableCommand(command: TableCommand): Promise<number> {
  const options = withDelimiter(command)
  const { operation, reporter, filePort, answering, noteData } = command
  const { files, ...asked } = makeTableRun({ ...command, options })
  const job = makeJob({
    ...asked,
    ...(await openFiles(filePort, files, { ...options, written: [options.errors, options.provenance] })),
    output: options.output,
    beside: await filePort.beside(options.output),
    filePort,
    answering,
    operation,
    quiet: options.quiet ?? false,
    reporter,
  })
  keepHeapsSmall()
  const { planText, hasUnread, refusal, convert } = await openJob(job)
  noteData()
  if (options.plan !== true) return runStatus((await convert()).record, command)
  writeOut(planText())
  if (refusal !== undefined) throw refusal
  return hasUnread && isStrict(command) ? EXIT.no : EXIT.ok
}

/** For a table, `--format tsv` sets the delimiter. @throws {HlaError} usage — other formats */
function withDelimiter({ options, reporter }: TableCommand): TableCommand['options'] {
  const format = options.format
  if (format === 'plain') return options
  if (options.outDelimiter === undefined && (format === 'tsv' || format === 'csv')) {
    const [outDelimiter, typed] = format === 'tsv' ? ['\t', 'tab'] : [',', ',']
    reporter.note({
      level: 'note',
      code: 'read-as',
      message: `--format ${format} of a table is read as -D ${typed}`,
    })
    return { ...options, outDelimiter }
  }
  throw new HlaError('usage', 'a table is always written as a table, not as JSON or another format', {
    hint: advice`choose its delimiter: ${option('out-delimiter', 'tab')}`,
  })
}

/** Conversion with its options as given. */
interface TableRun extends Pick<
  TableJob,
  'source' | 'parts' | 'skipped' | 'output' | 'filePort' | 'answering' | 'operation' | 'inputs'
> {
  /** Start of the names of the report and the provenance file. */
  readonly beside: string
  readonly options: TableOptions
  readonly accept: readonly Leniency[]
  readonly quiet: boolean
  readonly reporter: Reporter
  /** Command line that repeats the run; default is that of this process. */
  readonly argv?: readonly string[]
}

/** Options about the table. @throws {HlaError} usage — typings or several files instead of one table */
export function makeTableRun({
  operands,
  options,
  operation,
  questions,
}: Pick<TableCommand<Operation>, 'operands' | 'options' | 'operation' | 'questions'>) {
  refuseTypings(operation, operands, options)
  const { summary, ...rest } = options
  const { input: files = ['-'] } = options
  if (!convertsCells(operation) && areMany(files))
    throw new HlaError('usage', `only one table can be read at a time by ${operation.name}`, {
      hint: 'run the command once for each file',
    })
  // readLeniencies parsed it from the command line
  const accept = (questions[0]?.input['accept'] ?? []) as readonly Leniency[]
  const said = typeof summary === 'string' ? { ...rest, summary } : rest
  return { files, ...writtenAs(said, questions), accept }
}

/**
 * For a table, `--as` applies to the column of whole GL Strings.
 * @throws {HlaError} usage — the code would name another release than that of the names
 */
function writtenAs<O extends Pick<TableCommand['options'], 'glOut' | 'shape' | 'outputFormat'>>(
  options: O,
  questions: readonly OperationQuestion[],
) {
  const { as, to } = questions[0]?.input ?? {}
  const isCode = as === 'glsc'
  if (isCode && to !== undefined)
    throw new HlaError('usage', '--as glsc of a table names the release in use, not that of --to')
  const isOfProgram = PROGRAMS.some((program) => program === as)
  if (isOfProgram && (options.glOut ?? options.shape ?? options.outputFormat) !== undefined)
    throw new HlaError('usage', `--as ${String(as)} writes molecule names, which cannot form GL Strings`, {
      hint: 'leave out --gl-out, --shape and --output-format',
    })
  const inputs = questions.map(({ input }) => {
    const { as: _, ...others } = input
    return isCode || as === 'gl' ? others : input
  })
  return { options: isCode ? { ...options, glsc: true } : options, inputs }
}

/** Explains `-g`, which takes a typing in py-ard. */
function refuseTypings(
  { name }: Operation,
  operands: readonly string[],
  { gl, input }: TableCommand['options'],
): void {
  if (gl !== undefined && recognizeShape(gl) === 'named')
    throw new HlaError(
      'usage',
      `-g names GL-string columns of a table. Typings are arguments: hla ${name} '${gl}'`,
    )
  if (operands.length > 0)
    throw new HlaError('usage', 'options for tables cannot be combined with typings as arguments', {
      hint: 'give the table with -i',
    })
  if (input === undefined && isTerminal('input'))
    throw new HlaError('usage', 'no table given', { hint: 'give the table with -i' })
}

/** @throws {HlaError} usage */
export function makeJob(run: TableRun): TableJob {
  const { options, source, output } = run
  const layout = layoutFor(options.inputFormat, source.title)
  const resolved = resolvedOptions(run)
  const summary = parseSummary(options.summary)
  const file = provenanceFile(run)
  const maxErrors = parseMaxErrors(options.maxErrors)
  // no report beside a device
  const besideOutput = output === '-' || isOfSystem(output) ? undefined : `${run.beside}.errors.csv`
  const report = options.errors ?? besideOutput
  const argv = run.argv ?? argvWithSettings()
  const status = (record: SummaryRecord) => runStatus(record, run)
  return {
    ...run,
    layout,
    options: resolved,
    question: run,
    planFrom: options.planFrom,
    maxErrors,
    report: report === undefined ? undefined : { file: report, isAsked: options.errors !== undefined },
    provenance: file === undefined ? undefined : { file, argv, options: resolved, status },
    reporter: tableReporter(run, summary),
  }
}

/** Plan of a table that is compared. `release` is that of the names, or both. */
export function comparisonPlan(
  { plan, dialect, input: { compression } }: OpenTable,
  { operation, questions }: Pick<TableCommand<Operation>, 'operation' | 'questions'>,
  release: string,
): string {
  const methods = questions.flatMap(({ method }) => method ?? [])
  const asked = { dialect, compression, operation: operation.name, methods, release, written: undefined }
  return planText(plan, asked)
}

type StatusAsked = Pick<TableRun, 'operation'> & {
  readonly options: Pick<TableRun['options'], 'exitZero' | 'strictColumns'>
}

/** Exit status of a conversion from its failed typings and unread columns. */
export function runStatus(
  { status, unread = [] }: Pick<SummaryRecord, 'status' | 'unread'>,
  asked: StatusAsked,
): number {
  if (unread.length > 0 && isStrict(asked)) return EXIT.no
  return (status['error'] ?? 0) > 0 && asked.options.exitZero !== true ? EXIT.no : EXIT.ok
}

/** Strict for validate: a validation must cover the whole table. */
function isStrict({ operation, options }: StatusAsked): boolean {
  return options.strictColumns === true || (operation.name === 'validate' && options.exitZero !== true)
}

/**
 * Name of the provenance file. A file store always gets one, for its other users.
 * @throws {HlaError} usage — the output is not a file
 */
export function provenanceFile({
  filePort,
  options,
  output,
  beside,
}: Pick<TableRun, 'filePort' | 'output' | 'beside'> & {
  readonly options: Pick<TableOptions, 'provenance'>
}): string | undefined {
  const { provenance = filePort.isRemote(output) ? true : undefined } = options
  if (provenance === undefined) return undefined
  if (output === '-' || isDevice(output))
    throw new HlaError('usage', '--provenance needs an output file', { hint: '-o FILE' })
  return provenance === true ? `${beside}.hla.json` : provenance
}
