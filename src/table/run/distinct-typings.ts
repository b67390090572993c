/** Distinct typings of a table, each at its first occurrence, and cells that cannot be read. */
import { HlaError, isHlaError } from '../../errors.ts'
import { readCell } from '../cells/cells.ts'
import { conversionError } from '../plan/row-error.ts'
import type { Dialect } from '../input/dialect.ts'
import { readable } from '../input/encoding.ts'
import { type Failure, inRecords } from '../output/failure-report.ts'
import { type PlannedGroup, type TablePlan, isBodyRow, readCells } from '../plan/plan.ts'
import type { TableRow } from '../input/read-table.ts'

export interface FoundTyping extends Omit<Failure, 'error'> {
  readonly glString: string
}

export interface TypingFinder {
  /** New distinct typings of the rows, in the order of the table. */
  readonly take: (rows: readonly TableRow[]) => (FoundTyping | Failure)[]
  /** Reads cells without recording them, to find the facts that reading needs. */
  readonly peek: (rows: readonly TableRow[]) => void
  /** false when memory ran out and some typings may have been found twice. */
  readonly isExact: () => boolean
}

export interface FinderRequest {
  readonly plan: TablePlan
  readonly dialect: Dialect
  readonly ragged: 'error' | 'pad'
  /** Release of the names in the table: `3.58.0`. */
  readonly release: string
}

export function typingFinder(request: FinderRequest): TypingFinder {
  const { plan, dialect } = request
  const seen = boundedSet()
  let count = 0

  function foundIn(row: TableRow): (FoundTyping | Failure)[] {
    count += 1
    const id = readable(row.values[plan.idColumn ?? -1] ?? '', dialect.encoding)
    const place = { row: count, line: row.line, id }
    const fault = conversionError(row, request)
    const of = (cell: Omit<Failure, 'row' | 'line' | 'id'>, column?: number) =>
      inRecords({ ...place, ...cell }, row, column)
    if (fault !== undefined) return [of({ column: '', locus: '', value: '', error: fault })]
    return readCells(row, request)
      .filter(({ group, value }) => seen.isNew(`${group.contextKey}\n${value}`))
      .map(({ group, column, value, error }) => {
        const cell = { column: plan.header.labels[column] ?? '', locus: group.locus ?? '', value }
        const found = error === undefined ? typingIn(value, group, request.release) : { error }
        return 'error' in found ? of({ ...cell, ...found }, column) : { ...place, ...cell, ...found }
      })
      .filter((found) => 'error' in found || (found.glString !== '' && seen.isNew(found.glString)))
  }

  const wanted = (rows: readonly TableRow[]) => rows.filter((row) => isBodyRow(row, plan))
  return {
    take: (rows) => wanted(rows).flatMap((row) => foundIn(row)),
    peek(rows) {
      const sound = wanted(rows).filter((row) => conversionError(row, request) === undefined)
      for (const { value, group } of sound.flatMap((row) => readCells(row, request)))
        if (!seen.has(`${group.contextKey}\n${value}`)) typingIn(value, group, request.release)
    },
    isExact: seen.isExact,
  }
}

/** Maximum number of texts remembered; only tables of whole GL Strings reach it. */
const MAX_KEPT = 1_000_000

function boundedSet() {
  const texts = new Set<string>()
  let isExact = true
  return {
    isExact: () => isExact,
    has: (text: string) => texts.has(text),
    isNew(text: string): boolean {
      if (texts.has(text)) return false
      if (texts.size >= MAX_KEPT) {
        texts.clear()
        isExact = false
      }
      texts.add(text)
      return true
    },
  }
}

/** An empty `glString` for a cell without a typing. */
function typingIn(
  text: string,
  { context }: PlannedGroup,
  release: string,
): { glString: string } | { error: HlaError } {
  try {
    const read = readCell(text, context)
    if (read.kind === 'token') return { glString: '' }
    if (read.release === undefined || read.release === release) return { glString: read.glString }
    const message = `the names are of ${read.release}, but the comparison uses ${release}`
    return { error: new HlaError('unknown-allele', message, { offending: text }) }
  } catch (error) {
    if (isHlaError(error)) return { error }
    throw error
  }
}
