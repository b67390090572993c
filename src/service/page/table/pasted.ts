/** Lines that were pasted, as from a spreadsheet: a table. */

/** Several lines, or cells beside each other: more than a typing. */
export function isPastedTable(text: string): boolean {
  return /[\n\r\t]/.test(text.trim())
}

export function fileOfPasted(text: string): File {
  const name = text.includes('\t') ? 'pasted.tsv' : 'pasted.csv'
  return new File([`${text.trim()}\n`], name, { type: 'text/plain' })
}
