/** Persons of one of two compared files, and statements about their loci; each distinct cell is read once. */
import { advice, option } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import type { RowCell } from '../plan/plan.ts'
import type { Failure } from '../output/failure-report.ts'
import { rememberCells, type TypedFile, type TypedRow } from '../run/read-rows.ts'
import {
  type CellPart,
  type LocusSlots,
  type Statements,
  faultStatement,
  makeSlots,
  newStatements,
  readCellParts,
} from '../answers/statements.ts'

export interface ComparedFile extends TypedFile {
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
  /** Persons with an id, in file order; what cannot be read is reported. */
  readonly read: (rows: readonly TypedRow[]) => PersonRow[]
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
export function sideReader({ file: { name, table }, loci, failed }: SideRequest): SideReader {
  const { plan } = table
  if (plan.idColumn === undefined) throw withoutId(name)
  const cells = newKnownCells(loci)
  const subjects = [...new Set(plan.groups.map(({ subject }) => subject))]
  let broken = 0
  return {
    read: (rows) =>
      rows.flatMap((row) => {
        const { id, number, line, cells: all } = row
        const error = row.error ?? (id === '' ? nameless() : undefined)
        if (error !== undefined) {
          row.fail(error)
          broken += 1
          return []
        }
        return subjects.map((subject) => {
          const own = subjects.length === 1 ? all : all.filter(({ group }) => group.subject === subject)
          const person = subject === '' ? id : `${id} ${subject}`
          return { id: person, row: number, line, loci: readLoci(own, row, cells) }
        })
      }),
    statements: cells.statements,
    forget: cells.forget,
    broken: () => broken,
    fail(fault) {
      const group =
        plan.groups.find(({ locus }) => locus === fault.locus) ??
        plan.groups.find(({ locus }) => locus === undefined)
      // the exact column is not stored
      const column = group?.columns.map((at) => plan.header.labels[at]).join(' ') ?? ''
      failed({ ...fault, column, file: name })
    },
  }
}

function readLoci(own: readonly RowCell[], { fail }: TypedRow, cells: KnownCells) {
  const ids = new Map<string, number[]>()
  for (const cell of own) {
    if (cell.value === '') continue
    for (const { locus, id, error } of cells.read(cell)) {
      const known = ids.get(locus)
      if (known === undefined) ids.set(locus, [id])
      else known.push(id)
      if (error !== undefined) fail(error, { ...cell, locus })
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

interface KnownPart {
  readonly locus: string
  /** ID of its statement. */
  readonly id: number
  /** Reason why it cannot be compared. */
  readonly error: HlaError | undefined
}

interface KnownCells {
  readonly read: (cell: RowCell) => readonly KnownPart[]
  readonly statements: () => Statements
  /** Drops all cells; statements get new numbers. */
  readonly forget: () => void
}

/** Key of statements whose locus is unknown. */
export const NO_LOCUS = ''
/** Maximum number of loci distinguished; a release has some fifty. */
const MAX_LOCI = 200

/** `asked`: loci to compare; undefined for all. */
function newKnownCells(asked: ReadonlySet<string> | undefined): KnownCells {
  const loci = new Set<string>([NO_LOCUS])
  let statements = newStatements()
  const keyOf = (locus: string) => {
    if (loci.size < MAX_LOCI) loci.add(locus)
    return loci.has(locus) ? locus : NO_LOCUS
  }
  const partsOf = (parts: readonly CellPart[]): readonly KnownPart[] =>
    parts
      .map(({ locus, statement }) => ({ locus: keyOf(locus), statement }))
      .filter(({ locus }) => asked === undefined || locus === NO_LOCUS || asked.has(locus))
      .map(({ locus, statement }) => ({
        locus,
        id: statements.add(statement),
        error: statement.kind === 'fault' ? statement.error : undefined,
      }))
  const known = rememberCells(({ value, group }) => partsOf(readCellParts(value, group)))
  return {
    read(cell) {
      const { value, group, error } = cell
      if (error !== undefined)
        return partsOf([{ locus: group.locus ?? '', statement: faultStatement(value, error) }])
      return known.of(cell)
    },
    statements: () => statements,
    forget() {
      statements = newStatements()
      known.forget()
    },
  }
}
