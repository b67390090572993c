/** Rows of a table as csv-parse alone cuts them: the oracle of the reader. */
import { Parser } from 'csv-parse'
import type { Dialect } from '../../src/table/input/dialect.ts'
import { makeRow, neverClosed, type TableRow } from '../../src/table/input/read-table.ts'
import { cutterOptions, type ParsedRecord } from '../../src/table/input/record-cutter.ts'

/** One block, then the error, if any. Only the first line may begin a preamble. */
export async function* csvParseRows(bytes: Buffer, dialect: Dialect, line = 1): AsyncGenerator<TableRow[]> {
  const last = dialect.eol === '\r' ? '\r' : '\n'
  const { preamble, comment } = line === 1 ? dialect : { preamble: 0, comment: undefined }
  const isComment = (text: string) => comment !== undefined && text.startsWith(comment)
  const progress = { line }
  const rows: TableRow[] = []
  let rest = bytes.toString('latin1')
  while (rest !== '' && (rows.length < preamble || isComment(rest))) {
    const end = rest.includes(last) ? rest.indexOf(last) + 1 : rest.length
    const body = rest.slice(0, end).replace(/\r?\n$|\r$/, '')
    const eol = rest.slice(body.length, end)
    rows.push({ line: progress.line++, kind: 'other', values: [body], raws: [body], eol, isMisquoted: false })
    rest = rest.slice(end)
  }
  const { records, failure } = await parse(Buffer.from(rest, 'latin1'), dialect)
  // before a field that is never closed, all rows have their line ends
  const isEnded = failure !== undefined || rest.endsWith(last)
  for (const [at, record] of records.entries())
    rows.push(makeRow(record, isEnded || at < records.length - 1, dialect, progress))
  if (rows.length > 0) yield rows
  if (failure?.code === 'CSV_QUOTE_NOT_CLOSED') throw neverClosed(progress.line)
  if (failure !== undefined) throw failure
}

async function parse(bytes: Buffer, dialect: Dialect) {
  const parser = new Parser(cutterOptions(dialect))
  const records: ParsedRecord[] = []
  let failure: (Error & { code?: string }) | undefined
  const take = () => {
    // with `raw`, records come as these pairs
    for (;;) {
      const next = parser.read() as ParsedRecord | null
      if (next === null) return
      records.push(next)
    }
  }
  await new Promise<void>((resolve) => {
    parser.on('readable', take)
    parser.on('end', resolve)
    parser.on('error', (error) => {
      failure = error
      resolve()
    })
    // an open quote at the end loses no record before it
    if (bytes.length > 0) parser.write(bytes)
    take()
    parser.end()
    take()
  })
  return { records, failure }
}
