/** Reads the first rows of a CSV or TSV text (RFC 4180). */

/** Most frequent separator in the first line. */
export function guessSeparator(text: string): string {
  const [line = ''] = text.split(/\r?\n/, 1)
  const count = (sign: string) => line.split(sign).length
  return ['\t', ';'].reduce((best, sign) => (count(sign) > count(best) ? sign : best), ',')
}

interface Cell {
  readonly text: string
  /** As written, with its quotes. */
  readonly raw: string
  /** Separator or line break after the cell; empty at the end. */
  readonly end: string
  /** Position after the cell and its end. */
  readonly next: number
}

function* readCells(text: string, separator: string): Generator<Cell> {
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)(?:"|$))?([^${separator}\\r\\n]*)(${separator}|\\r?\\n|\\r|$)`,
    'y',
  )
  while (cell.lastIndex < text.length) {
    const [all = '', quoted, plain = '', end = ''] = cell.exec(text) ?? []
    const raw = all.slice(0, all.length - end.length)
    yield { text: `${quoted?.replaceAll('""', '"') ?? ''}${plain}`, raw, end, next: cell.lastIndex }
  }
}

/** Without `isWhole`, the last row is dropped, since it may be cut. */
export function splitRows(text: string, separator: string, most: number, isWhole: boolean): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const { text: cell, end, next } of readCells(text, separator)) {
    row.push(cell)
    if (end === separator) {
      if (next === text.length && isWhole) rows.push([...row, ''])
      continue
    }
    if (end !== '' || isWhole) rows.push(row)
    row = []
    if (rows.length >= most) break
  }
  return rows
}

/** Replaces cells; all other characters stay as they are. `replace` returns undefined for a cell that stays. */
export function replaceCells(
  text: string,
  separator: string,
  replace: (cell: string, column: number) => string | undefined,
): string {
  const pieces: string[] = []
  let column = 0
  for (const { text: cell, raw, end } of readCells(text, separator)) {
    const other = cell === '' ? undefined : replace(cell, column)
    pieces.push(other === undefined ? raw : raw.replace(cell, () => other), end)
    column = end === separator ? column + 1 : 0
  }
  return pieces.join('')
}
