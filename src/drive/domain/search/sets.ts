/** Searches that an index answers at once, as sets of distinct items from which a statement can start. */
import { FOLDER_MIME, foldTitle, wordsIn } from '../../contract/kinds.ts'
import type { QNode, QTest } from '../../protocol/q/q-fields.ts'
import { MY_ACLS, MY_GROUPS, findVisibleFile } from '../access/access.ts'
import { isPublic } from '../properties/properties.ts'
import { type Database, type Value, countRows } from '../../persistence/database/database.ts'
import type { Caller } from '../../contract/failure.ts'

interface ItemSet {
  /** Writes `SELECT … AS pk`; all matching items are in the set. */
  readonly write: (statement: StatementBuilder) => string
  /** True if the set has no other items of the caller. */
  readonly isExact: boolean
}

type Writer = ItemSet['write']
type Test<Kind extends QTest['kind']> = Extract<QTest, { readonly kind: Kind }>

/** Maximum parts of a UNION; SQLite allows 500. */
const MAX_PARTS = 100

/** Undefined if no index covers the test. */
export function findItemSet(node: QNode): ItemSet | undefined {
  return uniteSets(node.kind === 'or' ? node.parts : [node])
}

/** One set for several word tests that must all hold: the word index joins them fastest. */
function termsSet(tests: readonly QNode[]): ItemSet | undefined {
  const matches = tests.flatMap(listMatchTerms)
  return matches.length === 0 ? undefined : { write: matching(matches, 'AND'), isExact: true }
}

/** Operands for `words MATCH`; empty if the node is not a word test, or if every item matches it. */
function listMatchTerms(node: QNode): string[] {
  if (node.kind !== 'text' || node.op !== 'contains' || node.field === 'mimeType') return []
  const match = node.field === 'title' ? titleMatch(node.value) : contentMatch(node.value)
  return match === undefined ? [] : [match]
}

/** Tests gathered into one statement, because clients name hundreds of titles. */
interface Gathered {
  readonly titles: string[]
  readonly folders: string[]
  readonly matches: string[]
  readonly others: ItemSet[]
}

function uniteSets(parts: readonly QNode[]): ItemSet | undefined {
  const gathered: Gathered = { titles: [], folders: [], matches: [], others: [] }
  if (!parts.every((part) => gather(part, gathered))) return undefined
  const { titles, folders, matches, others } = gathered
  const writers = others.map(({ write }) => write)
  if (titles.length > 0) writers.push(titled(titles))
  if (folders.length > 0) writers.push(writeChildren(folders))
  if (matches.length > 0) writers.push(matching(matches, 'OR'))
  if (writers.length > MAX_PARTS) return undefined
  return {
    write: (statement) => writers.map((write) => write(statement)).join(' UNION '),
    isExact: others.every((set) => set.isExact),
  }
}

/** @returns true if an index covers the node */
function gather(node: QNode, { titles, folders, matches, others }: Gathered): boolean {
  const [match] = listMatchTerms(node)
  if (match !== undefined) matches.push(match)
  else if (node.kind === 'text' && node.field === 'title' && node.op === '=') titles.push(node.value)
  else if (node.kind === 'member' && node.of === 'parents') folders.push(node.value)
  else {
    const other = otherSet(node)
    if (other === undefined) return false
    others.push(other)
  }
  return true
}

function otherSet(node: QNode): ItemSet | undefined {
  switch (node.kind) {
    case 'or':
      return uniteSets(node.parts)
    case 'and': {
      const set = node.parts.map(findItemSet).find((one) => one !== undefined)
      return set === undefined ? undefined : { write: set.write, isExact: false }
    }
    case 'text':
      return isFolders(node) ? FOLDERS : undefined
    case 'flag':
      return node.value ? FLAGGED.get(node.field) : undefined
    case 'property':
      return { write: withProperty(node), isExact: true }
    default:
      return undefined
  }
}

function isFolders({ field, op, value }: Test<'text'>): boolean {
  return field === 'mimeType' && op === '=' && value.toLowerCase() === FOLDER_MIME
}

const FOLDERS: ItemSet = {
  write: () => `SELECT pk FROM files WHERE acl IN ${MY_ACLS} AND kind = 'folder'`,
  isExact: true,
}

const FLAGGED: ReadonlyMap<string, ItemSet> = new Map([
  ['trashed', { write: () => `SELECT pk FROM files WHERE acl IN ${MY_ACLS} AND trashed = 1`, isExact: true }],
  [
    'starred',
    { write: () => 'SELECT item AS pk FROM user_state WHERE user = ?1 AND starred = 1', isExact: true },
  ],
  [
    'sharedWithMe',
    // includes items that the caller owns
    {
      write: () => `SELECT DISTINCT item AS pk FROM grants WHERE principal IN ${MY_GROUPS}`,
      isExact: false,
    },
  ],
])

function matching(matches: readonly string[], join: 'AND' | 'OR'): Writer {
  const match = matches.map((one) => `(${one})`).join(` ${join} `)
  return (statement) => `SELECT rowid AS pk FROM words WHERE words MATCH ${bindValue(statement, match)}`
}

/** Compares prefixes first, because the index holds only the beginnings of titles. */
function titled(titles: readonly string[]): Writer {
  return (statement) => {
    const folded = titles.map((title) => bindValue(statement, foldTitle(title)))
    const begun = `substr(fold, 1, 300) IN (${folded.map((text) => `substr(${text}, 1, 300)`).join(', ')})`
    const from = 'files INDEXED BY files_titles'
    return `SELECT pk FROM ${from} WHERE acl IN ${MY_ACLS} AND ${begun} AND fold IN (${folded.join(', ')})`
  }
}

/** Folders that the caller may not see count as empty. */
function writeChildren(ids: readonly string[]): Writer {
  return (statement) => {
    const folders = ids.flatMap((id) => {
      const folder = findVisibleFile(statement.db, statement.caller, id)
      return folder === undefined ? [] : [bindValue(statement, folder.pk)]
    })
    return `SELECT DISTINCT child AS pk FROM parents WHERE parent IN (${folders.join(', ')})`
  }
}

function withProperty({ key, value, visibility }: Test<'property'>): Writer {
  return (statement) => {
    const valued = value === undefined ? '' : ` AND value = ${bindValue(statement, value)}`
    const named = `key = ${bindValue(statement, key)}${valued} AND app IN ${writeAppCondition(statement, visibility)}`
    return `SELECT DISTINCT file AS pk FROM properties WHERE ${named}`
  }
}

/** App 0 holds public properties; private ones match only for the caller's own client. */
export function writeAppCondition({ caller }: StatementBuilder, visibility: string | undefined): string {
  if (visibility === undefined) return `(0, ${caller.client})`
  return isPublic(visibility) ? '(0)' : `(${caller.client})`
}

export interface DrivingSet {
  /** Undefined to walk all items in the order of an index. */
  readonly set: ItemSet | undefined
  /** Tests that remain to be applied to each item. */
  readonly rest: readonly QNode[]
  /** Items in the set, counted up to `MAX_COUNTED` + 1. */
  readonly count: number
}

/**
 * Largest set to start from. Fetching and sorting this many random items takes about 10 ms, as long as filling a page
 * by a walk over a million items in order. Below it the set is faster, above it the walk.
 */
export const MAX_COUNTED = 5000

/**
 * Chooses the smallest set if it is small, or if no index has the order, because all items would have to be sorted
 * then. Counting a set takes no longer than using it.
 */
export function chooseDrivingSet(
  db: Database,
  caller: Caller,
  search: QNode | undefined,
  isOrdered: boolean,
): DrivingSet {
  const tests = search === undefined ? [] : search.kind === 'and' ? search.parts : [search]
  let best: DrivingSet = { set: undefined, rest: tests, count: Number.POSITIVE_INFINITY }
  for (const { set, rest } of candidatesIn(tests)) {
    const count = countUpTo(db, caller, set)
    if (count < best.count) best = { set, rest, count }
    if (count === 0) break
  }
  return best.count > MAX_COUNTED && isOrdered ? { set: undefined, rest: tests, count: best.count } : best
}

interface Candidate {
  readonly set: ItemSet
  readonly rest: readonly QNode[]
}

/** Maximum candidate sets, since each is counted. */
const MAX_CANDIDATES = 16

function candidatesIn(tests: readonly QNode[]): Candidate[] {
  const words = tests.filter((test) => listMatchTerms(test).length > 0)
  const others = words.length === 0 ? tests : tests.filter((test) => !words.includes(test))
  const found: Candidate[] = []
  for (const test of others) {
    const set = found.length < MAX_CANDIDATES ? findItemSet(test) : undefined
    if (set !== undefined) found.push({ set, rest: tests.filter((other) => other !== test) })
  }
  const wordsFound = termsSet(words)
  if (wordsFound !== undefined) found.push({ set: wordsFound, rest: others })
  return found.map(({ set, rest }) => ({ set, rest: set.isExact ? rest : tests }))
}

function countUpTo(db: Database, caller: Caller, set: ItemSet): number {
  const statement = statementBuilder(db, caller)
  const items = set.write(statement)
  const sql = `SELECT count(*) AS count FROM (SELECT pk FROM (${items}) LIMIT ${bindValue(statement, MAX_COUNTED + 1)})`
  return countRows(db, sql, ...statement.values)
}

/** Match in which each word begins a word of the title. Undefined if the operand has no words, so that every title matches. */
export function titleMatch(operand: string): string | undefined {
  const words = wordsIn(operand)
  return words.length === 0 ? undefined : `title : (${words.map((word) => `"${word}" *`).join(' AND ')})`
}

/** Match in which every word occurs whole, and quoted text as a phrase. Undefined if the operand has no words. */
export function contentMatch(operand: string): string | undefined {
  // every second part is a phrase
  const parts = operand
    .split(/"([^"]*)"/)
    .flatMap((text, at) => (at % 2 === 0 ? wordsIn(text) : [wordsIn(text).join(' ')]))
  const terms = parts.filter((part) => part !== '').map((part) => `"${part}"`)
  return terms.length === 0 ? undefined : terms.join(' AND ')
}

export interface StatementBuilder {
  readonly db: Database
  readonly caller: Caller
  /** Bound values; the first is the caller's user, ?1. */
  readonly values: Value[]
  /** True to join `s`, the caller's row of `user_state`. */
  needsState: boolean
  /** Number of word searches in the conditions; each branch of a statement runs them again. */
  sets: number
}

export function statementBuilder(db: Database, caller: Caller): StatementBuilder {
  return { db, caller, values: [caller.user], needsState: false, sets: 0 }
}

/** Binds a value. @returns its placeholder */
export function bindValue({ values }: StatementBuilder, value: Value): string {
  return `?${values.push(value)}`
}

/** Column of `s`; null if the caller has no row. */
export function stateColumn(statement: StatementBuilder, name: string): string {
  statement.needsState = true
  return `s.${name}`
}
