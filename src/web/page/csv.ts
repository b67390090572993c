/** Reads the first rows of a CSV or TSV text (RFC 4180). */

/** Most frequent separator in the first line. */
export function guessSeparator(text: string): string {
  const [line = ''] = text.split(/\r?\n/, 1)
  const count = (sign: string) => line.split(sign).length
  return ['\t', ';'].reduce((best, sign) => (count(sign) > count(best) ? sign : best), ',')
}

/** Without `isWhole`, the last row is dropped, since it may be cut. */
export function splitRows(text: string, separator: string, most: number, isWhole: boolean): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)(?:"|$))?([^${separator}\\r\\n]*)(${separator}|\\r?\\n|\\r|$)`,
    'y',
  )
  while (rows.length < most && cell.lastIndex < text.length) {
    const [all = '', quoted, plain = '', end = ''] = cell.exec(text) ?? []
    row.push(`${quoted?.replaceAll('""', '"') ?? ''}${plain}`)
    if (end === separator) {
      if (cell.lastIndex === text.length && isWhole) rows.push([...row, ''])
      continue
    }
    if (end !== '' || isWhole) rows.push(row)
    row = []
    if (all === '') break
  }
  return rows
}
