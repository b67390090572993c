/** Reads the rows of one of two compared files: persons, and statements about their loci. */
import { advice, option } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import { readable } from '../input/encoding.ts'
import type { TableRow } from '../input/read-table.ts'
import { type Failure, inRecords } from '../output/failure-report.ts'
import type { OpenTable } from '../plan/open-table.ts'
import { isBodyRow, type RowCell, readCells } from '../plan/plan.ts'
import { conversionError } from '../plan/row-error.ts'
import { placeFailures } from '../run/table-failures.ts'
import { type KnownCells, newKnownCells, readCellParts } from './known-cells.ts'
import { type LocusSlots, type Statements, makeSlots } from '../answers/statements.ts'

export interface ComparedFile {
  readonly name: string
  readonly table: OpenTable
  readonly ragged: 'error' | 'pad'
  /** Person of a file that names none: its own file name. */
  readonly personName: string
}

export interface PersonRow {
  readonly id: string
  /** 1-based, without the header. */
  readonly row: number
  /** Line in the file. */
  readonly line: number
  readonly loci: ReadonlyMap<string, LocusSlots>
}

export interface SideReader {
  /** Persons with an id, in file order. */
  readonly read: (rows: readonly TableRow[]) => PersonRow[]
  /** Reads cells to find the facts that reading needs, and records nothing. */
  readonly peek: (rows: readonly TableRow[]) => void
  readonly statements: () => Statements
  /** Drops all statements, which get new numbers. */
  readonly forget: () => void
  /** Number of rows that could not be read, or have no id. */
  readonly broken: () => number
  /** Reports a typing that could be read but not reduced. */
  readonly fail: (fault: TypingFault) => void
}

type TypingFault = Pick<Failure, 'id' | 'row' | 'line' | 'locus' | 'value' | 'error'>

export interface SideRequest {
  readonly file: ComparedFile
  /** undefined for all loci. */
  readonly loci: ReadonlySet<string> | undefined
  readonly failed: (failure: Failure) => void
}

/** @throws {HlaError} usage — no column names the persons */
export function sideReader({ file, loci, failed }: SideRequest): SideReader {
  const { plan, dialect } = file.table
  const idColumn = plan.idColumn
  if (idColumn === undefined) throw withoutId(file.name)
  const placed = placeFailures(file.table)
  const cells = newKnownCells(loci)
  const fail: Side['fail'] = (failure, row, column) => {
    const { file: part = file.name, ...rest } = placed(inRecords(failure, row, column))
    failed({ ...rest, file: part })
  }
  const subjects = [...new Set(plan.groups.map(({ subject }) => subject))]
  const side: Side = { file, idColumn, subjects, cells, fail, placed }
  const own = (rows: readonly TableRow[]) => rows.filter((row) => isBodyRow(row, plan))
  let [count, broken] = [0, 0]
  return {
    read(rows) {
      const persons = own(rows).flatMap((row) => {
        count += 1
        const found = readRow(row, count, side)
        if (found === undefined) broken += 1
        return found ?? []
      })
      return persons
    },
    peek(rows) {
      for (const row of own(rows))
        for (const { value, group, error } of readCells(row, { plan, dialect }))
          if (error === undefined) readCellParts(value, group)
    },
    statements: cells.statements,
    forget: cells.forget,
    broken: () => broken,
    fail(fault) {
      const group =
        plan.groups.find(({ locus }) => locus === fault.locus) ??
        plan.groups.find(({ locus }) => locus === undefined)
      // the exact column is not stored
      const column = group?.columns.map((at) => plan.header.labels[at]).join(' ') ?? ''
      failed({ ...fault, column, file: file.name })
    },
  }
}

interface Side {
  readonly file: ComparedFile
  readonly idColumn: number
  readonly subjects: readonly string[]
  readonly cells: KnownCells
  readonly fail: (failure: Failure, row: TableRow, column?: number) => void
  readonly placed: (failure: Failure) => Failure
}

type Place = Pick<Failure, 'row' | 'line' | 'id'>

/** One person, or each subject of the row; undefined for an unreadable row, which is reported. */
function readRow(row: TableRow, count: number, side: Side): PersonRow[] | undefined {
  const { file, idColumn, fail, placed } = side
  const { plan, dialect, input } = file.table
  const id = readable(row.values[idColumn] ?? '', dialect.encoding).trim()
  const place = { row: count, line: row.line, id }
  const error =
    conversionError(row, { plan, dialect, ragged: file.ragged }) ?? (id === '' ? nameless() : undefined)
  if (error !== undefined) {
    fail({ ...place, column: '', locus: '', value: '', error }, row)
    return undefined
  }
  const line = input.workbook !== undefined ? placed({ ...place, ...WHOLE_ROW }).line : row.line
  const all = readCells(row, { plan, dialect })
  const isOne = side.subjects.length === 1
  return side.subjects.map((subject) => {
    const own = isOne ? all : all.filter(({ group }) => group.subject === subject)
    const loci = readLoci(own, place, side, row)
    return { id: subject === '' ? id : `${id} ${subject}`, row: count, line, loci }
  })
}

const WHOLE_ROW = { column: '', locus: '', value: '', error: new HlaError('io', '') }

function readLoci(
  own: readonly RowCell[],
  place: Place,
  { cells, fail, file }: Side,
  row: TableRow,
): ReadonlyMap<string, LocusSlots> {
  const ids = new Map<string, number[]>()
  for (const { value, column, group, error: unread } of own) {
    if (value === '') continue
    for (const { locus, id, error } of cells.read(value, group, unread)) {
      const known = ids.get(locus)
      if (known === undefined) ids.set(locus, [id])
      else known.push(id)
      const label = file.table.plan.header.labels[column] ?? ''
      if (error !== undefined) fail({ ...place, column: label, locus, value, error }, row, column)
    }
  }
  const statements = cells.statements()
  const loci = new Map<string, LocusSlots>()
  for (const [locus, all] of ids) loci.set(locus, makeSlots(all, statements))
  return loci
}

function nameless(): HlaError {
  return new HlaError('io', 'the row names no person')
}

function withoutId(name: string): HlaError {
  return new HlaError('usage', `${name} has no column that names persons: they cannot be matched`, {
    hint: advice`${option('id-column')} names it, and with a comma that of the second file`,
  })
}
