/** Turns an operation of the registry into a command: its arguments and options, and the input from their values. */
import { Argument, type Command, Option } from 'commander'
import type { Operation } from '../../operations/operation.ts'
import type { Property } from '../../operations/schema.ts'
import { defined, memberOf, type OptionRow } from '../../options/option-row.ts'
import { ENGINE_OPTIONS, type EngineFlags, METHOD } from './engine-options.ts'
import { optionOf, type RowFilter } from './option-of.ts'
import { addGlobalOptions, type GlobalOptions } from './options.ts'
import { commaList, wholeNumber } from './parsers.ts'
import { fileOfOptions, type TableOptions, tableRows } from './table-options.ts'

/** Values as commander parses them. */
export interface CommandOptions extends GlobalOptions, EngineFlags, Omit<TableOptions, 'summary'> {
  /** Input properties from the arguments before the typings. */
  readonly leading: Readonly<Record<string, unknown>>
  /** The command line. */
  readonly words: readonly string[]
  /** A flag for operations that count answers by kind, a text for tables. */
  readonly summary?: boolean | string
  readonly [property: string]: unknown
}

/** Declares only the options of wanted rows. */
export function declareOperation(command: Command, operation: Operation, isWanted: RowFilter): void {
  const describe = (name: string) => operation.input.properties[name]?.description ?? ''
  // optional when two files are allowed instead: the command itself reports what is missing
  const isOptional = operation.comparesTables === true || operation.matchesTables === true
  if (operation.matchesTables === true) {
    command.usage(
      `[options] <patient> <donor...> | [options] -i <file> | [options] --patients <file> --donors <file>`,
    )
    command.description(`${operation.summary}. ${OF_PERSONS}`)
  }
  if (operation.comparesTables === true) {
    command.usage(`[options] <from_release> <to_release> [${operation.subject}...] | [options] <file> <file>`)
    command.description(`${operation.summary}. ${OF_FILES}`)
  }
  for (const name of operation.leading ?? [])
    command.addArgument(new Argument(isOptional ? `[${name}]` : `<${name}>`, describe(name)))
  if (operation.subject !== undefined)
    command.addArgument(new Argument(`[${operation.subject}...]`, describe(operation.subject)))
  // several are refused with a way to count them
  if (operation.countsTables === true)
    command
      .usage('[options] [file]')
      .addArgument(
        new Argument(
          '[file...]',
          'table in any format, a folder, or a pattern in quotes; by default standard input',
        ),
      )
  const add = (rows: readonly OptionRow[]) => {
    for (const row of rows.filter(isWanted)) command.addOption(optionOf(row))
  }
  if (operation.tallyOf !== undefined) add([TALLY])
  if ('reduction_method' in operation.input.properties) add([METHOD])
  if ('options' in operation.input.properties) add(ENGINE_OPTIONS)
  for (const option of ownOptions(operation)) command.addOption(option)
  add(tableRows(operation))
  add(fileOfOptions(operation))
  addGlobalOptions(command, (property) => property in operation.input.properties, isWanted)
}

const TALLY = { name: 'summary', help: 'print the number of answers of each kind', isOfOneRun: true } as const

const OF_FILES =
  'For two files about the same persons, in any format: prints the loci at which their typings are the same by a method, may be the same, or differ.'

const OF_PERSONS =
  'For tables, in any format: a row for each pair, with verdict and counts at each locus; the sure matches of a patient first.'

/** Properties shared by many operations, whose options are defined elsewhere, and persons of a table. */
const SHARED = new Set(['reduction_method', 'options', 'from', 'lift', 'accept', 'gl_strings', 'by'])

/** `all_codes` becomes `--all-codes`; choices of a property in `choiceFlags` become options: `--expand`. */
function ownOptions(operation: Operation): Option[] {
  return ownProperties(operation).flatMap(([name, property]) => {
    if (!operation.choiceFlags?.includes(name)) return [makeOption(name, property)]
    const choices = property.enum ?? []
    return choices.map((choice) =>
      new Option(`--${choice}`, `${choice}, whatever the form of the input`).conflicts(
        choices.filter((other) => other !== choice),
      ),
    )
  })
}

/** Input from `options`, as commander parses them. */
export function ownInput(
  operation: Operation,
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const entries = ownProperties(operation).map(([name, property]) => {
    if (operation.choiceFlags?.includes(name))
      return [name, property.enum?.find((choice) => options[choice] === true)] as const
    const flag = flagName(name)
    const value = options[memberOf(flag)]
    // commander stores `--no-mac` as `mac`, true unless given; the property `no_mac` is the reverse
    return [name, flag.startsWith('no-') ? value === false || undefined : value] as const
  })
  return defined(Object.fromEntries(entries))
}

/** Placeholder of a property's value in help, also used by completion. */
const VALUES: ReadonlyMap<string, string> = new Map([['to', 'rel']])

function ownProperties({ input, subject, leading = [] }: Operation): [string, Property][] {
  return Object.entries(input.properties).filter(
    ([name]) => name !== subject && !leading.includes(name) && !SHARED.has(name),
  )
}

function makeOption(name: string, { type, description = '', enum: choices, items }: Property): Option {
  const flag = `--${flagName(name)}`
  const value = type === 'integer' ? 'n' : (VALUES.get(name) ?? 'value')
  const option = new Option(type === 'boolean' ? flag : `${flag} <${value}>`, description)
  if (type === 'integer') option.argParser(wholeNumber)
  if (type === 'array') option.argParser(commaList)
  // choices of list items, for help; the operation refuses other values
  if (items?.enum !== undefined) option.argChoices = [...items.enum]
  return choices === undefined ? option : option.choices(choices)
}

/** `all_codes` -> `all-codes` */
function flagName(property: string): string {
  return property.toLowerCase().replaceAll('_', '-')
}
