/** Runs an operation over typings, one record each, or over a table. */
import type { Command } from 'commander'
import { HlaError } from '../../errors.ts'
import { type Operation, convertsCells, tableColumns } from '../../operations/operation.ts'
import { isGiven, refuseIdle } from '../../options/check-options.ts'
import type { OptionRow } from '../../options/option-row.ts'
import { TABLE_OPTIONS } from '../../options/table-options.ts'
import { EXIT } from '../../io/exit-status.ts'
import type { CommandOptions } from '../options/operation-options.ts'
import { FROM_FILE } from '../options/options.ts'
import { wholeCommand } from '../options/program.ts'
import { asksForTable, pairFormat, tableRows } from '../options/table-options.ts'
import { refuseClashingFiles, refuseOtherKind } from '../run/clashing-files.ts'
import { type FilePort, fileSize, isStored } from '../../io/file-port.ts'
import { samplingFilePort, openFilePort } from '../run/open-file-port.ts'
import { refuseBinary } from '../../io/packing/binary-content.ts'
import { isWorkbook, unpackBeginning } from '../../io/packing/packing.ts'
import { withSink } from '../../io/sink.ts'
import { isTerminal, writeOut } from '../../io/stdout.ts'
import { answerAhead, openExecutor, probeQuestions } from '../run/open-executor.ts'
import type { Reading } from '../../reference/store/open-release.ts'
import { mayBeGuess } from '../guess/typing-words.ts'
import { shellWord } from '../../advice.ts'
import { commandBehind } from '../run/arguments.ts'
import { makeQuestions } from '../run/questions.ts'
import { chooseFormatter } from '../../operations/answers/records.ts'
import { type Typings, runOnce, runOperation } from '../run/run-operation.ts'
import { isMany } from '../run/table/input-files.ts'
import { isTableName } from '../../table/plan/layouts.ts'
import { openReporter } from '../run/reporter.ts'
import { type ComparedFiles, readComparedFiles } from '../run/table/concordance/compared-files.ts'

/** `words` are the whole command line; `isGuess` marks a corrected one. Returns the exit status. */
export async function runOperationCommand(
  command: Command,
  operation: Operation,
  values: readonly unknown[],
  { words, isGuess }: { readonly words: readonly string[]; readonly isGuess: boolean },
): Promise<number> {
  // arguments as declared, the variadic ones as a list
  const names = operation.leading ?? []
  const leading = Object.fromEntries(names.map((name, at) => [name, values[at]]))
  const operands = operation.subject === undefined ? [] : (values[names.length] as string[])
  const lineOptions = { ...command.opts<CommandOptions>(), leading, words }
  const files = operation.countsTables === true ? (values[0] as string[]) : []
  const options =
    files.length === 0 ? lineOptions : { ...lineOptions, input: [...(lineOptions.input ?? []), ...files] }
  if (operation.comparesTables === true) {
    const pair = readComparedFiles(values.slice(0, names.length), operands, options.input)
    if (pair !== undefined)
      return perform(command, operation, [], { ...options, leading: {}, input: pair.files, pair })
  }
  const isOfTables =
    operation.countsTables === true || (operation.matchesTables === true && values[0] === undefined)
  if (isOfTables && !isWithoutInput(options))
    return perform(command, operation, [], {
      ...options,
      leading: {},
      isOfTables: true,
      format: pairFormat(options),
    })
  if (!isGuess && !mayBeGuess(operation, operands, options.release))
    return perform(command, operation, operands, options)
  const { commandLine, guessOperands } = await import('../guess/operands.ts')
  const guess = guessOperands({ operation, operands, options, words })
  for (const [name, value] of Object.entries(guess?.options ?? {}))
    command.setOptionValueWithSource(name, value, 'cli')
  const guessOptions = { ...command.opts<CommandOptions>(), leading, words: guess?.words ?? words }
  const remark = guess?.remark === undefined ? '' : `; ${guess.remark}`
  const note =
    isGuess || guess !== undefined ? `read as ${commandLine(guessOptions.words)}${remark}` : undefined
  return perform(command, operation, guess?.operands ?? operands, { ...guessOptions, note })
}

/** Nothing is given, and standard input is a terminal. */
function isWithoutInput({ input, patients, donors }: CommandOptions): boolean {
  return [input, patients, donors].every((file) => file === undefined) && isTerminal('input')
}

async function perform(
  command: Command,
  operation: Operation,
  operands: readonly string[],
  options: NotedOptions,
): Promise<number> {
  const run = await openRun(operation, options)
  const { reporter, filePort } = run
  try {
    if (options.pair !== undefined) return await compareTwoFiles({ ...run, operands }, options.pair)
    if (options.isOfTables === true) return await runOverTables({ ...run, operands }, command)
    // one patient is matched with donors given as text
    const tableOptions = operation.matchesTables === true ? [] : tableRows(operation)
    refuseTables(operation, command)
    // the command line only: a setting may have no use here
    refuseIdle(
      TABLE_OPTIONS,
      optionsFrom(command, (source) => source === 'cli'),
      command.opts(),
    )
    const request = { ...run, operands, tableOptions }
    const titles = await readTitles(filePort, options.input)
    // settings do not imply a table
    const lineOptions = optionsFrom(command, (source) => source !== FROM_FILE)
    // a folder or pattern is a table of files, whatever their names
    if (tableOptions.length > 0 && options.input?.some(isMany) === true)
      return await runAsTable(request, options.words)
    const asksWithoutPlan = asksForTable(tableOptions, { ...lineOptions, plan: undefined }, titles)
    const content = asksWithoutPlan || options.inputFormat === 'lines' ? undefined : await contentOf(request)
    if (content !== undefined) {
      if (content === 'table' && options.plan !== true) reporter.note(READ_AS_TABLE)
      return await runAsTable(request, options.words)
    }
    if (asksForTable(tableOptions, lineOptions, titles)) {
      if (!asksWithoutPlan) reporter.note(PLAN_ALONE)
      return await runAsTable(request, options.words)
    }
    return await runAsLines(request)
  } finally {
    await filePort.close()
  }
}

/** Without `--plan` the same command line would not read a table. */
const PLAN_ALONE = {
  level: 'note',
  code: 'plan',
  message:
    'without --plan, this command would read one typing per line; add -d auto to read the table as planned',
} as const

type NotedOptions = CommandOptions & {
  readonly note?: string | undefined
  /** Two files instead of typings. */
  readonly pair?: ComparedFiles
  /** The persons of tables are matched or counted. */
  readonly isOfTables?: true
}

/** @throws {HlaError} usage — an option for tables with a patient as text */
function refuseTables(operation: Operation, command: Command): void {
  if (operation.matchesTables !== true) return
  const lineOptions = optionsFrom(command, (source) => source === 'cli')
  const idle = tableRows(operation).find((row) => isGiven(row, lineOptions))
  const table = command.opts<CommandOptions>().input?.find(isTableName)
  if (idle === undefined && table === undefined) return
  const what = idle === undefined ? `${table} is a table` : `--${idle.name} is about tables`
  throw new HlaError('usage', `${what}, but the patient is given as text`, {
    hint: 'hla match --patients FILE --donors FILE, or one table of pairs: hla match -i FILE',
  })
}

/** @throws {HlaError} unknown-method; usage — files that overwrite each other */
async function openRun(operation: Operation, options: NotedOptions) {
  const reporter = await openReporter(options)
  const { note } = options
  if (note !== undefined) reporter.note({ level: 'note', code: 'read-as', message: note })
  const questions = makeQuestions(operation, options)
  refuseOtherKind(options)
  refuseClashingFiles(options)
  return { operation, options, questions, reporter, filePort: samplingFilePort(openFilePort(options)) }
}

/** Lists of one typing per line contain no blanks and no markup. */
async function mayHoldRecords(name: string, sample: Buffer): Promise<boolean> {
  if (!/[ \t,;{<]/.test(sample.toString('latin1'))) return false
  const { recognizeRecords } = await import('../../table/sources/open-records.ts')
  return recognizeRecords(name, sample)
}

/** Content of the input that is read as a table, whatever the names of its files; undefined: lines. */
async function contentOf({
  tableOptions,
  operands,
  options,
  filePort,
}: CommandRequest): Promise<'table' | 'document' | undefined> {
  const isAsked = options.input === undefined && (operands.length > 0 || isTerminal('input'))
  if (isAsked || tableOptions.length === 0) return undefined
  const { documentFormat } = await import('../../table/input/input.ts')
  const { isTableContent } = await import('../../table/sources/recognize.ts')
  for (const file of options.input ?? ['-']) {
    const { name, sample } = await filePort.beginning(file)
    if (isWorkbook(sample)) return 'table'
    const plain = await unpackBeginning(sample)
    // refuses binary input before answers from an earlier file are printed
    refuseBinary(plain, file === '-' ? 'stdin' : file)
    // a document is refused as a whole, or has a reader
    if (documentFormat(plain) !== undefined) return 'document'
    if (isTableContent(name, plain) || (await mayHoldRecords(name, plain))) return 'table'
  }
  return undefined
}

const READ_AS_TABLE = {
  level: 'note',
  code: 'table',
  message: 'the input looks like a table, and is read as one: --input-format lines reads one typing a line',
} as const

/** The title of a stored file shows its type; its id does not. */
async function readTitles(filePort: FilePort, files: readonly string[] = []): Promise<string[]> {
  const titles: string[] = []
  for (const file of files) titles.push(isStored(file) ? (await filePort.source(file)).title : file)
  return titles
}

async function runAsLines(request: CommandRequest): Promise<number> {
  const { operation, operands, options, reporter, filePort } = request
  const { format } = options
  const typings = operation.subject === undefined ? undefined : chooseTypings(operands, options)
  if (operation.subject !== undefined && typings === undefined) {
    wholeCommand(operation.name).outputHelp({ error: true })
    return EXIT.usage
  }
  const isSingle =
    typings === undefined || ('arguments' in typings && operands.length * request.questions.length === 1)
  const layout = {
    format,
    withInput: options.withInput ?? false,
    withMethod: 'reduction_method' in operation.input.properties,
    isList: !isSingle,
  }
  const reading = typings !== undefined && 'arguments' in typings ? 'late' : 'all'
  const { executor: whole, methods, close } = await openExecutor(options, reporter, reading)
  const questions = makeQuestions(operation, options, methods)
  try {
    const [[question], [text]] = [questions, operands]
    const isAlone = isSingle && question !== undefined && text !== undefined
    const alone = isAlone ? answerAhead(whole, operation, question, text) : undefined
    if (alone === undefined) await probeQuestions(whole, operation, questions)
    const executor = alone ?? whole
    const formatter = await chooseFormatter({
      ...layout,
      columns: tableColumns(operation, questions[0]?.input ?? {}),
    })
    const summary = options.summary === true
    return await withSink(await filePort.sink(options.output), (sink) => {
      const { words } = options
      const run = { operation, executor, questions, formatter, filePort, sink, reporter, summary, words }
      return typings === undefined ? runOnce(run) : runOperation(run, typings)
    })
  } finally {
    await close()
  }
}

/** A small table needs only a small part of a release. */
function readingFor(files: readonly string[] = ['-']): Reading {
  const isSmall = (file: string) => !isStored(file) && file !== '-' && (fileSize(file) ?? Infinity) <= SMALL
  return files.length === 1 && files.every(isSmall) ? 'late' : 'all'
}

/** Size limit in bytes, also for compressed files. */
const SMALL = 64 * 1024

async function runAsTable(request: CommandRequest, words: readonly string[]): Promise<number> {
  const { operation, options, reporter } = request
  const tables = findComparedTables(operation, options)
  if (tables !== undefined) return compareTwoFiles(request, tables)
  const { openAnswering } = await import('../run/table/open-answering.ts')
  const { answering, noteData, close } = await openAnswering(options, reporter, readingFor(options.input))
  const questions = makeQuestions(operation, options, answering.methods)
  const command = { ...request, questions, answering, noteData }
  try {
    await probeQuestions(answering.executor, operation, questions)
    if (!convertsCells(operation)) {
      const { compareTable } = await import('../run/table/compare-table.ts')
      return await compareTable(command)
    }
    const { runTableCommand } = await import('../run/table/table-command.ts')
    const status = await runTableCommand({ ...command, operation })
    if (options.plan && options.pyardConfig !== undefined)
      writeOut(`command    ${['hla', ...commandBehind(words)].map(shellWord).join(' ')}\n`)
    return status
  } finally {
    await close()
  }
}

/** Returns undefined when no typings were given and standard input is a terminal. */
function chooseTypings(operands: readonly string[], { input }: CommandOptions): Typings | undefined {
  if (operands.length > 0 && input !== undefined)
    throw new HlaError('usage', 'typings are given as arguments or with -i, not both')
  if (operands.length > 0) return { arguments: operands }
  if (input !== undefined) return { files: input }
  return isTerminal('input') ? undefined : { files: ['-'] }
}

/** Options whose values are from a source that is wanted. */
function optionsFrom(command: Command, isWanted: (source: string) => boolean): Record<string, unknown> {
  const all = Object.entries(command.opts<Record<string, unknown>>())
  return Object.fromEntries(all.filter(([name]) => isWanted(command.getOptionValueSource(name) ?? '')))
}

interface CommandRequest extends Awaited<ReturnType<typeof openRun>> {
  readonly operands: readonly string[]
  /** Table options of the command; empty for a command without tables. */
  readonly tableOptions: readonly OptionRow[]
}

/** Two tables with two releases: the releases of their names. */
function findComparedTables(
  { comparesTables }: Operation,
  { leading, input = [] }: CommandOptions,
): ComparedFiles | undefined {
  const [left, right, another] = input
  if (comparesTables !== true || left === undefined || right === undefined || another !== undefined)
    return undefined
  const releases = [String(leading['from_release']), String(leading['to_release'])] as const
  return { files: [left, right], releases }
}

/** Returns the exit status. */
async function compareTwoFiles(
  request: Omit<CommandRequest, 'tableOptions'>,
  pair: ComparedFiles,
): Promise<number> {
  const { operation, options, reporter } = request
  const { openAnswering } = await import('../run/table/open-answering.ts')
  const { compareFilesCommand } = await import('../run/table/concordance/compare-files.ts')
  const { answering, noteData, close } = await openAnswering(options, reporter)
  try {
    const questions = makeQuestions(operation, { ...options, leading: {} }, answering.methods)
    return await compareFilesCommand({ ...request, questions, answering, noteData }, pair)
  } finally {
    await close()
  }
}

/** Returns the exit status. */
async function runOverTables(
  request: Omit<CommandRequest, 'tableOptions'>,
  command: Command,
): Promise<number> {
  const { operation, options, reporter } = request
  refuseIdle(
    tableRows(operation),
    optionsFrom(command, (source) => source === 'cli'),
    command.opts(),
  )
  const { openAnswering } = await import('../run/table/open-answering.ts')
  const run =
    operation.countsTables === true
      ? (await import('../run/table/count-table.ts')).countTableCommand
      : (await import('../run/table/match/match-tables.ts')).matchTablesCommand
  const { answering, noteData, close } = await openAnswering(options, reporter)
  try {
    return await run({ ...request, answering, noteData })
  } finally {
    await close()
  }
}
