/** Rows with one GL String per person, split by locus, for tables with loci in columns or rows. */
import { advice, option } from '../../advice.ts'
import { fieldsInstead } from '../input/split-row.ts'
import { HlaError } from '../../errors.ts'
import { parseGlStringCode } from '../../nomenclature/gl-string-code.ts'
import { encodeByteText, toByteText } from '../input/encoding.ts'
import { readRows } from '../input/read-table.ts'
import { hasHeader } from '../plan/find-header.ts'
import { columnsLine, type Header, makeHeader } from '../plan/header.ts'
import { areAlike } from '../plan/recognition/odd-rows.ts'
import { measureShare } from '../words/typing-shape.ts'
import { locusInTyping } from '../words/locus-header.ts'
import { gatheredDialect } from './long-table.ts'
import { headerFinder } from '../plan/recognition/odd-rows.ts'
import { NO_LOCUS, personIn } from './gathering/person.ts'
import type { RecordFormat, RecordInput, TypingRecord } from './typing-record.ts'

export const GL_ROWS: RecordFormat = {
  name: 'gl',
  summary: 'a table with one GL String per person, split by locus; only on request',
  example: 'S1,A*01:01+A*02:01^B*07:02',
  open(file) {
    const [first = []] = file.rows
    const below = file.rows.filter((row) => !areAlike(row, first))
    const [second] = below
    const isHeader = file.header ?? hasHeader(first, second)
    const header = makeHeader(file.input.name, isHeader ? first : undefined, first.length)
    const { gl, person } = findColumns(file, header, isHeader ? below : file.rows)
    const facts = header.labels.map((_, at) => at).filter((at) => at !== gl && at !== person)
    const label = (column: number) => encodeByteText(header.labels[column] ?? '', file.dialect.encoding)
    const ignored: string[] = []
    return {
      format: 'GL Strings',
      reading: `sample ${header.labels[person]}, GL String ${header.labels[gl]}`,
      personName: isHeader ? label(person) : 'sample',
      extras: facts.map((at) => ({ name: isHeader ? label(at) : `column_${label(at)}`, isOfTyping: false })),
      ignored,
      dialect: gatheredDialect(file.dialect),
      blocks: () => glRecords(file, { header, gl, person, facts, ignored }),
    }
  },
}

/** @throws {HlaError} usage — none or several columns hold GL Strings; no other column names the person */
function findColumns({ isTyping }: RecordInput, header: Header, rows: readonly (readonly string[])[]) {
  const columns = header.labels.map((_, at) => at)
  const values = (column: number) =>
    rows.map((row) => (row[column] ?? '').trim()).filter((value) => value !== '' && isTyping(value))
  const found = columns.filter(
    (at) => values(at).length > 0 && measureShare(values(at), ['named']) >= MIN_SHARE,
  )
  const [gl, another] = found
  const person = columns.find((at) => !found.includes(at))
  if (gl !== undefined && another === undefined && person !== undefined) return { gl, person }
  throw new HlaError(
    'usage',
    advice`${header.table}: ${option('input-format', 'gl')} needs one column of GL Strings, after a column that names the sample`,
    {
      hint: columnsLine(header),
    },
  )
}

/** Share of the values that must be GL Strings. */
const MIN_SHARE = 0.8

interface GlColumns {
  readonly header: Header
  readonly gl: number
  readonly person: number
  readonly facts: readonly number[]
  readonly ignored: string[]
}

async function* glRecords(
  { input, dialect }: RecordInput,
  columns: GlColumns,
): AsyncGenerator<readonly TypingRecord[]> {
  const isHeader = headerFinder(columns.header.names !== undefined, columns.ignored)
  for await (const rows of readRows(toByteText(input.chunks(), dialect), dialect)) {
    const body = rows.filter((row) => row.kind === 'row' && !isHeader(row))
    yield body.flatMap(({ values, line }) => rowRecords(values, line, columns))
  }
}

/** @throws {HlaError} ragged-row, io — with its line */
function rowRecords(
  values: readonly string[],
  line: number,
  { header, gl, person, facts }: GlColumns,
): TypingRecord[] {
  if (values.length !== header.width)
    throw new HlaError('ragged-row', fieldsInstead(values.length, header.width), { line })
  const of = { person: personIn(values, person, line), line, values: facts.map((at) => values[at] ?? '') }
  return glTypings(values[gl] ?? '').map((one) => ({ ...of, ...one }))
}

export type GlTyping = Pick<TypingRecord, 'locus' | 'typing' | 'slot'>

/**
 * Typings by locus; a genotype with several possibilities stays one. The release of a GL String Code is attached to
 * each.
 */
export function glTypings(text: string): readonly GlTyping[] {
  const { glString, start } = parseGlStringCode(text.trim()) ?? { glString: text.trim(), start: 0 }
  if (glString === '') return [{ locus: '', typing: '', slot: undefined }]
  if (glString.includes('?')) return [{ locus: NO_LOCUS, typing: text.trim(), slot: 1 }]
  const typings = glString.split('^').flatMap(typingsIn)
  const code = text.trim().slice(0, start)
  return code === '' ? typings : typings.map((one) => ({ ...one, typing: code + one.typing }))
}

/** Each typing has a fixed place: another row of the same person does not fill a gap. */
function typingsIn(block: string): GlTyping[] {
  const locus = locusInTyping(block)
  if (locus === undefined || /[|~]/.test(block)) return [{ locus: locus ?? NO_LOCUS, typing: block, slot: 1 }]
  const seen = new Map<string, number>()
  return block.split('+').map((typing) => {
    const named = locusInTyping(typing) ?? locus
    const at = (seen.get(named) ?? 0) + 1
    seen.set(named, at)
    return { locus: named, typing, slot: at === 1 || at === 2 ? at : undefined }
  })
}
