/** Roles of columns in the scan, and the pieces of a written row. */
import { DEFAULT_LIMIT } from '../../engine/options.ts'
import type { AnswerRequest } from '../cells/answers.ts'
import { type Dialect, NO_DELIMITER, outDelimiter } from '../input/dialect.ts'
import type { OutputColumns } from '../plan/output-columns.ts'
import type { PlannedGroup, TablePlan } from '../plan/plan.ts'
import type { WriteRequest } from '../plan/table-request.ts'
import { encodeByteText } from '../input/encoding.ts'
import { unquoteField } from '../input/split-row.ts'
import { type TypingFields, longFields, longLayout } from '../output/long-layout.ts'

export const SKIP = 0
export const CELL = 1
export const GL = 2

export interface ColumnKinds {
  /** Per column: SKIP, CELL or GL. */
  readonly kinds: Uint8Array
  readonly groups: readonly (PlannedGroup | undefined)[]
  /** Per column: number of its context; columns with the same number share typings. */
  readonly contexts: Int32Array
  /** Per column: initial hash of its typings, distinct for each context. */
  readonly seeds: Int32Array
}

/** `areWhole`: GL Strings are asked about as a whole, not by their typings. */
export function columnKinds({ header, groups }: TablePlan, areWhole: boolean): ColumnKinds {
  const kinds = new Uint8Array(header.width)
  const contexts = new Int32Array(header.width)
  const keys = contextKeys(groups)
  const byColumn = Array.from<PlannedGroup | undefined>({ length: header.width })
  for (const group of groups) {
    for (const column of group.columns) {
      kinds[column] = areWhole ? CELL : columnKind(group)
      contexts[column] = keys.indexOf(group.contextKey)
      byColumn[column] = group
    }
  }
  return { kinds, contexts, groups: byColumn, seeds: contexts.map((at) => Math.imul(at + 1, 0x9e3779b1)) }
}

/** A phenotype is joined by something other than an operator: the cell is read as a whole. */
function columnKind({ locus, context }: PlannedGroup): number {
  return locus === undefined && context.joined === undefined ? GL : CELL
}

export function contextKeys(groups: readonly PlannedGroup[]): string[] {
  return [...new Set(groups.map(({ contextKey }) => contextKey))]
}

/** One piece of a written row: columns `from` to `to` unchanged (`method` is -1), or the result of column `from`. */
export interface RowPiece {
  readonly from: number
  readonly to: number
  readonly method: number
  /** True when the result replaces its source. */
  readonly isInPlace?: boolean
}

/** Pieces in order; undefined for rows that only the ordinary writer can write. */
export function rowPieces(
  plan: TablePlan,
  dialect: Dialect,
  request: WriteRequest,
  { output, columns }: { readonly output: OutputColumns; readonly columns: ColumnKinds },
): RowPiece[] | undefined {
  const { into, dropSource } = request
  if (request.format !== undefined) return undefined
  const hasGl = plan.groups.some(({ locus }) => locus === undefined)
  if (request.locusPrefix === 'bare' && hasGl) return undefined
  const delimiter = outDelimiter(dialect, request)
  // results contain none of these characters, so none needs quotes
  const isPlain = (text: string) => ',;\t% \u001f'.includes(text)
  if (!isPlain(dialect.delimiter) || !isPlain(delimiter) || (dialect.quote ?? '"') !== '"') return undefined
  // additions to a table of one column follow a tab, which its cells may contain, but GL Strings cannot
  if (dialect.delimiter === NO_DELIMITER && columns.kinds.includes(CELL)) return undefined
  const typed = new Set(plan.groups.flatMap(({ columns }) => columns))
  const pieces: RowPiece[] = []
  const addRaw = (column: number) => {
    const last = pieces.at(-1)
    if (last !== undefined && last.method < 0 && last.to === column - 1 && delimiter === dialect.delimiter)
      pieces[pieces.length - 1] = { from: last.from, to: column, method: -1 }
    else pieces.push({ from: column, to: column, method: -1 })
  }
  const results = (column: number) => {
    for (const method of request.results.keys()) pieces.push({ from: column, to: column, method })
  }
  for (let column = 0; column < plan.header.width; column += 1) {
    if (!typed.has(column)) addRaw(column)
    else if (into === 'replace') pieces.push({ from: column, to: column, method: 0, isInPlace: true })
    else if (!dropSource) addRaw(column)
    if (into === 'after' && typed.has(column)) results(column)
  }
  if (into === 'append') for (const column of output.results.keys()) results(column)
  return pieces
}

/** Maximum number of names in an answer composed here; undefined when GL Strings must not be composed here. */
export function glLimit({ operation, inputs }: AnswerRequest): number | undefined {
  const { options, reduction_method: _, ...others } = inputs[0] ?? {}
  if (operation.cells.isByTyping !== true || Object.values(others).some((value) => value !== undefined))
    return undefined
  // engine options, checked when the question was made
  const { ignoredSuffixes = [], limit = DEFAULT_LIMIT } = (options ?? {}) as EngineSwitches
  if (ignoredSuffixes.length > 0) return undefined
  return limit === 0 ? DEFAULT_LIMIT : limit
}

interface EngineSwitches {
  readonly ignoredSuffixes?: readonly string[]
  readonly limit?: number
}

export interface LongPieces {
  readonly person: readonly RowPiece[]
  readonly typings: readonly LongPiece[]
}

export interface LongPiece {
  /** Byte text between person and typing, and for a row without a typing. */
  readonly before: string
  readonly beforeNone: string
  /** The source, unless dropped, and its results. */
  readonly pieces: readonly RowPiece[]
}

/** `pieces` are those of the row with a column per typing. */
export function longPieces(
  plan: TablePlan,
  dialect: Dialect,
  request: WriteRequest,
  { output, pieces }: { readonly output: OutputColumns; readonly pieces: readonly RowPiece[] },
): LongPieces {
  const layout = longLayout(plan, request, output)
  const quoting = { delimiter: outDelimiter(dialect, request), quote: dialect.quote }
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
