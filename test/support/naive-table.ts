/** Minimal table conversion: decodes everything, one line per record, no quotes. Shares no code with the program. */

export interface NaiveTable {
  readonly bytes: Buffer
  /** Encoding of bytes without a byte order mark. */
  readonly encoding: 'utf8' | 'utf16le' | 'utf16be' | 'latin1'
  /** Lines before the table. */
  readonly skip: number
  readonly comment: string | undefined
  readonly hasHeader: boolean
  readonly delimiter: string
  /** Columns with typings. */
  readonly typed: readonly number[]
  readonly bom: 'keep' | 'add' | 'drop'
}

const MARK = '\ufeff'

/** Adds a result column after each typing. */
export function convertNaively(
  table: NaiveTable,
  result: (typing: string, column: number) => string,
): Buffer {
  const { skip, comment, hasHeader, bom } = table
  const text = decoded(table)
  const hasMark = text.startsWith(MARK)
  const lines = text.slice(hasMark ? 1 : 0).match(/[^\n]*\n|[^\n]+$/g) ?? []
  let isHeaderDue = hasHeader
  const written = lines.map((line, at) => {
    const [body = '', end = ''] = line.split(/(\r?\n)$/)
    if (at < skip || body === '' || (comment !== undefined && body.startsWith(comment))) return line
    const cells = body.split(table.delimiter)
    const isHeader = isHeaderDue
    isHeaderDue = false
    const more = (cell: string, column: number) => (isHeader ? `${cell}_lgx` : result(cell, column))
    return (
      cells
        .flatMap((cell, at) => (table.typed.includes(at) ? [cell, more(cell, at)] : [cell]))
        .join(table.delimiter) + end
    )
  })
  const mark = bom === 'add' || (bom === 'keep' && hasMark) ? MARK : ''
  return encoded(mark + written.join(''), table)
}

function decoded({ bytes, encoding }: NaiveTable): string {
  switch (encoding) {
    case 'utf16be':
      return Buffer.from(bytes).swap16().toString('utf16le')
    case 'latin1':
    case 'utf8':
    case 'utf16le':
      return bytes.toString(encoding)
  }
}

function encoded(text: string, { encoding }: NaiveTable): Buffer {
  if (encoding !== 'utf16be') return Buffer.from(text, encoding)
  return Buffer.from(text, 'utf16le').swap16()
}
