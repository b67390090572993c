/** What rows of typings are put together from, as `output/long-rows.ts` does from cells. */
import { encodeByteText } from '../input/encoding.ts'
import { outDelimiter, type Dialect } from '../input/dialect.ts'
import { unquoteField } from '../input/split-row.ts'
import { longLayout, type TypingFields } from '../output/long-layout.ts'
import { longFields } from '../output/long-rows.ts'
import type { OutputColumns } from '../plan/output-columns.ts'
import type { TablePlan } from '../plan/plan.ts'
import type { WriteRequest } from '../plan/table-request.ts'
import type { RowPiece } from './column-kinds.ts'

export interface LongPieces {
  readonly person: readonly RowPiece[]
  readonly typings: readonly LongPiece[]
}

export interface LongPiece {
  /** Byte text between the person and the typing, and where the row has no typing. */
  readonly before: string
  readonly beforeNone: string
  /** The source, unless it is dropped, and its results. */
  readonly pieces: readonly RowPiece[]
}

/** `pieces` are those of the row with a column for each typing. */
export function longPieces(
  plan: TablePlan,
  dialect: Dialect,
  request: WriteRequest,
  { output, pieces }: { readonly output: OutputColumns; readonly pieces: readonly RowPiece[] },
): LongPieces {
  const layout = longLayout(plan, request, output)
  const quoting = { delimiter: outDelimiter(dialect), quote: dialect.quote }
  const join = (fields: readonly string[]) =>
    fields
      .map((text) => unquoteField(encodeByteText(text, dialect.encoding), quoting) ?? '')
      .join(quoting.delimiter)
  const typed = new Set(layout.typings.map(({ column }) => column))
  const person: RowPiece[] = []
  for (let column = 0; column < plan.header.width; column += 1)
    if (!typed.has(column)) person.push({ from: column, to: column, method: -1 })
  const piecesOf = ({ column, source }: TypingFields) => [
    ...(source === undefined || request.into === 'replace' ? [] : [{ from: column, to: column, method: -1 }]),
    ...pieces.filter(({ from, method }) => method >= 0 && from === column),
  ]
  const typings = layout.typings.map((typing) => ({
    before: join(longFields(layout, typing)),
    beforeNone: join(longFields(layout, { ...typing, locus: '', slot: '' })),
    pieces: piecesOf(typing),
  }))
  return { person, typings }
}
