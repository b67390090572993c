/** An operation of the registry -> a command: its arguments and options, and what was given for them. */
import { Argument, type Command, Option } from 'commander'
import type { Operation } from '../../../operations/operation.ts'
import type { Property } from '../../../operations/schema.ts'
import { type EngineFlags, engineOptions, methodOption } from '../engine-options.ts'
import { addGlobalOptions, commaList, type GlobalOptions, wholeNumber } from '../options.ts'
import { type TableOptions, tableOptions } from '../table-options.ts'

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

export function declareOperation(command: Command, operation: Operation): void {
  const describe = (name: string) => operation.input.properties[name]?.description ?? ''
  // where two files may stand instead, the command itself says what is missing
  const isOptional = operation.comparesTables === true
  if (isOptional) {
    command.usage(`[options] <from_release> <to_release> [${operation.subject}...] | [options] <file> <file>`)
    command.description(`${operation.summary}. ${OF_FILES}`)
  }
  for (const name of operation.leading ?? [])
    command.addArgument(new Argument(isOptional ? `[${name}]` : `<${name}>`, describe(name)))
  if (operation.subject !== undefined) {
    command.addArgument(new Argument(`[${operation.subject}...]`, describe(operation.subject)))
  }
  if (operation.tallyOf !== undefined) command.option('--summary', 'print the number of answers of each kind')
  if ('reduction_method' in operation.input.properties) command.addOption(methodOption())
  if ('options' in operation.input.properties) for (const option of engineOptions()) command.addOption(option)
  for (const option of ownOptions(operation)) command.addOption(option)
  for (const option of tableOptions(operation)) command.addOption(option)
  addGlobalOptions(command, (property) => property in operation.input.properties)
}

const OF_FILES =
  'Of two files of the same persons, in any format: at which loci their typings are the same by a method, may be, or are not.'

/** Properties that many operations have; their options are defined with those commands. */
const SHARED = new Set(['reduction_method', 'options', 'from', 'lift', 'accept'])

/** `all_codes` is `--all-codes`; the choices of a property in `choiceFlags` are options themselves: `--expand`. */
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

/** `options` as commander gives them. */
export function ownInput(
  operation: Operation,
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const given = ownProperties(operation).map(([name, property]) => {
    if (operation.choiceFlags?.includes(name))
      return [name, property.enum?.find((choice) => options[choice] === true)] as const
    return [name, readOption(makeOption(name, property), options)] as const
  })
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

/** What kind of text it is, for help and completion. */
const VALUES: ReadonlyMap<string, string> = new Map([['to', 'rel']])

function ownProperties({ input, subject, leading = [] }: Operation): [string, Property][] {
  return Object.entries(input.properties).filter(
    ([name]) => name !== subject && !leading.includes(name) && !SHARED.has(name),
  )
}

function makeOption(name: string, { type, description = '', enum: choices, items }: Property): Option {
  const flag = `--${name.toLowerCase().replaceAll('_', '-')}`
  const value = type === 'integer' ? 'n' : (VALUES.get(name) ?? 'value')
  const option = new Option(type === 'boolean' ? flag : `${flag} <${value}>`, description)
  if (type === 'integer') option.argParser(wholeNumber)
  if (type === 'array') option.argParser(commaList)
  // of each in the list; what is not a choice, the operation refuses
  if (items?.enum !== undefined) option.argChoices = [...items.enum]
  return choices === undefined ? option : option.choices(choices)
}

/** commander has `--no-mac` as `mac`, which is true unless it was given; the property `no_mac` is the reverse. */
function readOption(option: Option, options: Readonly<Record<string, unknown>>): unknown {
  const value = options[option.attributeName()]
  if (!option.negate) return value
  return value === false ? true : undefined
}
