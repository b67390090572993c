/** RowWriter: what makes rows of the output out of rows and their answers. Types only. */
import type { HlaError } from '../../errors.ts'
import type { CellAnswer } from '../cells/answers.ts'
import type { TableRow } from '../input/read-table.ts'
import type { PlannedGroup } from '../plan/plan.ts'
import type { GlStyle, RowAnswers } from './gl-column.ts'

export interface ConvertedRow {
  readonly row: TableRow
  /** Empty for a row that could not be read. */
  readonly answers: RowAnswers
  /** `A_1 renamed-allele;A_2 excel-artifact` */
  readonly errors: readonly string[]
}

export interface RowWriter {
  /** Typings of a locus are joined to one text. */
  readonly isJoining?: boolean
  /** Typings of DRB3, DRB4 and DRB5 are joined to two, and so are those of DRB1. */
  readonly pairing?: GlStyle | undefined
  /** The byte order mark, or nothing: stands before everything, once. */
  readonly mark: string
  /** The line above the header, where that has two. */
  readonly upper: string
  readonly head: string
  readonly other: (row: TableRow) => string
  /** A line of the header, where a row says it again. */
  readonly again: (row: TableRow, line: string) => string
  readonly row: (converted: ConvertedRow) => string
  /** Why nothing can be written of a row; undefined: all rows can be. */
  readonly fault?: (row: TableRow) => HlaError | undefined
  /** The answers of a group with an error in place of each that cannot be written; undefined: all can be. */
  readonly held?: (group: PlannedGroup, answers: readonly CellAnswer[]) => readonly CellAnswer[]
}

/** `.csv`, `.csv.gz`, `.xlsx` -> `.csv`, `.xml.gz` -> `.tsv.gz` */
export function tableSuffix(suffix: string): string {
  if (/^\.xls[xm]$/i.test(suffix)) return '.csv'
  return suffix.replace(DOCUMENTS, '.tsv')
}

const DOCUMENTS = /^\.(?:xml|hml|json)(?=$|\.)/i
