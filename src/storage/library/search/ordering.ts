/** The order of a list as expressions on `f`; none of them is ever null, so that a page can begin behind any row (spec 5.8). */
import type { Value } from '../../store/database.ts'
import type { Order, OrderKey } from '../../query/order.ts'
import { bind, type Building, stateColumn } from './statement.ts'

export interface SortKey {
  readonly sql: string
  readonly isDescending: boolean
}

/** Ties are broken by the id. */
const BY_ID: SortKey = { sql: 'f.id', isDescending: false }

export function sortKeys(statement: Building, orders: readonly Order[]): SortKey[] {
  if (orders.length === 0) return [{ sql: 'f.modified', isDescending: true }, BY_ID]
  return [...orders.map(({ key, isDescending }) => ({ sql: sqlOf(statement, key), isDescending })), BY_ID]
}

/** What a full-text search is answered by: titles that fit come first, then what is newest. */
export function relevanceKeys(statement: Building, titleMatch: string): SortKey[] {
  const inTitle = `f.pk IN (SELECT rowid FROM words WHERE words MATCH ${bind(statement, titleMatch)})`
  return [{ sql: inTitle, isDescending: true }, { sql: 'f.modified', isDescending: true }, BY_ID]
}

function sqlOf(statement: Building, key: OrderKey): string {
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

export function orderClause(keys: readonly SortKey[]): string {
  return keys.map(({ sql, isDescending }) => `${sql}${isDescending ? ' DESC' : ''}`).join(', ')
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
