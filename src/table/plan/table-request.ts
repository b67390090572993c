/** TableRequest: all options of a table, with defaults filled in. */
import type { SAMPLE_FROM } from '../../options/choices.ts'
import type { CONSENSUS, INTO, ON_ERROR, SECOND_BLANK } from '../../options/choices.ts'
import type { Leniency } from '../../engine/accept.ts'
import type { ColumnChoice } from './columns.ts'
import type { DialectHints } from '../input/dialect.ts'
import type { DigitReading } from '../cells/digits.ts'
import type { OutputFormatName } from './output-format-names.ts'
import type { TokenStatus } from '../cells/tokens.ts'

export interface ReadRequest {
  readonly dialect: DialectHints
  readonly layout: string | undefined
  /** Sheet of a workbook; undefined: the first with content. */
  readonly sheet?: string | undefined
  /** undefined: decided by content. */
  readonly header: boolean | undefined
  readonly choice: ColumnChoice
  readonly idColumn: string | undefined
  readonly digits: DigitReading | 'auto'
  /** Separator of the typings in a cell: `auto`, `none` or a character. */
  readonly cellSeparator: string
  readonly tokens: Partial<Record<TokenStatus, readonly string[] | undefined>>
  readonly accept: readonly Leniency[]
  readonly ragged: 'error' | 'pad'
  /** The table of which this one is a part; its first rows decide. */
  readonly planFrom?: string | undefined
  /** Options for a table with one row per typing, or for another file format. */
  readonly records?: RecordRequest | undefined
}

export interface WriteRequest {
  readonly into: (typeof INTO)[number]
  /** `{col}_{method}`; the method is the result's name when there are no methods. */
  readonly name: string
  /** Names of results, one column each: `lgx`, `valid`. */
  readonly results: readonly string[]
  /** Number of columns per answer; the first has the answer proper. */
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
  /** undefined: as the input table, one person per row. */
  readonly shape?: 'long' | undefined
  /** Which typing of several callers is written; undefined: that of each row. */
  readonly consensus?: (typeof CONSENSUS)[number] | undefined
  /** undefined: a table. */
  readonly format?: OutputFormatName | undefined
  /** Fields of the format from columns: `population=POP,sex=SEX`. */
  readonly personColumns?: string | undefined
  /** Fields of the format with one value for all persons: `project-name=LAB,date=2026-11-29`. */
  readonly set?: string | undefined
  /** Columns of the format's fields, named or found; set when the table is open. */
  readonly fieldColumns?: ReadonlyMap<string, number> | undefined
  /** Release of the written names: `3.58.0`; set when the table is open. */
  readonly release?: string | undefined
}

/** Roles of a long table's columns, and the form of a file. */
export interface RecordRequest {
  /** `auto`: by content; `table`: rows are converted as they are. */
  readonly format?: string | undefined
  readonly sample?: string | undefined
  readonly locus?: string | undefined
  /** One or two columns. */
  readonly alleles?: string | undefined
  /** Columns that belong to a typing. */
  readonly scores?: string | undefined
  /** Loci of the resulting table; undefined takes those of the first records. */
  readonly loci?: readonly string[] | undefined
  /** Source of the name of a file's only person. */
  readonly sampleFrom?: SampleFrom | undefined
  /** Files about one person make one row. */
  readonly isMerged?: boolean | undefined
  /** True when the typings of each caller have columns of their own in the row of the sample. */
  readonly isConsensus?: boolean | undefined
}

/** `column`: from the rows. */
export type SampleFrom = (typeof SAMPLE_FROM)[number]
