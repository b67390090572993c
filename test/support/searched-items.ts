/** Items for search tests, as data and as database rows, and a plain implementation of the search. */
import { type Connection, wrapConnection } from '../../src/drive/persistence/database/connection.ts'
import { MIGRATIONS } from '../../src/drive/persistence/database/tables/schema.ts'
import { ANYONE } from '../../src/drive/persistence/database/tables/schema.ts'
import { loadSqlite } from '../../src/drive/persistence/database/sqlite.ts'
import { foldTitle, naturalTitle, splitExtensions } from '../../src/drive/contract/kinds.ts'
import type { Caller } from '../../src/drive/contract/failure.ts'
import type { Comparison, Order, QNode, QTest } from '../../src/drive/protocol/q/q-fields.ts'

/**
 * Access of user 1: owner; granted directly; granted to a group; opened only by id; none; owner, and open to others.
 */
export const RIGHTS = ['mine', 'given', 'grouped', 'linked', 'hidden', 'shown'] as const

export interface Item {
  readonly id: string
  readonly title: string
  readonly mime: string
  readonly rights: (typeof RIGHTS)[number]
  readonly created: number
  readonly modified: number
  readonly isTrashed: boolean
  readonly isStarred: boolean
  readonly viewed: number | undefined
  readonly description: string
  readonly content: string
  /** Ids of folders. */
  readonly parents: readonly string[]
  readonly properties: readonly { readonly app: number; readonly key: string; readonly value: string }[]
}

export const ME: Caller = { user: 1, client: 1, scopes: ['drive'] }
const FOLDER = 'application/vnd.google-apps.folder'

/** Principals: 1 the user, 2 another user, 3 a group of the user, and anyone. */
const ENTRIES: Readonly<
  Record<Item['rights'], readonly (readonly [principal: number, role: string, isListed: number])[]>
> = {
  mine: [[1, 'owner', 1]],
  given: [
    [2, 'owner', 1],
    [1, 'writer', 1],
  ],
  grouped: [
    [2, 'owner', 1],
    [3, 'reader', 1],
  ],
  linked: [
    [2, 'owner', 1],
    [1, 'reader', 0],
  ],
  hidden: [[2, 'owner', 1]],
  shown: [
    [1, 'owner', 1],
    [2, 'commenter', 1],
    [ANYONE, 'reader', 0],
  ],
}

export async function databaseOf(items: readonly Item[]): Promise<Connection> {
  const { DatabaseSync } = await loadSqlite()
  const db = wrapConnection(new DatabaseSync(':memory:', {}))
  for (const migration of MIGRATIONS) db.exec(migration)
  db.exec(`BEGIN; INSERT INTO principals(pk, kind, id, email, name) VALUES (1, 'user', 'u1', 'me@lab.test', 'me'),
    (2, 'user', 'u2', 'other@lab.test', 'other'), (3, 'group', 'g', 'group@lab.test', 'group');
    INSERT INTO members VALUES (3, 1); INSERT INTO clients(pk, id, name) VALUES (1, 'c1', 'c1'), (2, 'c2', 'c2')`)
  const used = new Set(items.map(({ rights }) => rights))
  RIGHTS.forEach((rights, at) => {
    if (!used.has(rights)) return
    db.run('INSERT INTO acls(pk, digest) VALUES (?, ?)', at + 1, rights)
    for (const entry of ENTRIES[rights])
      db.run('INSERT INTO acl_entries VALUES (?, ?, ?, ?)', at + 1, ...entry)
  })
  const keys = new Map(items.map(({ id }, at) => [id, at + 1]))
  for (const item of items) addItem(db, item, keys)
  db.exec('COMMIT')
  return db
}

function addItem(db: Connection, item: Item, keys: ReadonlyMap<string, number>): void {
  const pk = keys.get(item.id) ?? 0
  const { title, mime, rights } = item
  const columns =
    'pk, id, kind, title, fold, natural, mime, owner, client, acl, created, modified, modifier, trashed, extension'
  const kind = mime === FOLDER ? 'folder' : 'file'
  db.run(
    `INSERT INTO files(${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    pk,
    item.id,
    kind,
    title,
    foldTitle(title),
    naturalTitle(title),
    mime,
    ownerOf(item),
    1,
    RIGHTS.indexOf(rights) + 1,
    item.created,
    item.modified,
    1,
    item.isTrashed ? 1 : 0,
    splitExtensions(title)?.last ?? null,
  )
  for (const parent of item.parents)
    db.run('INSERT OR IGNORE INTO parents VALUES (?, ?)', keys.get(parent) ?? 0, pk)
  const state = 'INSERT INTO user_state(user, item, starred, viewed_at) VALUES (?, ?, ?, ?)'
  if (item.isStarred || item.viewed !== undefined)
    db.run(state, 1, pk, item.isStarred ? 1 : 0, item.viewed ?? null)
  // stars of another user do not count
  db.run(state, 2, pk, 1, null)
  for (const [principal, role] of ENTRIES[rights]) {
    db.run('INSERT INTO grants VALUES (?, ?, ?, 0, NULL, 0, 2)', pk, principal, role)
  }
  for (const { app, key, value } of item.properties)
    db.run('INSERT OR IGNORE INTO properties VALUES (?, ?, ?, ?)', pk, app, key, value)
  db.run(
    'INSERT INTO words(rowid, title, body, content) VALUES (?, ?, ?, ?)',
    pk,
    title,
    item.description,
    item.content,
  )
}

function ownerOf({ rights }: Item): number {
  return rights === 'mine' || rights === 'shown' ? 1 : 2
}

/** Listed items that match. In a folder that is opened only by id: also items that can be opened by id. */
export function fitting(items: readonly Item[], search: QNode | undefined): Item[] {
  const parts = search?.kind === 'and' ? search.parts : search === undefined ? [] : [search]
  const isLinked = parts.some(
    (part) =>
      part.kind === 'member' &&
      part.of === 'parents' &&
      items.find(({ id }) => id === part.value)?.rights === 'linked',
  )
  const listed = items.filter(({ rights }) => rights !== 'hidden' && (isLinked || rights !== 'linked'))
  return listed.filter((item) => search === undefined || fits(item, search, items))
}

function fits(item: Item, node: QNode, items: readonly Item[]): boolean {
  switch (node.kind) {
    case 'and':
      return node.parts.every((part) => fits(item, part, items))
    case 'or':
      return node.parts.some((part) => fits(item, part, items))
    case 'not':
      return !fits(item, node.inner, items)
    default:
      return fitsTest(item, node, items)
  }
}

function fitsTest(item: Item, test: QTest, items: readonly Item[]): boolean {
  switch (test.kind) {
    case 'text':
      return fitsText(item, test)
    case 'date': {
      const date = {
        modifiedDate: item.modified,
        createdDate: item.created,
        lastViewedByMeDate: item.viewed,
        sharedWithMeDate: undefined,
      }[test.field]
      return date === undefined ? test.op === '!=' : compares(date, test.op, test.value)
    }
    case 'flag':
      return flagOf(item, test.field) === test.value
    case 'member':
      return fitsMember(item, test.of, test.value, items)
    case 'property':
      return item.properties.some(
        ({ app, key, value }) =>
          (app === 0 ? test.visibility !== 'PRIVATE' : app === 1 && test.visibility !== 'PUBLIC') &&
          key === test.key &&
          (test.value === undefined || value === test.value),
      )
    case 'count':
      throw new Error('files have no counts')
  }
}

function fitsText(item: Item, { field, op, value }: Extract<QTest, { kind: 'text' }>): boolean {
  const same = (a: string | undefined, b: string) => (a?.toLowerCase() === b.toLowerCase()) === (op === '=')
  switch (field) {
    case 'title':
      if (op === 'contains')
        return wordsOf(value).every((word) => wordsOf(item.title).some((one) => one.startsWith(word)))
      return (foldTitle(item.title) === foldTitle(value)) === (op === '=')
    case 'fullText':
      return fitsWords([item.title, item.description, item.content].map(wordsOf), value)
    case 'mimeType':
      return op === 'contains'
        ? item.mime.toLowerCase().includes(value.toLowerCase())
        : same(item.mime, value)
    case 'fileExtension':
      return same(splitExtensions(item.title)?.last, value)
    case 'shortcutDetails.targetId':
      return op === '!='
    case 'visibility':
      return ((item.rights === 'shown' ? 'anyoneWithLink' : 'limited') === value) === (op === '=')
    case 'name':
      throw new Error('files have no names')
  }
}

/** Words in any of the texts; a quoted phrase within one of them. */
function fitsWords(texts: readonly (readonly string[])[], operand: string): boolean {
  return operand.split('"').every((piece, at) => {
    const words = wordsOf(piece)
    if (at % 2 === 1)
      return (
        texts.some((text) =>
          text.some((_, from) => words.every((word, next) => text[from + next] === word)),
        ) || words.length === 0
      )
    return words.every((word) => texts.some((text) => text.includes(word)))
  })
}

const cut = new Map<string, readonly string[]>()

/** Runs of letters and digits, without diacritics and case. */
function wordsOf(text: string): readonly string[] {
  const known = cut.get(text)
  if (known !== undefined) return known
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? []
  cut.set(text, words)
  return words
}

function flagOf(item: Item, field: string): boolean {
  if (field === 'trashed') return item.isTrashed
  return field === 'starred' ? item.isStarred : item.rights === 'given' || item.rights === 'grouped'
}

function fitsMember(item: Item, of: string, value: string, items: readonly Item[]): boolean {
  if (of === 'labels') return false
  if (of === 'parents') {
    const folder = items.find(({ id }) => id === value)
    return folder !== undefined && folder.rights !== 'hidden' && item.parents.includes(value)
  }
  const principal = { me: 1, 'me@lab.test': 1, 'other@lab.test': 2, 'group@lab.test': 3 }[value.toLowerCase()]
  const role = ENTRIES[item.rights].find(([one]) => one === principal)?.[1]
  if (of === 'owners') return role === 'owner'
  return of === 'writers' ? role === 'owner' || role === 'writer' : role !== undefined
}

function compares(a: number, op: Comparison, b: number): boolean {
  return { '=': a === b, '!=': a !== b, '<': a < b, '<=': a <= b, '>': a > b, '>=': a >= b }[op]
}

/** Sorts as a list with these orders; newest first without any. */
export function inOrder(items: readonly Item[], orders: readonly Order[]): string[] {
  const given: readonly Order[] = orders.length > 0 ? orders : [{ key: 'modifiedDate', isDescending: true }]
  return items
    .toSorted((a, b) => {
      for (const { key, isDescending } of given) {
        const sign = compareBy(keyOf(a, key), keyOf(b, key))
        if (sign !== 0) return isDescending ? -sign : sign
      }
      return compareBy(a.id, b.id)
    })
    .map(({ id }) => id)
}

function keyOf(item: Item, key: Order['key']): string | number {
  switch (key) {
    case 'title':
      return foldTitle(item.title)
    case 'title_natural':
      return naturalTitle(item.title)
    case 'folder':
      return item.mime === FOLDER ? 0 : 1
    case 'starred':
      return item.isStarred ? 0 : 1
    case 'createdDate':
      return item.created
    case 'lastViewedByMeDate':
      return item.viewed ?? 0
    default:
      return item.modified
  }
}

/** Compares by code point, as the database does. */
function compareBy(a: string | number, b: string | number): number {
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b)
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
