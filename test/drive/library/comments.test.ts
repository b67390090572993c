/** Permissions to write, change and delete comments. */
import { beforeAll, describe, expect, test } from 'vitest'
import { recomputeRights } from '../../../src/drive/domain/access/rights.ts'
import { COMMANDS, OPERATOR, command } from '../../../src/drive/domain/commands.ts'
import { type Caller, isStorageFailure } from '../../../src/drive/contract/failure.ts'
import type { Role } from '../../../src/drive/contract/kinds.ts'
import type { Transaction } from '../../../src/drive/persistence/database/database.ts'
import type { Store } from '../../../src/drive/persistence/store.ts'
import { atTheLimit } from '../../support/at-the-limit.ts'
import { openTestStore } from '../../support/store.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let store: Store
let owner: Caller
const people = new Map<string, Caller>()

interface Share {
  readonly file: string
  readonly roles: readonly (readonly [number, Role])[]
}

/** Adds permissions as sharing does. */
function share(tx: Transaction, { user }: Caller, { file, roles }: Share): void {
  const item = tx.get<{ pk: number }>('SELECT pk FROM files WHERE id = ?', file)
  if (item === undefined) throw new Error(file)
  const given =
    'INSERT OR REPLACE INTO grants(item, principal, role, created, granter) VALUES (?, ?, ?, ?, ?)'
  for (const [to, role] of roles) tx.run(given, item.pk, to, role, tx.now, user)
  recomputeRights(tx, [item.pk])
}

beforeAll(async () => {
  store = await openTestStore(temp('comments'), { writer: { ...COMMANDS, share } })
  await command(store, 'setUp', OPERATOR, { email: 'owner@b.c', digest: 'd' })
  const user = store.read.get<{ pk: number }>(`SELECT pk FROM principals WHERE kind = 'user'`)?.pk ?? 0
  owner = { user, client: 1, scopes: ['drive'] }
  people.set('owner', owner)
  for (const role of ['writer', 'commenter', 'reader', 'stranger'] as const) {
    const { pk } = await command(store, 'addUser', OPERATOR, { email: `${role}@b.c` })
    people.set(role, { user: pk, client: 1, scopes: ['drive'] })
  }
})

/** A file with one user per role, and a comment and a reply by `author`. */
async function discussed(author: string) {
  const id = (await command(store, 'insertFile', owner, { body: { title: 'x' } })).row.id
  const roles = (['writer', 'commenter', 'reader'] as const).map((role) => [who(role).user, role] as const)
  await store.write('share', owner, { file: id, roles } satisfies Share)
  const comment = (await command(store, 'addComment', who(author), { id, body: { content: 'c' } })).id
  const body = { content: 'r' }
  const reply = (await command(store, 'addReply', who(author), { id, comment, body })).id
  return { id, comment, reply }
}

function who(name: string): Caller {
  const caller = people.get(name)
  if (caller === undefined) throw new Error(name)
  return caller
}

type Name = Awaited<ReturnType<typeof discussed>>

const ACTS = {
  comment: (caller: Caller, { id }: Name) =>
    command(store, 'addComment', caller, { id, body: { content: 'x' } }),
  reply: (caller: Caller, name: Name) =>
    command(store, 'addReply', caller, { ...name, body: { content: 'x' } }),
  resolve: (caller: Caller, name: Name) =>
    command(store, 'addReply', caller, { ...name, body: { verb: 'resolve' } }),
  'change comment': (caller: Caller, name: Name) =>
    command(store, 'changeComment', caller, { ...name, body: { content: 'x' } }),
  'change reply': (caller: Caller, name: Name) =>
    command(store, 'changeReply', caller, { ...name, body: { content: 'x' } }),
  'delete comment': (caller: Caller, name: Name) => command(store, 'removeComment', caller, name),
  'delete reply': (caller: Caller, name: Name) => command(store, 'removeReply', caller, name),
}

const statusOf = (work: Promise<unknown>) =>
  work.then(
    () => 200,
    (error: unknown) => (isStorageFailure(error) ? error.status : error),
  )

describe.for<[keyof typeof ACTS, string, readonly number[]]>([
  // statuses for the owner, a writer, the author, a reader, a stranger; the commenter is the author
  ['comment', 'commenter', [200, 200, 200, 403, 404]],
  ['reply', 'commenter', [200, 200, 200, 403, 404]],
  ['resolve', 'commenter', [200, 200, 200, 403, 404]],
  ['change comment', 'commenter', [403, 403, 200, 403, 404]],
  ['change reply', 'commenter', [403, 403, 200, 403, 404]],
  ['delete comment', 'commenter', [200, 403, 200, 403, 404]],
  ['delete reply', 'commenter', [200, 403, 200, 403, 404]],
  // the owner is the author
  ['delete comment', 'owner', [200, 403, 403, 403, 404]],
])('%s, of what the %s said', ([act, author, statuses]) => {
  const names = ['owner', 'writer', 'commenter', 'reader', 'stranger']
  test.for(names.map((name, at) => [name, statuses[at]] as const))('%s: %i', async ([name, status]) => {
    const said = await discussed(author)
    expect(await statusOf(ACTS[act](who(name), said))).toBe(status)
  })
})

test('a change of a comment answers with the replies that are left', async () => {
  const said = await discussed('owner')
  const body = { content: 'r' }
  const left = (await command(store, 'addReply', owner, { ...said, body })).id
  await command(store, 'removeReply', owner, said)
  const changed = await command(store, 'changeComment', owner, { ...said, body: { content: 'changed' } })
  expect(changed.replies.map(({ id }) => id)).toEqual([left])
})

test.for<[string, (text: string) => object]>([
  ['the content of a comment', (content) => ({ content })],
  ['its anchor', (anchor) => ({ content: 'c', anchor })],
  ['the type of its context', (type) => ({ content: 'c', context: { type, value: 'v' } })],
  ['the value of its context', (value) => ({ content: 'c', context: { type: 'text/html', value } })],
])('%s has at most 32 KiB', async ([, body]) => {
  const id = (await command(store, 'insertFile', owner, { body: { title: 'x' } })).row.id
  const [most, more] = atTheLimit((size) => `é${'x'.repeat(size - 2)}`, 32 * 1024)
  const add = (text: string) => statusOf(command(store, 'addComment', owner, { id, body: body(text) }))
  expect([await add(most), await add(more)]).toEqual([200, 400])
})

test('the content of a reply has at most 32 KiB, when it is made and when it is changed', async () => {
  const said = await discussed('owner')
  const [most, more] = atTheLimit((size) => 'x'.repeat(size), 32 * 1024)
  const add = (content: string) => statusOf(command(store, 'addReply', owner, { ...said, body: { content } }))
  const change = (content: string) =>
    statusOf(command(store, 'changeReply', owner, { ...said, body: { content } }))
  expect([await add(most), await add(more), await change(most), await change(more)]).toEqual([
    200, 400, 200, 400,
  ])
})

test('what a file is deleted with is gone, and copies have none of it', async () => {
  const { id } = await discussed('owner')
  const copy = await command(store, 'copyFile', owner, { id, body: {}, isPinned: false })
  const counts = () =>
    store.read.get('SELECT (SELECT count(*) FROM comments WHERE file = ?) AS of_copy', copy.row.pk)
  expect(counts()).toEqual({ of_copy: 0 })
  const before = store.read.get<{ n: number }>('SELECT count(*) AS n FROM replies')?.n ?? 0
  await command(store, 'deleteFile', owner, { id })
  expect(store.read.get('SELECT count(*) AS n FROM replies')).toEqual({ n: before - 1 })
})

test('the replies to a comment are bounded together, for they are answered with it', async () => {
  const id = (await command(store, 'insertFile', owner, { body: { title: 'x' } })).row.id
  await command(store, 'setLimit', OPERATOR, { name: 'page-bytes', value: 100 })
  const comment = (await command(store, 'addComment', owner, { id, body: { content: 'c' } })).id
  const say = (count: number) =>
    command(store, 'addReply', owner, { id, comment, body: { content: 'x'.repeat(count) } })
  const reply = (await say(60)).id
  const refused = { status: 400, message: 'The replies to a comment have at most 100 bytes together.' }
  await expect(say(41)).rejects.toMatchObject(refused)
  const change = (count: number) =>
    command(store, 'changeReply', owner, { id, comment, reply, body: { content: 'x'.repeat(count) } })
  await expect(change(101)).rejects.toMatchObject(refused)
  await say(40)
  await change(59)
  await command(store, 'setLimit', OPERATOR, { name: 'page-bytes', value: null })
})
