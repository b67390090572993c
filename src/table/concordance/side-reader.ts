/** Persons of one of two compared files, and statements about their loci; each distinct cell is read once. */
import type { HlaError } from '../../errors.ts'
import type { RowCell } from '../plan/plan.ts'
import type { Failure } from '../output/failure-report.ts'
import {
  personError,
  rememberCells,
  requireIdColumn,
  type TypedFile,
  type TypedRow,
} from '../run/read-rows.ts'
import {
  type CellPart,
  type LocusSlots,
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

export type TypingFault = Pick<Failure, 'id' | 'row' | 'line' | 'locus' | 'value' | 'error'>

interface SideRequest {
  readonly file: ComparedFile
  /** undefined for all loci. */
  readonly loci: ReadonlySet<string> | undefined
  readonly failed: (failure: Failure) => void
}

/** Key of statements whose locus is unknown. */
export const NO_LOCUS = ''
/** Maximum number of loci distinguished; a release has some fifty. */
const MAX_LOCI = 200

export class SideReader {
  /** Number of rows that could not be read, or have no id. */
  broken = 0
  statements = newStatements()
  readonly #request: SideRequest
  readonly #subjects: readonly string[]
  readonly #loci = new Set([NO_LOCUS])
  readonly #cells = rememberCells(({ value, group }) => this.#numbered(readCellParts(value, group)))

  /** @throws {HlaError} usage — no column names the persons */
  constructor(request: SideRequest) {
    const { plan } = request.file.table
    requireIdColumn(request.file, ': they cannot be matched')
    this.#request = request
    this.#subjects = [...new Set(plan.groups.map(({ subject }) => subject))]
  }

  /** Persons with an id, in file order; what cannot be read is reported. */
  read(rows: readonly TypedRow[]): PersonRow[] {
    return rows.flatMap((row) => {
      const { id, number, line, cells } = row
      const error = personError(row)
      if (error !== undefined) {
        row.fail(error)
        this.broken += 1
        return []
      }
      return this.#subjects.map((subject) => {
        const typings =
          this.#subjects.length === 1 ? cells : cells.filter(({ group }) => group.subject === subject)
        const person = subject === '' ? id : `${id} ${subject}`
        return { id: person, row: number, line, loci: this.#readLoci(typings, row) }
      })
    })
  }

  /** Drops all statements, which get new numbers. */
  forget(): void {
    this.statements = newStatements()
    this.#cells.forget()
  }

  /** Reports a typing that could be read but not reduced. */
  fail(fault: TypingFault): void {
    const { file: { name, table: { plan } }, failed } = this.#request // prettier-ignore
    const group =
      plan.groups.find(({ locus }) => locus === fault.locus) ??
      plan.groups.find(({ locus }) => locus === undefined)
    // the exact column is not stored
    const column = group?.columns.map((at) => plan.header.labels[at]).join(' ') ?? ''
    failed({ ...fault, column, file: name })
  }

  #readLoci(cells: readonly RowCell[], { fail }: TypedRow): ReadonlyMap<string, LocusSlots> {
    const byLocus = new Map<string, { readonly first: RowCell; readonly ids: number[] }>()
    for (const cell of cells) {
      if (cell.value === '') continue
      for (const { locus, id, error } of this.#readCell(cell)) {
        const typings = byLocus.get(locus)
        if (typings === undefined) byLocus.set(locus, { first: cell, ids: [id] })
        else typings.ids.push(id)
        if (error !== undefined) fail(error, { ...cell, locus })
      }
    }
    const loci = new Map<string, LocusSlots>()
    for (const [locus, { first, ids }] of byLocus) {
      const slots = makeSlots(ids, this.statements)
      loci.set(locus, slots)
      const statement = this.statements.get(slots.first)
      // each can be read, but not all of them together
      if (statement.kind === 'fault' && !ids.includes(slots.first))
        fail(statement.error, { ...first, locus, value: statement.text })
    }
    return loci
  }

  #readCell(cell: RowCell): readonly NumberedPart[] {
    const { value, group, error } = cell
    if (error === undefined) return this.#cells.of(cell)
    return this.#numbered([{ locus: group.locus ?? '', statement: faultStatement(value, error) }])
  }

  #numbered(parts: readonly CellPart[]): readonly NumberedPart[] {
    const { loci: asked } = this.#request
    return parts
      .map(({ locus, statement }) => ({ locus: this.#keyOf(locus), statement }))
      .filter(({ locus }) => asked === undefined || locus === NO_LOCUS || asked.has(locus))
      .map(({ locus, statement }) => ({
        locus,
        id: this.statements.add(statement),
        error: statement.kind === 'fault' ? statement.error : undefined,
      }))
  }

  #keyOf(locus: string): string {
    if (this.#loci.size < MAX_LOCI) this.#loci.add(locus)
    return this.#loci.has(locus) ? locus : NO_LOCUS
  }
}

interface NumberedPart {
  readonly locus: string
  /** ID of its statement. */
  readonly id: number
  /** Reason why it cannot be compared. */
  readonly error: HlaError | undefined
}
