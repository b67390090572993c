/** Sort keys of a list as expressions on `f`; none is ever null, so that a page can begin after any row (spec 5.8). */
import { badRequest } from '../../contract/failure.ts'
import { type Order, type OrderKey, type QNode, walkTests } from '../../protocol/q/q-fields.ts'
import type { Value } from '../../persistence/database/database.ts'
import { type StatementBuilder, type DrivingSet, bindValue, contentMatch, stateColumn } from './sets.ts'

export interface SortKey {
  readonly sql: string
  readonly isDescending: boolean
}

export interface OrderedSearch {
  readonly search: QNode | undefined
  readonly orders: readonly Order[]
  readonly after: readonly Value[] | undefined
}

/** The id breaks ties. */
const BY_ID: SortKey = { sql: 'f.id', isDescending: false }
const NEWEST: readonly SortKey[] = [{ sql: 'f.modified', isDescending: true }, BY_ID]

/** Index that has the items of an access list in this order, or in the reverse order. */
export function chooseIndex(orders: readonly Order[]): string | undefined {
  const [first] = orders
  if (first === undefined || first.key === 'modifiedDate') return 'files_seen'
  return first.key === 'title' ? 'files_titles' : undefined
}

/**
 * Sorts a full-text search by relevance, or by date if it has very many results; all pages of a search keep the same
 * order.
 * @throws 400 — another order is requested
 */
export function orderKeys(
  statement: StatementBuilder,
  ordered: OrderedSearch,
  { set }: Pick<DrivingSet, 'set'>,
): readonly SortKey[] {
  const { search, orders, after } = ordered
  const words = search === undefined ? undefined : wordsIn(search)
  if (words !== undefined && orders.length > 0) {
    throw badRequest('Sorting is not supported for queries with fullText terms.', 'orderBy')
  }
  if (orders.length > 0) {
    const own: OwnColumn = (column) => `coalesce(${stateColumn(statement, column)}, 0)`
    return [...orders.map(({ key, isDescending }) => ({ sql: ORDERS[key](own), isDescending })), BY_ID]
  }
  const isRelevance = after === undefined ? set !== undefined : after.length > NEWEST.length
  const match = isRelevance && words !== undefined ? contentMatch(words) : undefined
  return match === undefined ? NEWEST : [inTitle(statement, match), ...NEWEST]
}

/** Operand of the first full-text test. */
function wordsIn(search: QNode): string | undefined {
  for (const test of walkTests(search))
    if (test.kind === 'text' && test.field === 'fullText') return test.value
  return undefined
}

/** Sorts titles with all the words first. */
function inTitle(statement: StatementBuilder, match: string): SortKey {
  const words = bindValue(statement, `title : (${match})`)
  return { sql: `f.pk IN (SELECT rowid FROM words WHERE words MATCH ${words})`, isDescending: true }
}

/** Column of the caller's own state of the item; 0 if it has none. */
type OwnColumn = (column: string) => string

const changedByMe = (own: OwnColumn) =>
  `CASE WHEN f.modifier = ?1 THEN f.modified ELSE ${own('modified_at')} END`

const ORDERS: Readonly<Record<OrderKey, (own: OwnColumn) => string>> = {
  createdDate: () => 'f.created',
  folder: () => "(f.kind <> 'folder')",
  lastViewedByMeDate: (own) => own('viewed_at'),
  modifiedByMeDate: changedByMe,
  modifiedDate: () => 'f.modified',
  quotaBytesUsed: () => 'f.used',
  recency: (own) => `max(${own('viewed_at')}, ${own('shared_at')}, ${changedByMe(own)})`,
  sharedWithMeDate: (own) => own('shared_at'),
  starred: (own) => `(${own('starred')} = 0)`,
  title: () => compared('f.fold'),
  title_natural: () => compared('f.natural'),
}

/** Refers to the key columns by their names in the statement. */
export function orderClause(keys: readonly SortKey[]): string {
  return keys.map(({ isDescending }, at) => `k${at}${isDescending ? ' DESC' : ''}`).join(', ')
}

/** Condition for rows after a row with these values. */
export function writeAfterCondition(
  statement: StatementBuilder,
  keys: readonly SortKey[],
  values: readonly Value[],
): string {
  const places = values.map((value) => bindValue(statement, value))
  const [first, firstPlace] = [keys[0], places[0]]
  const chain = keys.reduceRight((rest, { sql, isDescending }, at) => {
    const further = `${sql} ${isDescending ? '<' : '>'} ${places[at]}`
    return rest === '' ? further : `(${further} OR (${sql} = ${places[at]} AND ${rest}))`
  }, '')
  // the first comparison repeats the chain's, so that an index range can begin there
  return `${first?.sql} ${first?.isDescending === true ? '<=' : '>='} ${firstPlace} AND ${chain}`
}

/** Cuts very long titles, because the last item's sort values have to fit into a page token in a URL. */
function compared(column: string): string {
  return `substr(${column}, 1, 300)`
}
