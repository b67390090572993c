/**
 * OptionRow: a single description of an option, from which flags, query parameters, checks and help are generated.
 */
import type { Advice } from '../advice.ts'

/**
 * Parsing of a value: `each` occurrence an item; `columns` one text; `words` separated by commas, possibly with
 * spaces; `list`; `number`.
 */
export type OptionReading = 'each' | 'columns' | 'words' | 'list' | 'number'

/** Parser of a value; `before` is that of an earlier occurrence. Throws for a text that is not one. */
export type OptionParser = (text: string, before?: never) => unknown

/** Commands with the option. `typings`: those whose results are typings. */
export type OptionScope = 'reading' | 'results' | 'typings' | 'report' | 'run'

export interface OptionRow {
  /** Long flag without dashes: `input-format`. */
  readonly name: string
  /** Short flag: `d` for `-d`. */
  readonly short?: string
  /** Placeholder of the value in help: `char`; undefined for a flag. In brackets the value is optional. */
  readonly value?: string
  readonly reading?: OptionReading | OptionParser
  readonly choices?: readonly string[]
  /** Description in one line, for the manual, `-h` and the query. */
  readonly help: Advice
  /** Short description for `--help`, under fifty characters, when `help` is longer. */
  readonly brief?: string
  readonly scope?: OptionScope
  readonly group?: OptionGroup
  /** Names of the option in other programs, which a message about them suggests. */
  readonly synonyms?: readonly string[]
  /** Environment variable that sets the option. */
  readonly env?: string
  readonly default?: unknown
  /** Default in help, where it is not the value itself: `30s`. */
  readonly defaultText?: string
  /** Must be given. */
  readonly isRequired?: true
  /** Not in help. */
  readonly hidden?: true
  /** One of the options that `-h` shows for a command with many. */
  readonly isCommon?: true
  /** Belongs to a single run, so no settings file has it. */
  readonly isOfOneRun?: true
  /** Property of an operation that the option fills; operations without it lack the option. */
  readonly property?: string
  /** Allowed as a parameter of `POST /table`, with underscores in the name; a list restricts its choices. */
  readonly inQuery?: true | readonly string[]
  /** Member of a request, after that of its object: `options.limit`. */
  readonly inRequest?: string
  /** Name on the service's page; its value follows a colon. */
  readonly onPage?: string
  /** Options of which one must be given, since this one would otherwise have no effect. */
  readonly requires?: readonly Condition[]
  /** Options with which this one has no effect or conflicts. */
  readonly excludes?: readonly Condition[]
  /** Applies only to tables: refused for lines of typings. */
  readonly ofTables?: true
  /** Applies only to written tables: refused for other output formats. */
  readonly ofWrittenTables?: true
}

/** Condition that an option is given, with one of `values` if present. */
export interface Condition {
  readonly option: string
  readonly values?: readonly string[]
  /** Text for messages in place of several values. */
  readonly form?: string
}

/** Headings of the help, in order. */
export const OPTION_GROUPS = {
  text: 'Tables, as text:',
  shape: 'Tables, what they hold:',
  columns: 'Tables, columns:',
  cells: 'Tables, cells:',
  output: 'Tables, output:',
  run: 'Tables, run and reports:',
} as const
export type OptionGroup = keyof typeof OPTION_GROUPS

/** Row of a table option. */
export type TableRow = OptionRow & Required<Pick<OptionRow, 'scope' | 'group'>>

/** Member name: `header-row` -> `headerRow`; `no-header` -> `header`, which is false when given. */
export function memberOf(name: string): string {
  return name.replace(/^no-/, '').replace(/-[a-z]/g, ([, letter = '']) => letter.toUpperCase())
}

/** Query parameter: `header-row` -> `header_row`. */
export function queryName(name: string): string {
  return name.replace(/^no-/, '').replaceAll('-', '_')
}

/** Drops undefined members, so that the reader's defaults apply. */
export function defined(given: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

type Camel<S extends string> = S extends `no-${infer Rest}`
  ? Camel<Rest>
  : S extends `${infer First}-${infer Rest}`
    ? `${First}${Capitalize<Camel<Rest>>}`
    : S

/** Type of a row's value. */
type GivenFor<R> = R extends { readonly choices: readonly (infer C)[] }
  ? C
  : R extends { readonly reading: (...given: never[]) => infer V }
    ? V extends readonly (infer E)[]
      ? readonly E[]
      : V
    : R extends { readonly reading: 'number' }
      ? number
      : R extends { readonly reading: 'each' | 'words' | 'list' }
        ? readonly string[]
        : R extends { readonly value: `[${string}` }
          ? string | true
          : R extends { readonly value: string }
            ? string
            : boolean

/** Rows whose options always have a value. */
type Present = { readonly default: unknown } | { readonly isRequired: true }

/** Options as an object, with a member for each row that was given or has a default. */
export type OptionsOf<Rows extends readonly OptionRow[]> = {
  readonly [R in Rows[number] as R extends Present ? never : Camel<R['name']>]?: GivenFor<R>
} & {
  readonly [R in Rows[number] as R extends Present ? Camel<R['name']> : never]: GivenFor<R>
}
