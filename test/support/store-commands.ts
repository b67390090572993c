/** Commands for tests of the store, which need not load the whole library. */
import { type Caller, notFound } from '../../src/drive/contract/failure.ts'
import { type Staged, keepBlob } from '../../src/drive/persistence/contents/blob-rows.ts'
import { itemBytes } from '../../src/drive/persistence/database/tables/counted.ts'
import type { Commands, Transaction } from '../../src/drive/persistence/database/database.ts'

export const NOBODY: Caller = { user: 0, client: 0, scopes: [] }

export interface AddInput {
  /** Title and id of the file. */
  readonly title: string
  readonly staged?: Staged
}

export interface LaterInput {
  readonly title: string
  /** Text that is written together with the title. */
  readonly text?: string
}

export interface Added {
  readonly pk: number
  readonly at: number
}

export interface SlowInput extends AddInput {
  readonly milliseconds: number
}

/** Commands of a store without the library. */
export const STORE_COMMANDS: Commands = {
  add,
  refuse(transaction, _caller, input: AddInput) {
    add(transaction, NOBODY, input)
    throw notFound('File', input.title, 'fileId')
  },
  slow(transaction, _caller, { milliseconds, ...input }: SlowInput) {
    const until = performance.now() + milliseconds
    const added = add(transaction, NOBODY, input)
    while (performance.now() < until);
    return added
  },
  crash(transaction, _caller, input: AddInput) {
    add(transaction, NOBODY, input)
    throw new TypeError('a bug')
  },
  /** Deletes a file's rows, but not its contents. */
  remove(transaction, _caller, title: string) {
    const file = transaction.get<{ pk: number; used: number }>(
      'SELECT pk, used FROM files WHERE id = ?',
      title,
    )
    if (file === undefined) throw notFound('File', title)
    transaction.run('DELETE FROM revisions WHERE file = ?', file.pk)
    transaction.run('DELETE FROM parents WHERE child = ?', file.pk)
    transaction.runDeferred('DELETE FROM words WHERE rowid = ?', file.pk)
    transaction.run('DELETE FROM files WHERE pk = ?', file.pk)
    transaction.run('UPDATE principals SET used = used - ? WHERE pk = ?', file.used, OWNER)
  },
  /** For tests that damage the store. */
  sql: (transaction, _caller, sql: string) => transaction.run(sql),
  /** Records, at the end of its group, the number of files at that time. */
  later(transaction, _caller, { title, text = '' }: LaterInput) {
    const sql =
      "INSERT INTO settings(name, value) SELECT ?1 || substr(?2, 1, 0), count(*) FROM files WHERE kind = 'file'"
    transaction.runDeferred(sql, title, text)
    if (title.startsWith('refused')) throw notFound('File', title)
  },
  /** Adds a file and its words, and rolls back. */
  trial(transaction, _caller, input: AddInput) {
    transaction.trial(() => add(transaction, NOBODY, input))
  },
  now: (transaction) => transaction.now,
  fill: (transaction, _caller, size: number) =>
    transaction.run(
      'INSERT INTO settings(name, value) VALUES (?, ?)',
      `${transaction.now}-${Math.random()}`,
      'x'.repeat(size),
    ),
  async: () => Promise.resolve(1),
}

const OWNER = 1
const ROOT = 1

/** Adds a file: rows in seven tables, which must exist together or not at all. */
function add(transaction: Transaction, _caller: Caller, { title, staged = EMPTY }: AddInput): Added {
  setUp(transaction)
  const pk = addItem(transaction, 'file', title)
  const blob = keepBlob(transaction, staged)
  const revision = [pk, blob, staged.size, transaction.now]
  const { lastKey: head } = transaction.run(
    `INSERT INTO revisions(file, id, blob, mime, size, modified, modifier) VALUES (?, '1', ?, 'text/plain', ?, ?, 1)`,
    ...revision,
  )
  transaction.run(
    'UPDATE files SET head = ?, size = ?, used = ? WHERE pk = ?',
    head,
    staged.size,
    staged.size,
    pk,
  )
  transaction.run('INSERT INTO parents(parent, child) VALUES (?, ?)', ROOT, pk)
  transaction.run('UPDATE principals SET used = used + ? WHERE pk = ?', staged.size, OWNER)
  const change = transaction.run(
    'INSERT INTO changes(item, item_id, at) VALUES (?, ?, ?)',
    pk,
    title,
    transaction.now,
  )
  transaction.run(
    'INSERT INTO change_index(principal, item, seq) VALUES (?, ?, ?)',
    OWNER,
    pk,
    change.lastKey,
  )
  transaction.runDeferred(`INSERT INTO words(rowid, title, body, content) VALUES (?, ?, '', '')`, pk, title)
  return { pk, at: transaction.now }
}

function setUp(transaction: Transaction): void {
  if (transaction.get('SELECT 1 FROM files') !== undefined) return
  transaction.run(
    `INSERT INTO principals(pk, kind, id, email, name, root) VALUES (?, 'user', 'u1', 'a@b.c', 'A', ?)`,
    OWNER,
    ROOT,
  )
  transaction.run(`INSERT INTO acls(pk, digest) VALUES (1, '1:owner')`)
  transaction.run(`INSERT INTO acl_entries(acl, principal, role) VALUES (1, 1, 'owner')`)
  const root = addItem(transaction, 'folder', 'root')
  transaction.run(`INSERT INTO words(rowid, title, body, content) VALUES (?, 'root', '', '')`, root)
}

function addItem(transaction: Transaction, kind: 'file' | 'folder', title: string): number {
  const row = [kind, title, title, title, title, OWNER, transaction.now, transaction.now]
  const { lastKey } = transaction.run(
    `INSERT INTO files(kind, id, title, fold, natural, mime, owner, client, acl, created, modified, modifier)
     VALUES (?, ?, ?, ?, ?, 'text/plain', ?, 0, 1, ?, ?, 1)`,
    ...row,
  )
  // size as counted for any added item
  const bytes = itemBytes(title, '{}', null)
  transaction.run('UPDATE principals SET metadata = metadata + ? WHERE pk = ?', bytes, OWNER)
  return lastKey
}

const EMPTY: Staged = {
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  sha1: 'da39a3ee5e6b4b0d3255bfef95601890afd80709',
  md5: 'd41d8cd98f00b204e9800998ecf8427e',
  size: 0,
  bytes: new Uint8Array(0),
}
