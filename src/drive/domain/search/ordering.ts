/** The order of a list as expressions on `f`; none of them is ever null, so that a page can begin behind any row (spec 5.8). */
import { badRequest } from '../../contract/failure.ts'
import { type Order, type OrderKey, type QNode, walkTests } from '../../protocol/q/q-fields.ts'
import type { Value } from '../../persistence/database/database.ts'
import { type Building, type Driver, bind, contentMatch, stateColumn } from './sets.ts'

export interface SortKey {
  readonly sql: string
  readonly isDescending: boolean
}

export interface Ordered {
  readonly search: QNode | undefined
  readonly orders: readonly Order[]
  readonly after: readonly Value[] | undefined
}

/** Ties are broken by the id. */
const BY_ID: SortKey = { sql: 'f.id', isDescending: false }
const NEWEST: readonly SortKey[] = [{ sql: 'f.modified', isDescending: true }, BY_ID]

/** The index that has the items of a set of rights in this order, or in the opposite one. */
export function chooseIndex(orders: readonly Order[]): string | undefined {
  const [first] = orders
  if (first === undefined || first.key === 'modifiedDate') return 'files_seen'
  return first.key === 'title' ? 'files_titles' : undefined
}

/**
 * A search of the full text is answered by relevance; where it finds very much, by what is newest, and either order is kept to the
 * last page. @throws 400 — it is to be ordered otherwise
 */
export function orderKeys(
  statement: Building,
  ordered: Ordered,
  { set }: Pick<Driver, 'set'>,
): readonly SortKey[] {
  const { search, orders, after } = ordered
  const words = search === undefined ? undefined : wordsIn(search)
  if (words !== undefined && orders.length > 0) {
    throw badRequest('Sorting is not supported for queries with fullText terms.', 'orderBy')
  }
  if (orders.length > 0) {
    return [
      ...orders.map(({ key, isDescending }) => ({ sql: writeOrder(statement, key), isDescending })),
      BY_ID,
    ]
  }
  const isRelevance = after === undefined ? set !== undefined : after.length > NEWEST.length
  const match = isRelevance && words !== undefined ? contentMatch(words) : undefined
  return match === undefined ? NEWEST : [inTitle(statement, match), ...NEWEST]
}

/** The operand of the first test of the full text. */
function wordsIn(search: QNode): string | undefined {
  for (const test of walkTests(search))
    if (test.kind === 'text' && test.field === 'fullText') return test.value
  return undefined
}

/** Titles that have all the words come first. */
function inTitle(statement: Building, match: string): SortKey {
  const words = bind(statement, `title : (${match})`)
  return { sql: `f.pk IN (SELECT rowid FROM words WHERE words MATCH ${words})`, isDescending: true }
}

function writeOrder(statement: Building, key: OrderKey): string {
  const mine = (column: string) => `coalesce(${stateColumn(statement, column)}, 0)`
  const modifiedByMe = () => `CASE WHEN f.modifier = ?1 THEN f.modified ELSE ${mine('modified_at')} END`
  switch (key) {
    case 'createdDate':
      return 'f.created'
    case 'folder':
      return "(f.kind <> 'folder')"
    case 'lastViewedByMeDate':
      return mine('viewed_at')
    case 'modifiedByMeDate':
      return modifiedByMe()
    case 'modifiedDate':
      return 'f.modified'
    case 'quotaBytesUsed':
      return 'f.used'
    case 'recency':
      return `max(${mine('viewed_at')}, ${mine('shared_at')}, ${modifiedByMe()})`
    case 'sharedWithMeDate':
      return mine('shared_at')
    case 'starred':
      return `(${mine('starred')} = 0)`
    case 'title':
      return compared('f.fold')
    case 'title_natural':
      return compared('f.natural')
  }
}

/** By the names that the columns of the keys have in the statement. */
export function orderClause(keys: readonly SortKey[]): string {
  return keys.map(({ isDescending }, at) => `k${at}${isDescending ? ' DESC' : ''}`).join(', ')
}

/** Where the page begins: behind a row with these values. */
export function behind(statement: Building, keys: readonly SortKey[], values: readonly Value[]): string {
  const places = values.map((value) => bind(statement, value))
  const [first, firstPlace] = [keys[0], places[0]]
  const chain = keys.reduceRight((rest, { sql, isDescending }, at) => {
    const further = `${sql} ${isDescending ? '<' : '>'} ${places[at]}`
    return rest === '' ? further : `(${further} OR (${sql} = ${places[at]} AND ${rest}))`
  }, '')
  // said twice, so that an index can begin there
  return `${first?.sql} ${first?.isDescending === true ? '<=' : '>='} ${firstPlace} AND ${chain}`
}

/** Of very long titles the beginning: what a page ends with has to fit into an address. */
function compared(column: string): string {
  return `substr(${column}, 1, 300)`
}
