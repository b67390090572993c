/** RowWriter: turns rows and their answers into output. Types only. */
import type { HlaError } from '../../errors.ts'
import type { CellAnswer } from '../answers/answers.ts'
import type { TableRow } from '../input/read-table.ts'
import type { PlannedGroup } from '../plan/plan.ts'
import type { ConsensusCounts } from './consensus/consensus.ts'
import type { GlStyle, RowAnswers } from './gl-column.ts'

export interface ConvertedRow {
  readonly row: TableRow
  /** Empty for an unreadable row. */
  readonly answers: RowAnswers
  /** One text per failed cell, `A_1 renamed-allele`; for a row that cannot be read, its error code. */
  readonly errors: readonly string[]
}

export interface RowWriter {
  /** True when typings of a locus are joined to one text. */
  readonly isJoining?: boolean
  /** Set when typings of DRB3, DRB4 and DRB5 are joined to a pair, and those of DRB1 too. */
  readonly pairing?: GlStyle | undefined
  /** Byte order mark, or empty; precedes everything, once. */
  readonly mark: string
  /** Upper line of a two-line header. */
  readonly upper: string
  readonly head: string
  readonly other: (row: TableRow) => string
  /** Text of a repeated header line. */
  readonly again: (row: TableRow, line: string) => string
  readonly row: (converted: ConvertedRow) => string
  /** Agreement of callers so far; absent for other outputs. */
  readonly consensus?: ConsensusCounts
  /** Reason why a row cannot be written; undefined when it can. Absent when all rows can. */
  readonly fault?: (row: TableRow) => HlaError | undefined
  /** Reason why a person cannot be written, whose typings can each. Absent when all can. */
  readonly leftOut?: (converted: ConvertedRow) => HlaError | undefined
  /** Answers of a group with an error for each that cannot be written. Absent when all can. */
  readonly held?: (group: PlannedGroup, answers: readonly CellAnswer[]) => readonly CellAnswer[]
}

/** `.csv`, `.csv.gz`, `.xlsx` -> `.csv`, `.xml.gz` -> `.tsv.gz` */
export function tableSuffix(suffix: string): string {
  if (/^\.xls[xm]$/i.test(suffix)) return '.csv'
  return suffix.replace(DOCUMENTS, '.tsv')
}

const DOCUMENTS = /^\.(?:xml|hml|json)(?=$|\.)/i
