/** Rows of a wide table as typing records, for tables that are made of several such files. */
import { fieldsInstead } from '../split-row.ts'
import { HlaError } from '../../../errors.ts'
import { type Dialect, sniffDialect } from '../dialect.ts'
import { encodeByteText, readable, toByteText } from '../encoding.ts'
import { type TableInput, refuseDocument } from '../input.ts'
import { readRows } from '../read-table.ts'
import { chooseColumns } from '../../plan/columns.ts'
import { type Header, makeHeader } from '../../plan/header.ts'
import type { ColumnGroup } from '../../plan/infer-columns.ts'
import { gatheredDialect } from './long-table.ts'
import { headerFinder } from '../../plan/recognition/odd-rows.ts'
import { personIn } from './gathering/person.ts'
import type { ShapeRequest } from './open-records.ts'
import type { RecordSource, TypingRecord } from './typing-record.ts'

/** What rows of persons are called. */
export const WIDE = 'wide table'

interface WideColumns {
  readonly header: Header
  readonly groups: readonly ColumnGroup[]
  /** undefined: the rows name nobody. */
  readonly person: number | undefined
  readonly facts: readonly number[]
}

/** @throws {HlaError} usage — no or ambiguous columns */
export async function wideRows(input: TableInput, request: ShapeRequest): Promise<RecordSource> {
  refuseDocument(input.sample, input.name)
  const dialect = sniffDialect(input.name, input.sample, request.dialect)
  const columns = findColumns(input.name, await firstValues(input, dialect), request)
  const { header, person, facts } = columns
  const label = (column: number) => encodeByteText(header.labels[column] ?? '', dialect.encoding)
  const ignored: string[] = []
  return {
    format: WIDE,
    reading: `a row a sample${person === undefined ? '' : ` (${header.labels[person]})`}`,
    personName: person === undefined ? 'sample' : label(person) || 'sample',
    extras: facts.map((at) => ({ name: label(at), isOfTyping: false })),
    ignored,
    dialect: gatheredDialect(dialect),
    blocks: () => wideRecords(input, dialect, { ...columns, ignored, keepsRows: request.keepsRows ?? false }),
  }
}

async function firstValues(
  { sample }: TableInput,
  dialect: Dialect,
): Promise<readonly (readonly string[])[]> {
  const first: string[][] = []
  for await (const rows of readRows(toByteText(once(sample), dialect), dialect))
    for (const { kind, values } of rows)
      if (kind === 'row') first.push(values.map((value) => readable(value, dialect.encoding)))
  return first
}

function findColumns(
  name: string,
  [names = [], ...body]: readonly (readonly string[])[],
  { choice, loci, isTyping }: ShapeRequest,
): WideColumns {
  const header = makeHeader(name, names, names.length)
  const typings = (column: number) =>
    body.map((row) => row[column] ?? '').filter((value) => value !== '' && isTyping(value))
  const { groups } = chooseColumns(choice, header, typings, { loci })
  refuseWhole(groups, header)
  const typed = new Set(groups.flatMap(({ columns }) => columns))
  const others = header.labels.map((_, at) => at).filter((at) => !typed.has(at))
  const [id] = others
  // the number of a row is nobody's name
  const isName = id !== undefined && body.some((row) => !/^\d*$/.test(row[id] ?? ''))
  return { header, groups, person: isName ? id : undefined, facts: others.filter((at) => at !== id) }
}

/** @throws {HlaError} usage — a row is not one person with two columns a locus */
function refuseWhole(groups: readonly ColumnGroup[], { table, labels }: Header): void {
  const gl = groups.find(({ locus }) => locus === undefined)
  const people = groups.find(({ subject }) => subject !== '')
  const what =
    gl !== undefined
      ? `${labels[gl.columns[0] ?? 0]} holds whole GL Strings`
      : people === undefined
        ? undefined
        : `a row has several persons (${people.subject})`
  if (what === undefined) return
  throw new HlaError('usage', `${table}: ${what}: files of such tables are converted one by one`)
}

/** @throws {HlaError} ragged-row — with its line */
async function* wideRecords(
  input: TableInput,
  dialect: Dialect,
  {
    header,
    groups,
    person,
    facts,
    ignored,
    keepsRows,
  }: WideColumns & { readonly ignored: string[]; readonly keepsRows: boolean },
): AsyncGenerator<readonly TypingRecord[]> {
  const recordsIn = (values: readonly string[], line: number): TypingRecord[] => {
    if (values.length !== header.width) {
      const reason = fieldsInstead(values.length, header.width)
      if (!keepsRows) throw new HlaError('ragged-row', reason, { line })
      const error = new HlaError('bad-record', reason)
      const name = person === undefined ? undefined : values[person]
      return [{ person: name, locus: '', typing: '', slot: undefined, line, values: [], error }]
    }
    const of = {
      person: person === undefined ? undefined : personIn(values, person, line),
      line,
      values: facts.map((at) => values[at] ?? ''),
    }
    return groups.flatMap(({ locus = '', columns }) =>
      columns.map((column, at) => ({
        ...of,
        locus,
        typing: (values[column] ?? '').trim(),
        // another row of the same person does not fill it up
        slot: at === 0 ? (1 as const) : (2 as const),
      })),
    )
  }
  const isHeader = headerFinder(true, ignored)
  for await (const rows of readRows(toByteText(input.chunks(), dialect), dialect)) {
    const body = rows.filter((row) => row.kind === 'row' && !isHeader(row))
    yield body.flatMap(({ values, line }) => recordsIn(values, line))
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
