/** The names of a table's columns, from its first rows alone.  [disk] */
import { firstLines, sniffDialect } from '../../../table/input/dialect.ts'
import { readable, toByteText } from '../../../table/input/encoding.ts'
import { hasHeader } from '../../../table/plan/find-header.ts'
import { linesBeforeLoci } from '../../../table/input/preamble.ts'
import { makeHeader } from '../../../table/plan/header.ts'
import { joinHeaderLines } from '../../../table/plan/find-header.ts'
import { readTableInput } from '../../../table/input/input.ts'
import { layoutFor } from '../../../table/plan/layouts.ts'
import { parseDelimiter } from '../../../table/input/dialect.ts'
import { readRows } from '../../../table/input/read-table.ts'
import { sourceHere } from '../../../io/file-port.ts'
import { spreadOptions } from '../../../options/spellings.ts'
import { optionValue } from './option-value.ts'

function layoutIn(words: readonly string[]): string | undefined {
  const inputFormat = optionValue(words, '--input-format')
  return inputFormat === undefined ? undefined : spreadOptions({ inputFormat }).layout
}

/** Without a header, their numbers. @throws {HlaError} whatever opening and reading throw */
export async function columnsIn(file: string, words: readonly string[]): Promise<readonly string[]> {
  const { name, bytes } = sourceHere(file)
  const layout = layoutFor(layoutIn(words), file)
  const asked = optionValue(words, '--delimiter', '-d')
  const delimiter = asked === undefined || asked === 'auto' ? layout?.delimiter : parseDelimiter(asked)
  const hints = { delimiter, comment: layout?.comment, header: layout?.header === false ? false : undefined }
  const input = await readTableInput(name, bytes(), { dialect: hints })
  const sniffed = sniffDialect(input.name, input.sample, hints)
  const isBelow = layout?.header === 'find'
  const dialect = isBelow
    ? { ...sniffed, preamble: linesBeforeLoci(firstLines(input.sample, sniffed), sniffed.delimiter) }
    : sniffed
  const rows: string[][] = []
  for await (const block of readRows(toByteText(input.chunks(), dialect), dialect)) {
    const values = block
      .filter(({ kind }) => kind === 'row')
      .map((row) => row.values.map((value) => readable(value, dialect.encoding)))
    rows.push(...values)
    if (rows.length > 1) break
  }
  const [first = [], second] = rows
  const mayBeHeader = !words.includes('-H') && !words.includes('--no-header') && layout?.header !== false
  const joined = mayBeHeader ? joinHeaderLines(first, second) : undefined
  const isHeader = mayBeHeader && (isBelow || hasHeader(first, second))
  return makeHeader(file, joined ?? (isHeader ? first : undefined), first.length).labels
}
