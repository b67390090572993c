/** Output of the administration commands: a table, or JSON. */
import { writeOut } from '../../io/stdout.ts'

export interface Printing {
  readonly json?: boolean
}

export type Cell = string | number | boolean | null | undefined

/** Prints objects with the same members: as JSON Lines, or as a table with their names as header. */
export function printRows(rows: readonly Readonly<Record<string, Cell>>[], { json }: Printing): void {
  if (json === true) return writeOut(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const [first] = rows
  if (first === undefined) return
  const names = Object.keys(first)
  const table = [
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => formatCell(row[name]))),
  ]
  const widths = names.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)))
  const lines = table.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  writeOut(`${lines.join('\n')}\n`)
}

/** Prints one object: as a line of JSON, or one line per member. */
export function printFacts(facts: Readonly<Record<string, Cell>>, { json }: Printing): void {
  if (json === true) return writeOut(`${JSON.stringify(facts)}\n`)
  const width = Math.max(...Object.keys(facts).map((name) => name.length)) + 2
  const lines = Object.entries(facts).map(([name, value]) => `${name.padEnd(width)}${formatCell(value)}\n`)
  writeOut(lines.join(''))
}

function formatCell(value: Cell): string {
  if (value === null || value === undefined) return '-'
  return typeof value === 'number' ? value.toLocaleString('en') : String(value)
}
