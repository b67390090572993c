/** Messages that a change creates, and their recipients. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { recomputeRights } from '../../../src/drive/domain/access/rights.ts'
import { recordChange } from '../../../src/drive/domain/changes/change-log.ts'
import { COMMANDS, OPERATOR, command } from '../../../src/drive/domain/commands.ts'
import { withNotifications } from '../../../src/drive/domain/channels/notifications.ts'
import type { Caller } from '../../../src/drive/contract/failure.ts'
import { FOLDER_MIME, type Role } from '../../../src/drive/contract/kinds.ts'
import type { Transaction } from '../../../src/drive/persistence/database/database.ts'
import { makeFolder, storeFolder } from '../../../src/drive/persistence/folder.ts'
import { openForWriting } from '../../../src/drive/persistence/database/open-database.ts'
import type { Store } from '../../../src/drive/persistence/store.ts'
import { openTestStore } from '../../support/store.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let store: Store
let ada: Caller
let bo: Caller

interface Share {
  readonly file: string
  readonly to: number
  /** null: removes the user's permission. */
  readonly role: Role | null
}

/** Adds or removes a permission as sharing does. */
function share(tx: Transaction, { user }: Caller, { file, to, role }: Share): void {
  const item = tx.get<{ pk: number; id: string }>('SELECT pk, id FROM files WHERE id = ?', file)
  if (item === undefined) throw new Error(file)
  const given = 'INSERT INTO grants(item, principal, role, created, granter) VALUES (?, ?, ?, ?, ?)'
  tx.run('DELETE FROM grants WHERE item = ? AND principal = ?', item.pk, to)
  if (role !== null) tx.run(given, item.pk, to, role, tx.now, user)
  tx.run('UPDATE files SET version = version + 1 WHERE pk = ?', item.pk)
  recomputeRights(tx, [item.pk])
  recordChange(tx, item)
}

function sql(tx: Transaction, _caller: Caller, text: string): void {
  tx.run(text)
}

beforeAll(async () => {
  store = await openTestStore(temp('channels'), { writer: withNotifications({ ...COMMANDS, share, sql }) })
  await command(store, 'setUp', OPERATOR, { email: 'ada@b.c', digest: 'd' })
  const user = store.read.get<{ pk: number }>(`SELECT pk FROM principals WHERE kind = 'user'`)?.pk ?? 0
  ada = { user, client: 1, scopes: ['drive'] }
  bo = {
    user: (await command(store, 'addUser', OPERATOR, { email: 'bo@b.c' })).pk,
    client: 1,
    scopes: ['drive'],
  }
})

let n = 0
const insert = async (body: object = {}) =>
  (await command(store, 'insertFile', ada, { body: { title: 'x', ...body } })).row.id
const shareWith = (file: string, role: Role | null) =>
  store.write('share', ada, { file, to: bo.user, role } satisfies Share)

interface Watched {
  readonly id: string
  readonly resource: string
  /** Messages since the last call, without the first of the channel. */
  readonly told: () => string[]
}

async function watch(
  caller: Caller,
  file?: string,
  more: { readonly [name: string]: unknown } = {},
): Promise<Watched> {
  const id = `c${(n += 1)}`
  const body = { id, type: 'web_hook', address: 'https://hooks.example.org/', ...more }
  const search = {
    includesGone: true,
    includesOthers: true,
    spaces: ['drive'] as const,
    drives: 'all' as const,
  }
  const { resource } =
    file === undefined
      ? await command(store, 'watchChanges', caller, { body, search, from: undefined, uri: 'u' })
      : await command(store, 'watchFile', caller, { body, file, link: 'l/' })
  let seen = 1
  return {
    id,
    resource,
    told() {
      const sql = `SELECT number, state, changed FROM deliveries WHERE number > ?
        AND channel = (SELECT pk FROM channels WHERE id = ?) ORDER BY pk`
      const rows = store.read.all<{ number: number; state: string; changed: string | null }>(sql, seen, id)
      seen = rows.at(-1)?.number ?? seen
      return rows.map(({ state, changed }) => (changed === null ? state : `${state} ${changed}`))
    },
  }
}

const update = (id: string, body: object, more: object = {}) =>
  command(store, 'updateFile', ada, { id, body, behavior: 'now', isViewed: false, ...more })

test('an upload that only begins tells nobody anything', async () => {
  const folder = await insert({ mimeType: FOLDER_MIME })
  const file = await insert({ parents: [{ id: folder }] })
  const watched = [await watch(ada, folder), await watch(ada, file), await watch(ada)]
  const name = { staged: 's', total: 3, md5: undefined }
  const body = { title: 'u', parents: [{ id: folder }] }
  await command(store, 'openUpload', ada, {
    ...name,
    digest: 'i',
    target: { kind: 'insert', file: { body } },
  })
  const change = { id: file, body: { title: 'v' }, behavior: 'now', isViewed: true } as const
  const content = { isNewRevision: true, isPinned: false }
  const target = { kind: 'update', file: change, content } as const
  await command(store, 'openUpload', ada, { ...name, digest: 'u', target })
  expect(watched.map((one) => one.told())).toEqual([[], [], []])
})

/** Each change creates the message in the channel of its file. */
describe('a watched file', () => {
  let file: string
  let watched: Watched
  beforeEach(async () => {
    file = await insert()
    watched = await watch(ada, file)
  })

  const content = (id: string) => command(store, 'insertFile', ada, { body: { title: id } })

  test.for<[string, (id: string) => Promise<unknown>, string[]]>([
    ['another title', (id) => update(id, { title: 'y' }), ['update properties']],
    [
      'a property',
      (id) => command(store, 'putProperty', ada, { id, key: 'k', value: 'v', visibility: 'PUBLIC' }),
      ['update properties'],
    ],
    ['a star of his own', (id) => update(id, { labels: { starred: true } }), ['update properties']],
    ['touch', (id) => command(store, 'touchFile', ada, { id }), ['update']],
    ['a comment', (id) => command(store, 'addComment', ada, { id, body: { content: 'c' } }), ['update']],
    ['trash', (id) => command(store, 'trashFile', ada, { id }), ['trash']],
    [
      'trash and back',
      async (id) => {
        await command(store, 'trashFile', ada, { id })
        await command(store, 'untrashFile', ada, { id })
      },
      ['trash', 'untrash'],
    ],
    [
      'trash twice',
      async (id) => {
        await command(store, 'trashFile', ada, { id })
        await command(store, 'trashFile', ada, { id })
      },
      ['trash'],
    ],
    [
      'a folder more',
      async (id) => update(id, {}, { add: [await insert({ mimeType: FOLDER_MIME })] }),
      ['update parents'],
    ],
    [
      'a title and a folder at once',
      async (id) => update(id, { title: 'z' }, { add: [await insert({ mimeType: FOLDER_MIME })] }),
      ['update properties,parents'],
    ],
    ['rights for another', (id) => shareWith(id, 'reader'), ['update permissions']],
    ['deletion', (id) => command(store, 'deleteFile', ada, { id }), ['remove']],
    [
      'a change that is refused',
      (id) => update(id, { id: 'x', parents: [{ id: 'none' }] }).catch(() => undefined),
      [],
    ],
    ['another file', content, []],
    ['a change of nothing', (id) => update(id, { labels: { starred: false } }), []],
  ])('%s', async ([, change, expected]) => {
    await change(file)
    expect(watched.told()).toEqual(expected)
  })
})

test('a watched folder tells what comes and goes', async () => {
  const folder = await insert({ mimeType: FOLDER_MIME })
  const watched = await watch(ada, folder)
  const file = await insert({ parents: [{ id: folder }] })
  expect(watched.told()).toEqual(['update children'])
  await update(file, { title: 'y' })
  expect(watched.told()).toEqual([])
  await update(file, {}, { remove: [folder] })
  expect(watched.told()).toEqual(['update children'])
  const child = await insert({ parents: [{ id: folder }] })
  await command(store, 'deleteFile', ada, { id: child })
  expect(watched.told()).toEqual(['update children', 'update children'])
})

test('what is in the trash with its folder is told of', async () => {
  const folder = await insert({ mimeType: FOLDER_MIME })
  const watched = await watch(ada, await insert({ parents: [{ id: folder }] }))
  await command(store, 'trashFile', ada, { id: folder })
  expect(watched.told()).toEqual(['trash'])
})

describe('rights', () => {
  const give = (id: string, value: string, role: Role = 'reader') =>
    command(store, 'insertPermission', ada, { id, body: { type: 'user', role, value } })
  const take = (id: string, permission: string) => command(store, 'removePermission', ada, { id, permission })

  test('for a folder are told of what is in it, to its watchers', async () => {
    const folder = await insert({ mimeType: FOLDER_MIME })
    const file = await insert({ parents: [{ id: folder }] })
    const watched = [await watch(ada, folder), await watch(ada, file)]
    await give(folder, 'bo@b.c')
    expect(watched.map((one) => one.told())).toEqual([['update permissions'], ['update permissions']])
  })

  test('that are taken away are told to the list of who loses them, and to no other', async () => {
    const [{ pk: user }] = [await command(store, 'addUser', OPERATOR, { email: 'dan@b.c' })]
    const dan: Caller = { user, client: 1, scopes: ['drive'] }
    const file = await insert()
    const given = await give(file, 'bo@b.c')
    await command(store, 'insertFile', dan, { body: { title: 'own' } })
    const [ofBo, ofDan] = [await watch(bo), await watch(dan)]
    await take(file, given.principal.id)
    expect([ofBo.told(), ofDan.told()]).toEqual([['change'], []])
    await give(file, 'dan@b.c')
    expect([ofBo.told(), ofDan.told()]).toEqual([[], ['change']])
  })
})

test('a store that is opened again tells its channels of changes', async () => {
  const open = () => openTestStore(temp('again'), { writer: COMMANDS })
  const first = await open()
  await command(first, 'setUp', OPERATOR, { email: 'ada@b.c', digest: 'd' })
  const user = first.read.get<{ pk: number }>(`SELECT pk FROM principals WHERE kind = 'user'`)?.pk ?? 0
  const caller: Caller = { user, client: 1, scopes: ['drive'] }
  const file = (await command(first, 'insertFile', caller, { body: { title: 'x' } })).row.id
  const body = { id: 'c', type: 'web_hook', address: 'https://hooks.example.org/' }
  await command(first, 'watchFile', caller, { body, file, link: 'l/' })
  await first.close()
  const second = await open()
  await command(second, 'updateFile', caller, {
    id: file,
    body: { title: 'y' },
    behavior: 'now',
    isViewed: false,
  })
  expect(second.read.all('SELECT number, state, changed FROM deliveries ORDER BY pk')).toEqual([
    { number: 1, state: 'sync', changed: null },
    { number: 2, state: 'update', changed: 'properties' },
  ])
  await second.close()
})

describe('a watcher who is not the owner', () => {
  test('is told while he sees the file, that he no longer does, and that he does again', async () => {
    const file = await insert()
    await shareWith(file, 'reader')
    const watched = await watch(bo, file)
    await update(file, { title: 'y' })
    expect(watched.told()).toEqual(['update properties'])
    await shareWith(file, null)
    expect(watched.told()).toEqual(['remove'])
    await update(file, { title: 'secret' })
    await command(store, 'trashFile', ada, { id: file })
    await command(store, 'untrashFile', ada, { id: file })
    expect(watched.told()).toEqual([])
    await shareWith(file, 'writer')
    expect(watched.told()).toEqual(['add'])
  })

  test('is not told what another does for himself alone', async () => {
    const file = await insert()
    await shareWith(file, 'reader')
    const watched = await watch(bo, file)
    await update(file, { labels: { starred: true } })
    expect(watched.told()).toEqual([])
  })

  test('cannot watch what he does not see', async () => {
    await expect(watch(bo, await insert())).rejects.toMatchObject({ status: 404 })
  })

  test('is not told of files of another program that his token does not open', async () => {
    const narrow: Caller = { ...ada, client: 99, scopes: ['drive.file'] }
    const watched = await watch(narrow)
    await insert()
    expect(watched.told()).toEqual([])
    await command(store, 'insertFile', narrow, { body: { title: 'mine' } })
    expect(watched.told()).toEqual(['change'])
  })
})

describe('a channel of the change log', () => {
  test('has one message for any number of changes, of those that its user sees', async () => {
    const [mine, his] = [await watch(ada), await watch(bo)]
    const file = await insert()
    await update(file, { title: 'y' })
    expect(mine.told()).toEqual(['change'])
    expect(his.told()).toEqual([])
    await shareWith(file, 'reader')
    expect(his.told()).toEqual(['change'])
  })

  test('has another when there was more after the last had left', async () => {
    const watched = await watch(ada)
    await insert()
    const upTo = () => store.read.get<{ seq: number }>('SELECT max(seq) AS seq FROM changes')?.seq ?? 0
    const pk = () =>
      store.read.get<{ pk: number }>(
        `SELECT d.pk FROM deliveries d JOIN channels c ON c.pk = d.channel WHERE c.id = ? AND d.state = 'change'`,
        watched.id,
      )?.pk ?? 0
    const settle = (at: number) =>
      command(store, 'settleDelivery', OPERATOR, { delivery: pk(), outcome: 'done', upTo: at, delay: 0 })
    watched.told()
    const left = upTo()
    await insert()
    await settle(left)
    expect(watched.told()).toEqual(['change'])
    await settle(upTo())
    expect(watched.told()).toEqual([])
  })

  test('tells of deletions as the list does', async () => {
    const file = await insert()
    const watched = await watch(ada)
    await command(store, 'deleteFile', ada, { id: file })
    expect(watched.told()).toEqual(['change'])
  })
})

describe('opening', () => {
  test.for<[object, string]>([
    [{ id: '' }, 'required'],
    [{ id: 'x'.repeat(65) }, 'invalid'],
    [{ id: 'a b' }, 'invalid'],
    [{ type: undefined }, 'required'],
    [{ type: 'email' }, 'invalid'],
    [{ token: 'x'.repeat(257) }, 'invalid'],
    [{ token: 'a\r\nX-Evil: 1' }, 'invalid'],
    [{ token: 'é' }, 'invalid'],
    [{ expiration: 5 }, 'invalid'],
    [{ params: { ttl: '0' } }, 'invalid'],
    [{ params: { ttl: 'long' } }, 'invalid'],
    [{ params: { ttl: '1x' } }, 'invalid'],
    [{ params: { ttl: 'x1' } }, 'invalid'],
    [{ params: { ttl: '12345678901' } }, 'invalid'],
  ])('%j: %s', async ([body, reason]) => {
    const file = await insert()
    await expect(watch(ada, file, body as Record<string, unknown>)).rejects.toMatchObject({
      status: 400,
      reason,
    })
  })

  const HOUR = 3_600_000

  test.for<[object, 'file' | 'changes', number]>([
    [{}, 'file', HOUR],
    [{ type: 'webhook', token: `! ${'~'.repeat(254)}` }, 'file', HOUR],
    [{ token: '' }, 'file', HOUR],
    [{ params: { ttl: '60' } }, 'file', 60_000],
    [{ params: { ttl: '999999999' } }, 'file', 24 * HOUR],
    [{ params: { ttl: '999999999' } }, 'changes', 7 * 24 * HOUR],
    [{ expiration: Number.MAX_SAFE_INTEGER, params: { ttl: '1' } }, 'changes', 7 * 24 * HOUR],
  ])('%j of a %s lasts %i ms', async ([body, of, life]) => {
    const file = of === 'file' ? await insert() : undefined
    const { id } = await watch(ada, file, body as Record<string, unknown>)
    const expires = store.read.get<{ expires: number }>(
      'SELECT expires FROM channels WHERE id = ?',
      id,
    )?.expires
    const now = store.read.get<{ at: number }>('SELECT max(created) AS at FROM deliveries')?.at ?? 0
    expect(expires).toBe(now + life)
  })

  test('an id has up to 64 letters, digits and -_+/=', async () => {
    const id = `-_+/=${'x'.repeat(59)}`
    await expect(watch(ada, await insert(), { id })).resolves.toBeDefined()
  })

  test('an id is free again after its channel was stopped, and not before', async () => {
    const { id, resource } = await watch(ada)
    const again = () => watch(ada, undefined, { id })
    await expect(again()).rejects.toMatchObject({ reason: 'channelIdNotUnique' })
    await watch({ ...ada, client: 98 }, undefined, { id })
    await command(store, 'stopChannel', ada, { id, resource })
    await again()
  })
})

describe('stopping', () => {
  test.for<[string, (name: { id: string; resource: string }) => Promise<unknown>]>([
    ['by another user', (name) => command(store, 'stopChannel', bo, name)],
    ['by another program', (name) => command(store, 'stopChannel', { ...ada, client: 97 }, name)],
    ['of another thing', ({ id }) => command(store, 'stopChannel', ada, { id, resource: 'other' })],
    ['of none', ({ resource }) => command(store, 'stopChannel', ada, { id: 'none', resource })],
  ])('%s: 404', async ([, stop]) => {
    await expect(stop(await watch(ada))).rejects.toMatchObject({ status: 404 })
  })

  test('ends it, with what it had still to tell', async () => {
    const { id, resource, told } = await watch(ada)
    await insert()
    await command(store, 'stopChannel', ada, { id, resource })
    await insert()
    expect(told()).toEqual([])
    await expect(command(store, 'stopChannel', ada, { id, resource })).rejects.toMatchObject({ status: 404 })
  })
})

describe('a message that is not taken', () => {
  const headOf = (id: string) =>
    store.read.get<{ pk: number; number: number; attempts: number; late: number }>(
      `SELECT d.pk, d.number, c.attempts, c.due - d.created AS late FROM channels c JOIN deliveries d ON d.channel = c.pk
       WHERE c.id = ? ORDER BY d.pk LIMIT 1`,
      id,
    )
  const settle = (id: string, outcome: 'done' | 'again' | 'dropped') =>
    command(store, 'settleDelivery', OPERATOR, {
      delivery: headOf(id)?.pk ?? 0,
      outcome,
      upTo: 0,
      delay: 5000,
    })

  test('is due again later, before all others of its channel', async () => {
    const file = await insert()
    const { id } = await watch(ada, file)
    await update(file, { title: 'y' })
    await settle(id, 'again')
    await settle(id, 'again')
    const head = headOf(id)
    expect(head).toMatchObject({ number: 1, attempts: 2 })
    expect(head?.late).toBeGreaterThanOrEqual(5000)
    await settle(id, 'done')
    expect(headOf(id)).toMatchObject({ number: 2, attempts: 0 })
    await settle(id, 'dropped')
    expect(headOf(id)).toBeUndefined()
    expect(store.read.get('SELECT waiting, due FROM channels WHERE id = ?', id)).toEqual({
      waiting: 0,
      due: null,
    })
  })

  test('is dropped after a day', async () => {
    const { id } = await watch(ada)
    await store.write(
      'sql',
      ada,
      `UPDATE deliveries SET created = created - 86400001 WHERE pk = ${headOf(id)?.pk}`,
    )
    await settle(id, 'again')
    expect(headOf(id)).toBeUndefined()
  })

  test('is forgotten with its channel', async () => {
    const { id } = await watch(ada)
    await store.write('sql', ada, `UPDATE channels SET expires = 1 WHERE id = '${id}'`)
    await command(store, 'forgetChannels', OPERATOR, undefined)
    expect(store.read.get('SELECT 1 FROM channels WHERE id = ?', id)).toBeUndefined()
    expect(headOf(id)).toBeUndefined()
  })
})

test('a receiver that is away for long finds the last changes in one message', async () => {
  const file = await insert()
  const watched = await watch(ada, file)
  const of = `(SELECT pk FROM channels WHERE id = '${watched.id}')`
  // stands for 998 changes after the first message
  await store.write(
    'sql',
    ada,
    `INSERT INTO deliveries(channel, number, state, created)
    WITH RECURSIVE n(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n WHERE n < 999) SELECT ${of}, n, 'update', 0 FROM n`,
  )
  await store.write('sql', ada, `UPDATE channels SET waiting = 999, messages = 999 WHERE pk = ${of}`)
  await update(file, { title: 'y' })
  const folder = await insert({ mimeType: FOLDER_MIME })
  await update(file, {}, { add: [folder] })
  expect(watched.told().slice(-2)).toEqual(['update', 'update properties,parents'])
  await command(store, 'trashFile', ada, { id: file })
  const sql = `SELECT number, state, changed FROM deliveries WHERE channel = ${of} ORDER BY pk`
  const rows = store.read.all(sql)
  expect([rows.length, rows.at(-1)]).toEqual([1000, { number: 1000, state: 'trash', changed: null }])
})

test('a user has a thousand channels at most', async () => {
  const user = (await command(store, 'addUser', OPERATOR, { email: 'carl@b.c' })).pk
  const caller: Caller = { user, client: 1, scopes: ['drive'] }
  await store.write(
    'sql',
    ada,
    `INSERT INTO channels(id, client, user, scopes, resource, uri, address, expires)
    WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 999)
    SELECT 'many' || n, 1, ${user}, 'drive', 'r', 'u', 'https://hooks.example.org/', 99999999999999 FROM n`,
  )
  await watch(caller)
  await expect(watch(caller)).rejects.toMatchObject({ status: 403, reason: 'channelLimitExceeded' })
  await store.write('sql', ada, `DELETE FROM channels WHERE id LIKE 'many%'`)
})

test('while nobody watches, a change takes not a statement more', async () => {
  const folder = storeFolder(temp('quiet'))
  makeFolder(folder)
  const connection = await openForWriting(folder.database)
  const asked: string[] = []
  const tx: Transaction = {
    ...connection,
    runDeferred: connection.run,
    trial: (work) => work(),
    now: 1,
    get: (sql, ...values) => {
      asked.push(sql)
      return connection.get(sql, ...values)
    },
  }
  COMMANDS.setUp(tx, OPERATOR, { email: 'ada@b.c', digest: 'd' })
  for (let at = 0; at < 3; at += 1) COMMANDS.insertFile(tx, ada, { body: {} })
  expect(asked.filter((text) => text.includes('channels'))).toHaveLength(1)
  // the last channel is gone; the next change finds the empty table
  const body = { id: 'c', type: 'web_hook', address: 'https://hooks.example.org/' }
  const { file, link } = { file: 'root', link: 'l/' }
  const caller = { user: 1, client: 1, scopes: ['drive'] } as const
  const { resource } = COMMANDS.watchFile(tx, caller, { body, file, link })
  COMMANDS.stopChannel(tx, caller, { id: 'c', resource })
  COMMANDS.forgetChannels(tx)
  COMMANDS.forgetChannels(tx)
  asked.length = 0
  COMMANDS.insertFile(tx, caller, { body: {} })
  expect(asked.filter((text) => text.includes('channels'))).toEqual([])
  connection.close()
})
