/** An option, described once: its flag, its member of a query, what it needs, its help. Everything that shows or reads options is made of such rows. */
import type { Advice } from '../advice-parts.ts'

/** How a text is read: each time a further item; columns of a table as one text; words with commas between, which may hold spaces; a list; a number. */
export type OptionReading = 'each' | 'columns' | 'words' | 'list' | 'number'

/** Commands that have the option. `typings`: those whose results are typings. `comparing`: diff, of two files too. */
export type OptionScope = 'reading' | 'results' | 'typings' | 'report' | 'run' | 'comparing'

export interface OptionRow {
  /** The long flag without its dashes: `input-format`. */
  readonly name: string
  /** `d` for `-d` */
  readonly short?: string
  /** `char`: it takes a value, called so in help; undefined: a flag. In brackets, the value may be left out. */
  readonly value?: string
  readonly reading?: OptionReading
  readonly choices?: readonly string[]
  /** One line: the manual, `-h`, the description of the query. */
  readonly help: Advice
  /** Fewer than fifty characters for `--help`, where `help` has more. */
  readonly brief?: string
  readonly scope: OptionScope
  readonly group: OptionGroup
  /** It may be a parameter of `POST /table`, of the same name with underscores; a list: with these choices alone. */
  readonly inQuery?: true | readonly string[]
  /** Options one of which must be given, too; else this one would do nothing. */
  readonly requires?: readonly Condition[]
  /** With one of these the option would do nothing, or the contrary. */
  readonly excludes?: readonly Condition[]
  /** It says something of files with typing records alone: refused where rows are read as they stand. */
  readonly needs?: 'records'
  /** It says something of a table alone: refused where a document is written back. */
  readonly ofTables?: true
  /** It says something of the table that is written: refused where another format is. */
  readonly ofWrittenTables?: true
  /** An older spelling of another option: read until 2.2.0, and not shown. */
  readonly old?: Spelling
  /** What an older spelling without a value sets. */
  readonly implies?: Readonly<Record<string, unknown>>
}

/** An option that is given; with `values`, as one of them. */
export interface Condition {
  readonly option: string
  readonly values?: readonly string[]
  /** In messages, in place of the values. */
  readonly form?: string
}

/** How an option is written now: `--long sample=ID`, `--token XY=absent`, `-d tab`. */
export interface Spelling {
  readonly option: string
  readonly before?: string
  readonly after?: string
  /** In place of the value of the older spelling. */
  readonly value?: string
}

/** Headings of the help, in their order. */
export const OPTION_GROUPS = {
  text: 'Tables, as text:',
  shape: 'Tables, what they hold:',
  columns: 'Tables, columns:',
  cells: 'Tables, cells:',
  output: 'Tables, output:',
  run: 'Tables, run and reports:',
} as const
export type OptionGroup = keyof typeof OPTION_GROUPS

/** The dozen that people need: what `-h` shows of a command with very many. */
export const COMMON_OPTIONS: readonly string[] = [
  'method', 'release', 'input', 'output', 'format', 'lift', 'accept', 'into', 'locus', 'columns', 'plan', 'help',
] // prettier-ignore

/** `header-row` -> `headerRow`; `no-header` is `header`, which is false when it was given. */
export function memberOf(name: string): string {
  return name.replace(/^no-/, '').replace(/-[a-z]/g, ([, letter = '']) => letter.toUpperCase())
}

/** `header-row` -> `header_row` */
export function queryName(name: string): string {
  return name.replace(/^no-/, '').replaceAll('-', '_')
}

type Camel<S extends string> = S extends `no-${infer Rest}`
  ? Camel<Rest>
  : S extends `${infer First}-${infer Rest}`
    ? `${First}${Capitalize<Camel<Rest>>}`
    : S

/** What is given for a row. */
type GivenFor<R> = R extends { readonly choices: readonly (infer C)[] }
  ? C
  : R extends { readonly reading: 'number' }
    ? number
    : R extends { readonly reading: 'each' | 'words' | 'list' }
      ? readonly string[]
      : R extends { readonly value: `[${string}` }
        ? string | true
        : R extends { readonly value: string }
          ? string
          : boolean

/** The options as an object: a member a row, where it was given. */
export type OptionsOf<Rows extends readonly OptionRow[]> = {
  readonly [
    R in Rows[number] as R extends { readonly implies: unknown } ? never : Camel<R['name']>
  ]?: GivenFor<R>
}
