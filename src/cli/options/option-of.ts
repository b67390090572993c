/** Makes commander's options from rows of the option tables. */
import { Option } from 'commander'
import { messageText } from '../../operations/faces.ts'
import { memberOf, OPTION_GROUPS, type OptionReading, type OptionRow } from '../../options/option-row.ts'
import { collect, columnList, commaList, wholeNumber, wordList } from './parsers.ts'

class RowOption extends Option {
  readonly row: OptionRow

  constructor(row: OptionRow) {
    const { name, short, value, help } = row
    const flags = `${short === undefined ? '' : `-${short}, `}--${name}`
    const placeholder = value === undefined ? '' : value.startsWith('[') ? ` ${value}` : ` <${value}>`
    super(flags + placeholder, messageText(help, 'command-line'))
    this.row = row
  }
}

export type RowFilter = (row: OptionRow) => boolean

/**
 * Rows that a command line can mean, or that have a value without it. commander compares each option that it is given
 * with all others, which takes longer than an answer.
 */
export function rowsMeantBy(words: readonly string[]): RowFilter {
  const flags = words.filter((word) => word.startsWith('-'))
  return ({ name, short, env, isRequired, ...row }) =>
    'default' in row ||
    isRequired === true ||
    (env !== undefined && env in process.env) ||
    flags.some((word) =>
      word.startsWith('--')
        ? word.replace(/=.*/s, '') === `--${name}`
        : short !== undefined && word.includes(short),
    )
}

/** Row of an option; only name and help for options that commander or the schema of an operation declares. */
export function rowOf(option: Option): OptionRow {
  return option instanceof RowOption ? option.row : { name: option.name(), help: option.description }
}

const PARSERS: Readonly<Record<OptionReading, (text: string, before?: never) => unknown>> = {
  each: collect,
  columns: columnList,
  words: wordList,
  list: commaList,
  number: wholeNumber,
}

export function optionOf(row: OptionRow): Option {
  const { reading, choices, group, excludes = [], env, hidden, isRequired = false } = row
  const option = new RowOption(row)
  if (reading !== undefined)
    option.argParser((typeof reading === 'function' ? reading : PARSERS[reading]) as Parser)
  if (choices !== undefined) option.choices(choices)
  if ('default' in row) option.default(row.default, row.defaultText)
  if (env !== undefined) option.env(env)
  option.makeOptionMandatory(isRequired)
  const against = excludes.filter(({ values }) => values === undefined)
  if (against.length > 0) option.conflicts(against.map(({ option: other }) => memberOf(other)))
  if (hidden === true) option.hideHelp()
  return group === undefined ? option : option.helpGroup(OPTION_GROUPS[group])
}

/** commander passes the value that it has before: the type of each parser. */
type Parser = (text: string, before: unknown) => unknown
