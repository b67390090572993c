/** files.list: what the caller owns and what he was given, searched, ordered, a page at a time (spec 5.8). */
import type { Caller } from '../model/caller.ts'
import { badRequest } from '../model/failure.ts'
import type { Order } from '../query/order.ts'
import { type QNode, testsOf } from '../query/q-tree.ts'
import type { Database, Value } from '../store/database.ts'
import { isConfined, MY_ACLS } from './access.ts'
import type { FileRow } from './file-row.ts'
import { type FileView, viewsOf } from './file-view.ts'
import { conditionOf } from './search/conditions.ts'
import { contentMatch, titleMatch } from './search/full-text.ts'
import { behind, orderClause, relevanceKeys, type SortKey, sortKeys } from './search/ordering.ts'
import { bind, type Building, building } from './search/statement.ts'

export interface ListFiles {
  readonly search: QNode | undefined
  readonly orders: readonly Order[]
  readonly spaces: readonly FileRow['space'][]
  /** Items of a page. */
  readonly most: number
  /** The sort values of the last item of the page before. */
  readonly after: readonly Value[] | undefined
}

export interface FilePage {
  readonly files: readonly FileView[]
  /** Undefined: there are no more. */
  readonly next: readonly Value[] | undefined
}

/** On one state of the store. @throws 400 — a full-text search is ordered by relevance */
export function listFiles(db: Database, caller: Caller, list: ListFiles): FilePage {
  const statement = building(db, caller)
  const condition = whereClause(statement, list)
  const keys = keysOf(statement, list)
  const start = list.after === undefined ? '' : ` AND ${behind(statement, keys, list.after)}`
  const columns = keys.map(({ sql }, at) => `${sql} AS k${at}`).join(', ')
  const order = orderClause(keys)
  const limit = bind(statement, list.most + 1)
  const state = statement.needsState ? ' LEFT JOIN user_state s ON s.user = ?1 AND s.item = f.pk' : ''
  const sql = `SELECT f.pk, ${columns} FROM files f${state} WHERE ${condition}${start} ORDER BY ${order} LIMIT ${limit}`
  const rows = db.all<Record<string, Value>>(sql, ...statement.values)
  const page = rows.slice(0, list.most)
  const last = rows.length > list.most ? page.at(-1) : undefined
  return {
    files: viewsOf(
      db,
      caller,
      page.map(({ pk }) => Number(pk)),
    ),
    next: last === undefined ? undefined : keys.map((_, at) => last[`k${at}`] ?? null),
  }
}

function whereClause(statement: Building, { search, spaces }: ListFiles): string {
  const { caller } = statement
  const open = spaces.filter((space) => mayList(caller, space))
  const parts = [aclCondition(statement), 'f.is_root = 0', spaceCondition(statement, open)]
  if (isConfined(caller, 'read')) parts.push(`f.client = ${bind(statement, caller.client)}`)
  if (search !== undefined) parts.push(conditionOf(statement, search))
  return parts.join(' AND ')
}

/** One set of rights is the usual case, and lets the index give the newest first without sorting. */
function aclCondition({ db, caller }: Building): string {
  const acls = db.all<{ acl: number }>(`${MY_ACLS.slice(1, -1)} LIMIT 2`, caller.user)
  const [first] = acls
  return acls.length === 1 && first !== undefined ? `f.acl = ${first.acl}` : `f.acl IN ${MY_ACLS}`
}

function mayList({ scopes }: Caller, space: FileRow['space']): boolean {
  const others = scopes.some((scope) => scope !== 'drive.appdata')
  return space === 'drive' ? others : scopes.includes('drive.appdata') || scopes.includes('drive')
}

function spaceCondition(statement: Building, spaces: readonly FileRow['space'][]): string {
  const conditions = spaces.map((space) =>
    space === 'drive'
      ? "f.space = 'drive'"
      : `(f.space = 'appDataFolder' AND f.client = ${bind(statement, statement.caller.client)})`,
  )
  return conditions.length === 0 ? '0' : `(${conditions.join(' OR ')})`
}

function keysOf(statement: Building, { search, orders }: ListFiles): SortKey[] {
  const fullText = search === undefined ? undefined : fullTextIn(search)
  if (fullText === undefined) return sortKeys(statement, orders)
  if (orders.length > 0)
    throw badRequest('Sorting is not supported for queries with fullText terms.', 'orderBy')
  const inTitle = contentMatch(fullText) === undefined ? undefined : titleMatch(fullText)
  return inTitle === undefined ? sortKeys(statement, []) : relevanceKeys(statement, inTitle)
}

/** The operand of its first test of the full text. */
function fullTextIn(search: QNode): string | undefined {
  for (const test of testsOf(search)) if (test.kind === 'text' && test.field === 'fullText') return test.value
  return undefined
}
