/** Pieces of a written row: fields copied unchanged, cells with their results, and results alone. */
import { NO_DELIMITER, outDelimiter, type Dialect } from '../input/dialect.ts'
import { encodeByteText } from '../input/encoding.ts'
import { unquoteField } from '../input/split-row.ts'
import { longFields, longLayout } from '../output/long-layout.ts'
import type { OutputColumns } from '../plan/output-columns.ts'
import type { PlannedGroup, TablePlan } from '../plan/plan.ts'
import type { WriteRequest } from '../plan/table-request.ts'

/** Fields `from` to `to`; or, of the typing in column `from`, what stands in its place or the result of a method. */
export interface Piece {
  readonly from: number
  readonly to: number
  readonly method: number
}

export const FIELDS = -2
/** What stands in the place of a typing: its source, its results, or both. */
export const PLACE = -1

/** In order; fields side by side are one piece. */
export function rowPieces(plan: TablePlan, request: WriteRequest, output: OutputColumns): readonly Piece[] {
  const { into, dropSource } = request
  const typed = new Set(plan.groups.flatMap(({ columns }) => columns))
  const pieces: Piece[] = []
  for (let column = 0; column < plan.header.width; column += 1) {
    if (typed.has(column)) {
      if (!dropSource || into === 'after') pieces.push({ from: column, to: column, method: PLACE })
      continue
    }
    const from = column
    while (column + 1 < plan.header.width && !typed.has(column + 1)) column += 1
    pieces.push({ from, to: column, method: FIELDS })
  }
  if (into !== 'append') return pieces
  const results = [...output.results.keys()].flatMap((column) =>
    request.results.map((_, method) => ({ from: column, to: column, method })),
  )
  return [...pieces, ...results]
}

/** A typing of a row that is written as a row for each. */
export interface LongTyping {
  readonly column: number
  /** Fields between person and typing, in a row with it and in one without. */
  readonly before: string
  readonly beforeNone: string
}

export function longTypings(
  plan: TablePlan,
  dialect: Dialect,
  request: WriteRequest,
  output: OutputColumns,
): readonly LongTyping[] {
  const layout = longLayout(plan, request, output)
  const quoting = { delimiter: outDelimiter(dialect, request), quote: dialect.quote }
  const join = (fields: readonly string[]) =>
    fields
      .map((text) => unquoteField(encodeByteText(text, dialect.encoding), quoting) ?? '')
      .join(quoting.delimiter)
  return layout.typings.map((typing) => ({
    column: typing.column,
    before: join(longFields(layout, typing)),
    beforeNone: join(longFields(layout, { ...typing, locus: '', slot: '' })),
  }))
}

/** False for rows that only the ordinary writer can write. */
export function areKnownRows(plan: TablePlan, dialect: Dialect, request: WriteRequest): boolean {
  const { format, consensus, glOut, drbx, locusPrefix } = request
  // results contain none of these characters, so none needs quotes
  const isPlain = (text: string) => ',;\t% \u001f'.includes(text)
  const hasGl = plan.groups.some(({ locus }) => locus === undefined)
  return (
    format === undefined &&
    consensus === undefined &&
    ((glOut === undefined && drbx === undefined) || haveOneLocus(plan.groups)) &&
    !(locusPrefix === 'bare' && hasGl) &&
    isPlain(dialect.delimiter) &&
    isPlain(outDelimiter(dialect, request)) &&
    dialect.delimiter !== NO_DELIMITER &&
    (dialect.quote ?? '"') === '"' &&
    // a lone carriage return ends a row
    dialect.eol !== '\r'
  )
}

/** Typings of several loci in a column, or of a locus in several groups, may have no place in a joined text. */
function haveOneLocus(groups: readonly PlannedGroup[]): boolean {
  const keys = new Set(groups.map(({ subject, locus }) => `${subject}\n${locus}`))
  const isSimple = ({ locus, among, columns }: PlannedGroup) =>
    locus !== undefined && among === undefined && columns.length <= 2
  return keys.size === groups.length && groups.every(isSimple)
}
