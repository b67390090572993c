/** An operation of the registry -> a command: its options, its inputs, its run. */
import { Argument, type Command } from 'commander'
import { LENIENT, readLeniencies } from '../../engine/accept.ts'
import { CONTRACT_METHODS, DEFAULT_METHOD, parseMethod } from '../../engine/reduce/methods.ts'
import { HlaError } from '../../errors.ts'
import { convertsCells, type Operation } from '../../operations/operation.ts'
import type { TableCommand } from '../table/table-command.ts'
import { EXIT } from '../exit-status.ts'
import { type Door, isStored, openDoor } from '../io/door.ts'
import { intoSink } from '../io/sink.ts'
import { writeAll } from '../io/stdout.ts'
import { isTerminal } from '../io/terminal.ts'
import { openExecutor } from '../open-executor.ts'
import { addGlobalOptions, defined, formatOf, type GlobalOptions } from '../options.ts'
import { formatterOf } from '../records.ts'
import { commandBehind } from '../pyard-words.ts'
import { type Question, runOnce, runOperation, type Typings } from '../run-operation.ts'
import { FROM_FILE, FROM_PROFILE } from '../settings.ts'
import { shellWords } from '../shell-words.ts'
import { openTalk, type Talk } from '../talk.ts'
import { asksForTable, type TableOptions, tableOptions } from './table-options.ts'
import { refuseClashingFiles } from './files-asked.ts'
import { ownInput, ownOptions } from './own-options.ts'
import { type EngineFlags, engineInput, engineOptions, methodOption } from './engine-options.ts'

/** As commander gives them. */
export interface CommandOptions extends GlobalOptions, EngineFlags, Omit<TableOptions, 'summary'> {
  /** What the arguments before the typings filled in. */
  readonly leading: Readonly<Record<string, unknown>>
  /** The command line. */
  readonly words: readonly string[]
  /** A flag where answers are counted by kind, a text for tables. */
  readonly summary?: boolean | string
  readonly [property: string]: unknown
}

/** Adds arguments and options; the action returns the exit status through `done`. */
export function defineOperationCommand(
  command: Command,
  operation: Operation,
  { words, done }: { readonly words: readonly string[]; readonly done: (status: number) => void },
): void {
  const describe = (name: string) => operation.input.properties[name]?.description ?? ''
  for (const name of operation.leading ?? []) command.addArgument(new Argument(`<${name}>`, describe(name)))
  if (operation.subject !== undefined) {
    command.addArgument(new Argument(`[${operation.subject}...]`, describe(operation.subject)))
  }
  if (operation.tallyOf !== undefined) command.option('--summary', 'print the number of answers of each kind')
  if ('reduction_method' in operation.input.properties) command.addOption(methodOption())
  if ('options' in operation.input.properties) for (const option of engineOptions()) command.addOption(option)
  for (const option of ownOptions(operation)) command.addOption(option)
  for (const option of tableOptions(operation)) command.addOption(option)
  addGlobalOptions(command, (property) => property in operation.input.properties)
  command.action(async (...given: unknown[]) => {
    // commander calls with the arguments as defined, the variadic ones as a list, then the options and the command
    const names = operation.leading ?? []
    const leading = Object.fromEntries(names.map((name, at) => [name, given[at]]))
    const typings = operation.subject === undefined ? [] : (given[names.length] as string[])
    done(await perform(command, operation, typings, { ...command.opts<CommandOptions>(), leading, words }))
  })
}

async function perform(
  command: Command,
  operation: Operation,
  given: readonly string[],
  options: CommandOptions,
): Promise<number> {
  const talk = await openTalk({
    quiet: options.quiet ?? false,
    verbose: options.verbose,
    color: options.color,
  })
  const questions = questionsOf(operation, options)
  refuseClashingFiles(options)
  const door = openDoor(options)
  try {
    const asked = { operation, given, options, questions, talk, door }
    const titles = await titlesOf(door, options.input)
    const said = saidOptions(command, given)
    if (asksForTable(operation, said, titles)) {
      if (!asksForTable(operation, { ...said, plan: undefined }, titles)) notePlanAlone(talk)
      return await runAsTable(asked, options.words)
    }
    return await runAsLines(command, asked)
  } finally {
    await door.close()
  }
}

/** What is planned would not be done by the same command line without `--plan`. */
function notePlanAlone(talk: Talk): void {
  const message =
    'without --plan this command line reads one typing a line: -d auto reads the table as planned'
  talk.note({ level: 'note', code: 'plan', message })
}

/** What a file of a store is, its title says: an id does not. */
async function titlesOf(door: Door, files: readonly string[] = []): Promise<string[]> {
  const titles: string[] = []
  for (const file of files) titles.push(isStored(file) ? (await door.source(file)).title : file)
  return titles
}

interface Asked {
  readonly operation: Operation
  readonly given: readonly string[]
  readonly options: CommandOptions
  readonly questions: readonly Question[]
  readonly talk: Talk
  readonly door: Door
}

async function runAsLines(command: Command, asked: Asked): Promise<number> {
  const { operation, given, options, questions, talk, door } = asked
  const format = formatOf(options)
  const typings = operation.subject === undefined ? undefined : typingsOf(given, options)
  if (operation.subject !== undefined && typings === undefined) return showHelp(command)
  const isSingle = typings === undefined || ('arguments' in typings && given.length * questions.length === 1)
  const layout = {
    format,
    withInput: options.withInput ?? false,
    withMethod: 'reduction_method' in operation.input.properties,
    columns: operation.table?.columns,
    isList: !isSingle,
  }
  const { executor, checkReading, close } = await openExecutor(options, talk)
  try {
    await checkReading(operation, questions[0]?.input ?? {})
    const formatter = await formatterOf(layout)
    const summary = options.summary === true
    return await intoSink(await door.sink(options.output), (sink) => {
      const run = { operation, executor, questions, formatter, door, sink, talk, summary }
      return typings === undefined ? runOnce(run) : runOperation(run, typings)
    })
  } finally {
    await close()
  }
}

async function runAsTable(
  asked: Omit<TableCommand<Operation>, 'answering' | 'noteData'>,
  words: readonly string[],
): Promise<number> {
  const { operation, options, questions, talk } = asked
  const { openAnswering } = await import('../table/open-answering.ts')
  const { answering, noteData, close } = await openAnswering(options, talk, {
    operation,
    input: questions[0]?.input ?? {},
  })
  const command = { ...asked, answering, noteData }
  try {
    if (!convertsCells(operation)) {
      const { compareTable } = await import('../table/compare-table.ts')
      return await compareTable(command)
    }
    const { runTableCommand } = await import('../table/table-command.ts')
    const status = await runTableCommand({ ...command, operation })
    if (options.plan && options.pyardConfig !== undefined)
      writeAll(1, `command    ${shellWords(['hla', ...commandBehind(words)])}\n`)
    return status
  } finally {
    await close()
  }
}

/** undefined: nothing was given, and nobody pipes anything in. */
function typingsOf(given: readonly string[], { input }: CommandOptions): Typings | undefined {
  if (given.length > 0 && input !== undefined)
    throw new HlaError('usage', 'typings are given as arguments or with -i, not both')
  if (given.length > 0) return { arguments: given }
  if (input !== undefined) return { files: input }
  return isTerminal(0) ? undefined : { files: ['-'] }
}

/** Settings of a file say how tables are read when there is one; those of a profile that was asked for say that there is. */
function saidOptions(command: Command, given: readonly string[]): Record<string, unknown> {
  const unsaid = given.length === 0 ? [FROM_FILE] : [FROM_FILE, FROM_PROFILE]
  const names = Object.entries(command.opts<Record<string, unknown>>())
  return Object.fromEntries(
    names.filter(([name]) => !unsaid.includes(command.getOptionValueSource(name) ?? '')),
  )
}

function showHelp(command: Command): number {
  command.outputHelp({ error: true })
  return EXIT.usage
}

/** One question a method; `all` is every method of the contract. */
export function questionsOf(operation: Operation, options: CommandOptions): Question[] {
  const input = {
    ...engineInput(operation, options),
    ...readingInput(operation, options),
    ...options.leading,
    ...ownInput(operation, options),
  }
  if (!('reduction_method' in operation.input.properties)) return [{ method: undefined, input }]
  const names = options.method ?? [DEFAULT_METHOD]
  const methods = names.flatMap((name) => (name === 'all' ? CONTRACT_METHODS : [parseMethod(name)]))
  return [...new Set(methods)].map((method) => ({ method, input: { ...input, reduction_method: method } }))
}

function readingInput(
  operation: Operation,
  { from, lift, accept, lenient }: CommandOptions,
): Record<string, unknown> {
  const { properties } = operation.input
  const leniencies = [...(accept ?? []), ...(lenient ? LENIENT : [])]
  const given = { from, lift, accept: leniencies.length === 0 ? undefined : readLeniencies(leniencies) }
  return defined(Object.fromEntries(Object.entries(given).filter(([name]) => name in properties)))
}
