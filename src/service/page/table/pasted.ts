/** Recognises pasted tables, such as lines from a spreadsheet. */

/** True for several lines, or several cells in a line. */
export function isPastedTable(text: string): boolean {
  return /[\n\r\t]/.test(text.trim())
}

export function fileOfPasted(text: string): File {
  const name = text.includes('\t') ? 'pasted.tsv' : 'pasted.csv'
  return new File([`${text.trim()}\n`], name, { type: 'text/plain' })
}
