/** One page of a search: writes the statement around the chosen driver, and finds the start of the next page. */
import { type Caller, isGuest, badRequest } from '../../contract/failure.ts'
import { type Order, type QNode, type OrderKey, walkTests } from '../../protocol/q/q-fields.ts'
import type { Database, Value } from '../../persistence/database/database.ts'
import { MY_ACLS, MY_GROUPS, MY_PRINCIPALS, findVisibleFile, isLimitedToApp } from '../access/access.ts'
import type { FileRow } from '../items/file-row.ts'
import { writeCondition } from './conditions.ts'
import {
  type StatementBuilder,
  type DrivingSet,
  findItemSet,
  bindValue,
  statementBuilder,
  chooseDrivingSet,
  contentMatch,
  stateColumn,
} from './sets.ts'
import { type FileView, viewFiles } from '../items/file-view.ts'

export interface ItemSearch {
  /** Undefined for all items in the caller's lists. */
  readonly search: QNode | undefined
  readonly orders: readonly Order[]
  readonly spaces: readonly FileRow['space'][]
  readonly corpus: Corpus
  /** Maximum items per page. */
  readonly most: number
  /** Sort values of the last item of the page before. */
  readonly after: readonly Value[] | undefined
}

interface FoundPage {
  /** Keys of `files`, in order. */
  readonly keys: readonly number[]
  /** Undefined on the last page. */
  readonly next: readonly Value[] | undefined
  /** Sort values after which a page starts that skips the first `count` of these items. */
  readonly behind: (count: number) => readonly Value[]
}

/** Finds a page in one snapshot of the store. @throws 400 — a full-text search with `orderBy` */
export function findPage(db: Database, caller: Caller, search: ItemSearch): FoundPage {
  const statement = statementBuilder(db, caller)
  const { sql, width } = write(statement, search)
  const rows = db.all<Record<string, Value>>(sql, ...statement.values)
  const page = rows.slice(0, search.most)
  const behindRow = (count: number) =>
    Array.from({ length: width }, (_, at) => page[count - 1]?.[`k${at}`] ?? null)
  return {
    keys: page.map(({ pk }) => Number(pk)),
    next: rows.length > search.most ? behindRow(page.length) : undefined,
    behind: behindRow,
  }
}

/** SQL of a page, for inspecting its query plan. */
export function writePage(statement: StatementBuilder, search: ItemSearch): string {
  return write(statement, search).sql
}

function write(
  statement: StatementBuilder,
  search: ItemSearch,
): { readonly sql: string; readonly width: number } {
  const { db, caller } = statement
  const index = chooseIndex(search.orders)
  const linked = chooseLinkedFolder(db, caller, search)
  const driver = linked ?? chooseDrivingSet(db, caller, search.search, index !== undefined)
  const keys = orderKeys(statement, search, driver)
  const select: Select = {
    columns: ['f.pk AS pk', ...keys.map(({ sql }, at) => `${sql} AS k${at}`)].join(', '),
    condition: writeConditions(statement, search, driver, keys),
    acls: linked === undefined ? aclsIn(search.corpus) : LINKED_ACLS,
    tail: ` ORDER BY ${orderClause(keys)} LIMIT ${bindValue(statement, search.most + 1)}`,
    state: statement.needsState ? ' LEFT JOIN user_state s ON s.user = ?1 AND s.item = f.pk' : '',
  }
  const from = driver.set?.write(statement)
  const sql = from === undefined ? walk(statement, select, index) : fromSet(from, select)
  return { sql, width: keys.length }
}

interface Select {
  readonly columns: string
  readonly condition: string
  readonly tail: string
  /** SQL subquery, in parentheses, that selects the access lists to search. */
  readonly acls: string
  /** Join with the caller's own row about the item. */
  readonly state: string
}

function writeConditions(
  statement: StatementBuilder,
  search: ItemSearch,
  driver: DrivingSet,
  keys: readonly SortKey[],
): string {
  const { caller } = statement
  const spaces = search.spaces.filter((space) => mayList(caller, space))
  const parts = ['f.is_root = 0', spaceCondition(caller, spaces)]
  const limit = corpusCondition(search.corpus)
  if (limit !== undefined) parts.push(limit)
  if (isLimitedToApp(caller, 'read')) parts.push(`f.client = ${caller.client}`)
  const [only, ...others] = driver.rest
  if (only !== undefined)
    parts.push(writeCondition(statement, others.length === 0 ? only : { kind: 'and', parts: driver.rest }))
  if (search.after !== undefined) parts.push(writeAfterCondition(statement, keys, search.after))
  return parts.join(' AND ')
}

/** The plus sign stops SQLite from starting at the index of access lists. */
function fromSet(set: string, { columns, condition, tail, state, acls }: Select): string {
  const from = `(${set}) d CROSS JOIN files f ON f.pk = d.pk${state}`
  return `SELECT ${columns} FROM ${from} WHERE +f.acl IN ${acls} AND ${condition}${tail}`
}

/** Limits on writing one branch per access list: beyond them the statement takes another form. */
const MAX_BRANCHES = 64
const MAX_SQL_LENGTH = 200_000
const MAX_SETS = 8

/** Merges the items of each access list in the order of the index: a page lies within the first items of each. */
function walk({ db, caller, sets }: StatementBuilder, select: Select, index: string | undefined): string {
  const { columns, condition, tail, state, acls: mine } = select
  const from = (acl: string): string => {
    const table = `files f INDEXED BY ${index ?? 'files_seen'}${state}`
    return `SELECT ${columns} FROM ${table} WHERE f.acl ${acl} AND ${condition}${tail}`
  }
  const found = db.all<{ acl: number }>(`${mine.slice(1, -1)} LIMIT ${MAX_BRANCHES + 1}`, caller.user)
  const acls = [...new Set(found.map(({ acl }) => acl))]
  const isShort = acls.length * condition.length < MAX_SQL_LENGTH && acls.length * sets <= MAX_SETS
  const isMergeable = found.length <= MAX_BRANCHES && isShort
  if (acls.length === 1) return from(`= ${acls[0]}`)
  if (acls.length === 0 || index === undefined) return from(`IN ${mine}`)
  if (!isMergeable) return takeFirsts(select, from('= a.acl'))
  const branches = acls.map((acl) => `SELECT * FROM (${from(`= ${acl}`)})`)
  return `SELECT * FROM (${branches.join(' UNION ALL ')})${tail}`
}

/** Sorts only the first items of each access list, for callers with many lists. */
function takeFirsts({ columns, tail, state, acls }: Select, ofOne: string): string {
  const from = `(SELECT DISTINCT acl FROM ${acls}) a CROSS JOIN files f ON f.pk IN (SELECT pk FROM (${ofOne}))${state}`
  return `SELECT ${columns} FROM ${from}${tail}`
}

/** True if the scopes of the token open the space. */
function mayList({ scopes }: Caller, space: FileRow['space']): boolean {
  const others = scopes.some((scope) => scope !== 'drive.appdata')
  return space === 'drive' ? others : scopes.includes('drive.appdata') || scopes.includes('drive')
}

function spaceCondition({ client }: Caller, spaces: readonly FileRow['space'][]): string {
  const conditions = spaces.map((space) =>
    space === 'drive' ? "f.space = 'drive'" : `(f.space = 'appDataFolder' AND f.client = ${client})`,
  )
  return conditions.length === 0 ? '0' : `(${conditions.join(' OR ')})`
}

/** Access lists by which the caller may open an item, listed or not. */
const LINKED_ACLS = `(SELECT acl FROM acl_entries WHERE principal IN ${MY_PRINCIPALS})`

const UNLISTED = `SELECT 1 FROM files WHERE pk = ?2 AND acl NOT IN ${MY_ACLS}`

interface Searched {
  readonly search: QNode | undefined
  readonly corpus: Corpus
}

/**
 * Driver for a search in a folder that is not in the caller's lists, because other indexes cover only listed items.
 * Undefined if the search names no such folder.
 */
function chooseLinkedFolder(
  db: Database,
  caller: Caller,
  { search, corpus }: Searched,
): DrivingSet | undefined {
  const tests = search === undefined ? [] : search.kind === 'and' ? search.parts : [search]
  const test = tests.find((one) => isOfLinkedFolder(db, caller, one, corpus))
  const set = test === undefined ? undefined : findItemSet(test)
  return set === undefined ? undefined : { set, rest: tests.filter((other) => other !== test), count: 0 }
}

function isOfLinkedFolder(db: Database, caller: Caller, test: QNode, corpus: Corpus): boolean {
  if (test.kind !== 'member' || test.of !== 'parents') return false
  // guests have no lists, and may search only in folders (`findGuest`)
  if (isGuest(caller)) return true
  const folder = findVisibleFile(db, caller, test.value)
  if (folder === undefined || !isIn(folder, corpus)) return false
  return db.get(UNLISTED, caller.user, folder.pk) !== undefined
}

function isIn({ drive }: FileRow, corpus: Corpus): boolean {
  switch (corpus.kind) {
    case 'mine':
      return drive === null
    case 'drive':
      return drive === corpus.drive
    case 'given':
    case 'all':
      return true
    case 'domain':
      return false
  }
}

interface FilePage {
  readonly files: readonly FileView[]
  /** Undefined on the last page. */
  readonly next: readonly Value[] | undefined
}

/** Items read at once: limits memory, because their metadata may be long. */
const ROWS_AT_ONCE = 50

/**
 * Lists files from one snapshot of the store; the page ends before the first that does not fit. @throws 400 — a
 * full-text search with `orderBy`
 */
export function listFiles(
  db: Database,
  caller: Caller,
  search: ItemSearch,
  fits: (file: FileView) => boolean = () => true,
): FilePage {
  const { keys, next, behind } = findPage(db, caller, search)
  const files: FileView[] = []
  for (let at = 0; at < keys.length; at += ROWS_AT_ONCE)
    for (const file of viewFiles(db, caller, keys.slice(at, at + ROWS_AT_ONCE))) {
      if (!fits(file)) return { files, next: behind(keys.indexOf(file.row.pk)) }
      files.push(file)
    }
  return { files, next }
}

export type Corpus =
  /** Items outside shared drives. */
  | { readonly kind: 'mine' }
  /** Items of `mine`, and items in shared drives that the caller made, changed, opened or shared, or that were shared with the caller. */
  | { readonly kind: 'given' }
  /** Items of `mine`, and all items in shared drives. */
  | { readonly kind: 'all' }
  /** Items granted to the caller's domain. */
  | { readonly kind: 'domain' }
  | { readonly kind: 'drive'; readonly drive: number }

/** Access lists of the items in the corpus. */
function aclsIn(corpus: Corpus): string {
  switch (corpus.kind) {
    case 'mine':
      return among('a.drive IS NULL')
    case 'drive':
      return among(`a.drive = ${corpus.drive}`)
    case 'domain':
      return among(`a.drive IS NULL AND EXISTS (SELECT 1 FROM acl_entries o JOIN principals p ON p.pk = o.principal
        WHERE o.acl = a.pk AND p.kind = 'domain' AND p.pk IN ${MY_GROUPS})`)
    case 'given':
    case 'all':
      return MY_ACLS
  }
}

function among(condition: string): string {
  return `(SELECT e.acl FROM acl_entries e CROSS JOIN acls a ON a.pk = e.acl
    WHERE e.is_listed = 1 AND e.principal IN ${MY_GROUPS} AND ${condition})`
}

/** Extra condition on each item of the corpus; undefined if there is none. */
function corpusCondition({ kind }: Corpus): string | undefined {
  if (kind !== 'given') return undefined
  return `(f.drive IS NULL OR f.modifier = ?1
    OR EXISTS (SELECT 1 FROM grants WHERE item = f.pk AND (granter = ?1 OR principal IN ${MY_GROUPS}))
    OR EXISTS (SELECT 1 FROM user_state WHERE user = ?1 AND item = f.pk
      AND (viewed_at IS NOT NULL OR modified_at IS NOT NULL)))`
}

/** Sort key of a list as an expression on `f`; it is never null, so that a page can begin after any row (spec 5.8). */
interface SortKey {
  readonly sql: string
  readonly isDescending: boolean
}

interface OrderedSearch {
  readonly search: QNode | undefined
  readonly orders: readonly Order[]
  readonly after: readonly Value[] | undefined
}

/** The id breaks ties. */
const BY_ID: SortKey = { sql: 'f.id', isDescending: false }
const NEWEST: readonly SortKey[] = [{ sql: 'f.modified', isDescending: true }, BY_ID]

/** Index that has the items of an access list in this order, or in the reverse order. */
function chooseIndex(orders: readonly Order[]): string | undefined {
  const [first] = orders
  if (first === undefined || first.key === 'modifiedDate') return 'files_seen'
  return first.key === 'title' ? 'files_titles' : undefined
}

/**
 * Sorts a full-text search by relevance, or by date if it has very many results; all pages of a search keep the same
 * order.
 * @throws 400 — another order is requested
 */
function orderKeys(
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
function orderClause(keys: readonly SortKey[]): string {
  return keys.map(({ isDescending }, at) => `k${at}${isDescending ? ' DESC' : ''}`).join(', ')
}

/** Condition for rows after a row with these values. */
function writeAfterCondition(
  statement: StatementBuilder,
  keys: readonly SortKey[],
  values: readonly Value[],
): string {
  const bound = values.map((value) => bindValue(statement, value))
  const [first, firstBound] = [keys[0], bound[0]]
  const chain = keys.reduceRight((rest, { sql, isDescending }, at) => {
    const further = `${sql} ${isDescending ? '<' : '>'} ${bound[at]}`
    return rest === '' ? further : `(${further} OR (${sql} = ${bound[at]} AND ${rest}))`
  }, '')
  // the first comparison repeats the chain's, so that an index range can begin there
  return `${first?.sql} ${first?.isDescending === true ? '<=' : '>='} ${firstBound} AND ${chain}`
}

/** Cuts very long titles, because the last item's sort values have to fit into a page token in a URL. */
function compared(column: string): string {
  return `substr(${column}, 1, 300)`
}
