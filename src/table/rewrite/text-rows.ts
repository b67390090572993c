/** Rows of text as CSV, TSV or JSON Lines. Pure. */
import { assured, HlaError } from '../../errors.ts'
import { unquoteField } from '../input/split-row.ts'
import type { TextRow } from './read-cells.ts'

/** Text of a row, with the end of its line. */
export type RowText = (row: TextRow) => string

export function delimitedRows(delimiter: string): RowText {
  const quoting = { delimiter, quote: '"' }
  return ({ cells }) => `${cells.map((cell) => assured(unquoteField(cell, quoting), 'quotes are allowed')).join(delimiter)}\n` // prettier-ignore
}

/**
 * An object a row, with the names of the first row; lines without cells are left out.
 * @throws {HlaError} bad-request — a cell would have no name, or two the same
 */
export function jsonRows(): RowText {
  let names: readonly string[] | undefined
  return (row) => {
    const { cells, line } = row
    if (cells.length === 0) return ''
    if (names === undefined) {
      names = checkedNames(row)
      return ''
    }
    const unnamed = cells.findIndex((cell, at) => cell !== '' && at >= (names?.length ?? 0))
    if (unnamed >= 0) throw notJson(`line ${line} has a cell in column ${unnamed + 1}, which has no name`)
    const members = names.map((name, at) => `${JSON.stringify(name)}:${JSON.stringify(cells[at] ?? '')}`)
    return `{${members.join(',')}}\n`
  }
}

function checkedNames({ cells, line }: TextRow): readonly string[] {
  const seen = new Set<string>()
  for (const [at, name] of cells.entries()) {
    if (name === '') throw notJson(`line ${line} gives column ${at + 1} no name`)
    if (seen.has(name)) throw notJson(`line ${line} calls two columns ${JSON.stringify(name)}`)
    seen.add(name)
  }
  return cells
}

function notJson(why: string): HlaError {
  return new HlaError('bad-request', `the table cannot be written as JSON Lines: ${why}`)
}
