/** Tables made from the conventions of `test/table/conventions.ts`, and their plans. */
import { isHlaError } from '../../src/errors.ts'
import { makeNameFacts } from '../../src/table/cells/name-facts.ts'
import { sniffDialect } from '../../src/table/input/dialect.ts'
import { readRows, type TableRow } from '../../src/table/input/read-table.ts'
import { layoutFor } from '../../src/table/plan/layouts.ts'
import { type OpenTable, openTable } from '../../src/table/plan/open-table.ts'
import { makePlan, type TablePlan } from '../../src/table/plan/plan.ts'
import type { RawTableOptions } from '../../src/options/table-options.ts'
import { readRequest } from '../../src/table/plan/raw-table-options.ts'
import { openFiles } from '../../src/table/run/open-input.ts'
import { smallRelease } from './small-release.ts'

const facts = makeNameFacts(smallRelease())

/** Two-field typings without a locus. */
const FIELDS = [
  ['01:01', '02:01', '01:01', '24:02', '68:01'],
  ['24:02', '03:01', '26:01', '01:01', '02:01'],
] as const

export function conventionPlan(
  header: readonly string[],
  values: Readonly<Record<number, readonly string[]>> = {},
): Promise<TablePlan | Error> {
  return planText(conventionText(header, values), { delimiter: '|' })
}

/** A table of five rows, with `|` between its cells. */
export function conventionText(
  header: readonly string[],
  values: Readonly<Record<number, readonly string[]>> = {},
): string {
  const width = (header[0] ?? '').split('|').length
  const rows = Array.from({ length: 5 }, (_, row) =>
    Array.from({ length: width }, (_, column) => {
      const own = values[column + 1]
      if (own !== undefined) return own[row % own.length] ?? ''
      return column === 0 && /^(?:id)?(?:\||$)/i.test(header[0] ?? '')
        ? `D${row}`
        : (FIELDS[column % 2]?.[row] ?? '')
    }).join('|'),
  )
  return [...header, ...rows].join('\n')
}

/** The plan as text, or the error. */
export async function planText(text: string, options: RawTableOptions = {}): Promise<TablePlan | Error> {
  const bytes = Buffer.from(text, 'utf8')
  const request = readRequest(options, undefined, [])
  const dialect = sniffDialect('t.csv', bytes, request.dialect)
  const rows: TableRow[] = []
  async function* chunks() {
    yield await Promise.resolve(bytes)
  }
  for await (const block of readRows(chunks(), dialect)) rows.push(...block)
  try {
    return makePlan({ table: 't.csv', dialect, rows, layout: undefined, request, facts })
  } catch (error) {
    if (isHlaError(error)) return error
    throw error
  }
}

/** Opens bytes as a conversion does, in any format; or the error. */
export async function openBytes(
  name: string,
  bytes: Buffer,
  options: RawTableOptions = {},
): Promise<OpenTable | Error> {
  const layout = layoutFor(options.inputFormat, name)
  const request = readRequest(options, layout, [])
  async function* chunks() {
    yield await Promise.resolve(bytes)
  }
  try {
    const source = { name, title: name, size: bytes.length, bytes: chunks }
    const asked = { source, reading: request, layout, facts, isHashed: false, delimiter: ',' }
    const shaped = await openFiles({ ...asked, opened: (one) => one })
    return await openTable(shaped, request, layout, facts)
  } catch (error) {
    if (isHlaError(error)) return error
    throw error
  }
}

/** `donor A=A_1,A_2` */
export function groupsText({ groups, header }: TablePlan): string[] {
  return groups.map(({ subject, locus, among, columns }) => {
    const title = locus ?? (among === undefined ? 'GL' : 'DRB3/4/5')
    const labels = columns.map((at) => header.labels[at] ?? '').join(',')
    return `${subject === '' ? '' : `${subject} `}${title}=${labels}`
  })
}
