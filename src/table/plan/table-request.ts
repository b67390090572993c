/** TableRequest: everything that was asked about a table, with defaults filled in. */
import type { INTO, ON_ERROR, SECOND_BLANK } from '../../options/choices.ts'
import type { Leniency } from '../../engine/accept.ts'
import type { ColumnChoice } from './columns.ts'
import type { DialectHints } from '../input/dialect.ts'
import type { DigitReading } from '../cells/digits.ts'
import type { OutputFormatName } from './output-format-names.ts'
import type { TokenStatus } from '../cells/tokens.ts'
import type { RecordRequest } from '../input/records/typing-record.ts'

export interface ReadRequest {
  readonly dialect: DialectHints
  readonly layout: string | undefined
  /** Of a workbook; undefined: the first with something in it. */
  readonly sheet?: string | undefined
  /** undefined: decided by content. */
  readonly header: boolean | undefined
  readonly choice: ColumnChoice
  readonly idColumn: string | undefined
  readonly digits: DigitReading | 'auto'
  /** What stands between the typings of a cell: `auto`, `none` or a character. */
  readonly cellSeparator: string
  readonly tokens: Partial<Record<TokenStatus, readonly string[] | undefined>>
  readonly accept: readonly Leniency[]
  readonly ragged: 'error' | 'pad'
  /** The table that this one is a part of, whose first rows decide. */
  readonly planFrom?: string | undefined
  /** What is said of a table that holds a row a typing, or of another form of file. */
  readonly records?: RecordRequest | undefined
}

export interface WriteRequest {
  readonly into: (typeof INTO)[number]
  /** `{col}_{method}`; the method is the name of the result where there are no methods. */
  readonly name: string
  /** Names of what a cell becomes, each a column: `lgx`, `valid`. */
  readonly results: readonly string[]
  /** How many of them one answer fills; the first is the answer proper. */
  readonly width: number
  readonly glOut: string | undefined
  readonly glsc: boolean
  readonly drbx: string | undefined
  readonly secondBlank: (typeof SECOND_BLANK)[number]
  readonly dropSource: boolean
  readonly locusPrefix: 'full' | 'bare'
  readonly onError: (typeof ON_ERROR)[number]
  readonly delimiter: string | undefined
  readonly eol: 'keep' | 'lf' | 'crlf'
  readonly bom: 'keep' | 'add' | 'drop'
  /** undefined: as the table that is converted, a row a person. */
  readonly shape?: 'long' | undefined
  /** undefined: a table. */
  readonly format?: OutputFormatName | undefined
  /** Of a document that is written back, as `--into` said; undefined: as is usual for it. */
  readonly place?: (typeof INTO)[number] | undefined
  /** What columns say of the person: `population=POP,sex=SEX`. */
  readonly personColumns?: string | undefined
}
