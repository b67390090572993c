/** From the command line of an operation to a run over a table. */
import { recognizeShape } from '../../../table/plan/typing-shape.ts'
import type { Leniency } from '../../../engine/accept.ts'
import { advice, option } from '../../../advice.ts'
import { PROGRAMS } from '../../../nomenclature/programs.ts'
import { HlaError } from '../../../errors.ts'
import { type CellOperation, convertsCells, type Operation } from '../../../operations/operation.ts'
import type { TableOptions } from '../../options/table-options.ts'
import { chooseFormat, type GlobalOptions } from '../../options/options.ts'
import type { OperationQuestion } from '../run-operation.ts'
import type { Reporter } from '../reporter.ts'
import type { FilePort } from '../../../io/file-port.ts'
import { isTerminal, writeAll } from '../../../io/stdout.ts'
import { EXIT } from '../../exit-status.ts'
import type { Answering } from '../../../table/run/table-job.ts'
import { isStrict, makeJob, runStatus } from './make-job.ts'
import { openJob } from '../../../table/run/run-table.ts'
import { keepHeapsSmall } from '../../../io/heap.ts'
import { areMany, openFiles } from './input-files.ts'

export interface TableCommand<O extends Operation = CellOperation> {
  readonly given: readonly string[]
  readonly options: GlobalOptions & Omit<TableOptions, 'summary'> & { readonly summary?: boolean | string }
  readonly operation: O
  readonly questions: readonly OperationQuestion[]
  readonly reporter: Reporter
  readonly filePort: FilePort
  readonly answering: Answering
  /** Says what is special about it. */
  readonly noteData: () => void
}

/** The exit status. @throws {HlaError} usage — a table is not written in other formats */
export async function runTableCommand(command: TableCommand): Promise<number> {
  const options = withDelimiter(command)
  const { operation, reporter, filePort, answering, noteData } = command
  const { files, ...asked } = makeTableRun({ ...command, options })
  const job = makeJob({
    ...asked,
    ...(await openFiles(filePort, files, { ...options, written: [options.errors, provenanceName(options)] })),
    output: options.output,
    beside: await filePort.beside(options.output),
    filePort,
    answering,
    operation,
    quiet: options.quiet ?? false,
    reporter,
  })
  keepHeapsSmall()
  const { planText, hasUnread, refusal, convert, close } = await openJob(job)
  try {
    noteData()
    if (options.plan !== true) return runStatus((await convert()).record, command)
    writeAll(1, await planText())
    if (refusal !== undefined) throw refusal
    return hasUnread && isStrict(command) ? EXIT.no : EXIT.ok
  } finally {
    await close()
  }
}

/** `--format tsv` of a table is its delimiter. @throws {HlaError} usage — other formats */
function withDelimiter({ options, reporter }: TableCommand): TableCommand['options'] {
  const format = chooseFormat(options)
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

function provenanceName({ provenance }: TableCommand['options']): string | undefined {
  return typeof provenance === 'string' ? provenance : undefined
}

/** What was said about the table. @throws {HlaError} usage — typings or several files where one table belongs */
export function makeTableRun({
  given,
  options,
  operation,
  questions,
}: Pick<TableCommand<Operation>, 'given' | 'options' | 'operation' | 'questions'>) {
  refuseTypings(operation, given, options)
  const { summary, ...rest } = options
  const { input: files = ['-'], sampleFrom } = options
  if (!convertsCells(operation) && areMany(files) && sampleFrom === undefined)
    throw new HlaError('usage', `only one table can be read at a time by ${operation.name}`, {
      hint: '--sample-from name makes one table of several files',
    })
  // read from the command line by readLeniencies
  const accept = (questions[0]?.input['accept'] ?? []) as readonly Leniency[]
  const said = typeof summary === 'string' ? { ...rest, summary } : rest
  return { files, ...writtenAs(said, questions), accept }
}

/** Of a table, the column of whole GL Strings is what has the form that was asked for. @throws {HlaError} usage — its release is not that of the names */
function writtenAs<O extends Pick<TableCommand['options'], 'glOut' | 'shape' | 'outputFormat'>>(
  options: O,
  questions: readonly OperationQuestion[],
) {
  const isCode = questions[0]?.input['as'] === 'glsc'
  if (isCode && questions[0]?.input['to'] !== undefined)
    throw new HlaError('usage', '--as glsc of a table names the release in use, not that of --to')
  const as = questions[0]?.input['as']
  const isOfProgram = PROGRAMS.some((program) => program === as)
  if (isOfProgram && (options.glOut ?? options.shape ?? options.outputFormat) !== undefined)
    throw new HlaError('usage', `--as ${String(as)} writes names of molecules, which make no GL Strings`, {
      hint: 'leave out --gl-out, --shape and --output-format',
    })
  const inputs = questions.map(({ input }) => {
    const { as, ...others } = input
    return isCode || as === 'gl' ? others : input
  })
  return { options: isCode ? { ...options, glsc: true } : options, inputs }
}

/** `-g` gives py-ard its typing. */
function refuseTypings(
  { name }: Operation,
  given: readonly string[],
  { gl, input }: TableCommand['options'],
): void {
  if (gl !== undefined && recognizeShape(gl) === 'named')
    throw new HlaError(
      'usage',
      `-g names GL-string columns of a table. Typings are arguments: hla ${name} '${gl}'`,
    )
  if (given.length > 0)
    throw new HlaError('usage', 'options for tables cannot be combined with typings as arguments', {
      hint: 'give the table with -i',
    })
  if (input === undefined && isTerminal(0))
    throw new HlaError('usage', 'no table given', { hint: 'give the table with -i' })
}
