/** Transposed tables: one row per locus, or per one of its two typings, and one column per person. */
import { fieldsInstead } from '../input/split-row.ts'
import { HlaError } from '../../errors.ts'
import { encodeByteText, readable, toByteText } from '../input/encoding.ts'
import { readRows } from '../input/read-table.ts'
import { measureShare, looksNamed } from '../words/typing-shape.ts'
import { readLocusName } from '../words/locus-header.ts'
import { gatheredDialect } from './long-table.ts'
import type { RecordFormat, RecordInput, TypingRecord } from './typing-record.ts'

export const TRANSPOSED: RecordFormat = {
  name: 'transposed',
  summary: 'a table with loci in rows and persons in columns',
  example: 'A_1,A*01:01,A*24:02',
  open(file, isAsked) {
    const [header = [], ...rows] = file.rows
    if (!isAsked && !isTransposed(file, header, rows)) return undefined
    if (header.length < 2)
      throw new HlaError('usage', `${file.input.name}: a transposed table has one column per person`)
    const { dialect } = file
    return {
      format: 'transposed table',
      reading: `loci in rows, ${header.length - 1} samples in columns`,
      personName: 'sample',
      extras: [],
      ignored: [],
      dialect: gatheredDialect(dialect),
      blocks: () => readColumns(file),
    }
  },
}

/** True when the first column names loci, the header does not, and the cells are typings. */
function isTransposed(
  { isLocus, isTyping }: RecordInput,
  [, ...names]: readonly string[],
  rows: readonly (readonly string[])[],
): boolean {
  const isNamed = (text: string) => readLocusName(text, isLocus) !== undefined
  if (names.length === 0 || new Set(names).size < names.length) return false
  if (names.some((name) => isNamed(name) || HEADINGS.test(name) || looksNamed(name))) return false
  const loci = rows.filter(([first = '']) => isNamed(first))
  if (loci.length < 2) return false
  const values = loci.flatMap(([, ...cells]) =>
    cells.filter((cell) => cell.trim() !== '' && isTyping(cell.trim())),
  )
  return (
    values.length > 0 &&
    measureShare(values, ['named', 'fields', 'antigen', 'digits']) >= MIN_SHARE &&
    measureShare(values, ['named', 'fields', 'antigen']) > 0
  )
}

/** Share of the cells that must look like typings. */
const MIN_SHARE = 0.8

/** Headings of alleles, scores and counts, which are not persons. */
const HEADINGS = /allele|typing|score|count|conf|reads|quality|abundance|call|p.?val|locus|gene|type\b/i

/** @throws {HlaError} ragged-row, usage — an unreadable row, with its line */
async function* readColumns({
  input,
  dialect,
  isLocus,
}: RecordInput): AsyncGenerator<readonly TypingRecord[]> {
  let persons: readonly string[] | undefined
  for await (const rows of readRows(toByteText(input.chunks(), dialect), dialect)) {
    for (const { kind, values, line } of rows) {
      if (kind === 'other') continue
      const [first = '', ...cells] = values
      if (persons === undefined) {
        persons = cells
        refuseUnnamed(cells, line)
        continue
      }
      if (cells.length !== persons.length)
        throw new HlaError('ragged-row', fieldsInstead(values.length, persons.length + 1), { line })
      const said = readable(first, dialect.encoding)
      const read = readLocusName(said, isLocus)
      const locus = read?.locus ?? encodeByteText(said.trim(), dialect.encoding)
      if (locus === '' && cells.some((cell) => cell.trim() !== ''))
        throw new HlaError('io', 'a row of typings has no locus', { line })
      yield cells.map((cell, at) => ({
        person: persons?.[at],
        locus,
        typing: cell.trim(),
        slot: read?.slot,
        line,
        values: [],
      }))
    }
  }
}

/** @throws {HlaError} usage */
function refuseUnnamed(names: readonly string[], line: number): void {
  const twice = names.find((name, at) => name.trim() === '' || names.indexOf(name) < at)
  if (twice === undefined) return
  const what = twice.trim() === '' ? 'a column has no name' : `two columns are named ${JSON.stringify(twice)}`
  throw new HlaError('usage', `${what}: each column of a transposed table is a person`, { line })
}
