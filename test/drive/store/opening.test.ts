/** What keeps a store from opening is said in words, and what was locked for it is free again. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, storeFolder } from '../../../src/drive/persistence/folder.ts'
import { type Lock, lockContents, lockService, waitForService } from '../../../src/drive/persistence/lock.ts'
import { withConnection, openForReading } from '../../../src/drive/persistence/database/open-database.ts'
import { backup, restore } from '../../../src/drive/persistence/upkeep/backup.ts'
import { collectGarbage } from '../../../src/drive/persistence/upkeep/collect-garbage.ts'
import { fsck } from '../../../src/drive/persistence/upkeep/fsck.ts'
import { addFile, openTestStore, runSql } from '../../support/store.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

async function newStore(name: string) {
  const store = await openTestStore(temp(name))
  await addFile(store, 'a')
  await store.close()
  return store.folder
}

const RESTORE = 'restore a backup'

test.for<[name: string, spoil: (path: string) => void, reason: string, hint?: string]>([
  ['a file', (path) => writeFileSync(path, ''), 'it is not a folder'],
  [
    'below a file',
    (path) => {
      mkdirSync(dirname(dirname(path)), { recursive: true })
      writeFileSync(dirname(path), '')
    },
    'it is not a folder',
  ],
  [
    'with a folder as its database',
    (path) => {
      mkdirSync(join(path, 'store.db'), { recursive: true })
      writeFileSync(join(path, 'store.db', 'a'), '')
    },
    'its files cannot be opened',
  ],
  [
    'with another file as its database',
    (path) => {
      mkdirSync(path)
      writeFileSync(join(path, 'store.db'), 'x'.repeat(8192))
    },
    'store.db is not a database',
    RESTORE,
  ],
])('a store %s', async ([name, spoil, reason, hint]) => {
  const path = join(temp(name), 'in', 'store')
  mkdirSync(name === 'below a file' ? temp(name) : dirname(path), { recursive: true })
  spoil(path)
  const error = await openTestStore(path).catch((caught: unknown) => caught)
  expect(error).toMatchObject({
    code: 'io',
    message: `cannot open the store ${path}: ${reason}`,
    offending: path,
    cause: expect.any(Error) as unknown,
  })
  expect((error as { readonly hint?: string }).hint).toBe(hint)
})

test('a store whose database is damaged', async () => {
  const { path, database } = await newStore('damaged')
  const bytes = readFileSync(database)
  for (let page = 0; page < bytes.length / 4096; page += 1)
    bytes.fill(0xff, page * 4096 + 100, page * 4096 + 200)
  writeFileSync(database, bytes)
  await expect(openTestStore(path)).rejects.toMatchObject({
    code: 'io',
    message: `cannot open the store ${path}: its database is damaged`,
    hint: RESTORE,
  })
  ;(await lockService(storeFolder(path))).release()
})

test('a new store has its folders, which only its owner may read; contents without a database are refused', () => {
  const folder = storeFolder(temp('new/in/folders'))
  makeFolder(folder)
  const modes = () =>
    readdirSync(folder.path).toSorted().map((name) => [name, statSync(join(folder.path, name)).mode & 0o777])
  const made = [['blobs', 0o700], ['staging', 0o700], ['store.db', 0o600]]
  expect(modes()).toEqual(made)
  for (const path of [temp('new'), temp('new/in'), folder.path]) expect(statSync(path).mode & 0o777).toBe(0o700)
  makeFolder(folder)
  expect(modes()).toEqual(made)
  mkdirSync(join(folder.blobs, 'ab'))
  expect(() => makeFolder(folder)).toThrow(
    expect.objectContaining({
      code: 'data-differs',
      message: `the store ${folder.path} has contents, but its database is gone`,
      offending: folder.blobs,
      hint: RESTORE,
    }),
  )
  writeFileSync(folder.database, 'x')
  expect(() => makeFolder(folder)).not.toThrow()
}) // prettier-ignore

test('a lock names its holder until it is released, and is waited for', async () => {
  const folder = await newStore('locked')
  const held = await lockService(folder)
  const refusal = {
    code: 'io',
    message: `another service uses the store ${folder.path}`,
    offending: folder.path,
    hint: expect.stringMatching(new RegExp(`^it is process ${process.pid}, since \\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$`)) as unknown,
  }
  await expect(lockService(folder)).rejects.toMatchObject(refusal)
  await expect(waitForService(folder, 30)).rejects.toMatchObject(refusal)
  rmSync(join(folder.path, 'service.lock.holder'))
  await expect(lockService(folder)).rejects.toMatchObject({ hint: undefined })
  const next = waitForService(folder, 5000)
  held.release()
  ;(await next).release()
  // an error that is not a lock is not waited for
  await expect(waitForService(storeFolder(temp('nowhere')), 600_000)).rejects.toThrow('unable to open')
  const contents = await lockContents(folder)
  expect(readFileSync(join(folder.path, 'contents.lock.holder'), 'utf8')).toMatch(/^process \d+, since \S+\n$/)
  expect(statSync(join(folder.path, 'contents.lock.holder')).mode & 0o777).toBe(0o600)
  contents.release()
}) // prettier-ignore

test.for<[name: string, work: (path: string) => Promise<unknown>]>([
  ['a check', (path) => fsck(path, { isDeep: false, isRepairing: false })],
  ['a repair', (path) => fsck(path, { isDeep: false, isRepairing: true })],
  ['a check that fails', (path) => fsck(path, { isDeep: false, isRepairing: true, checks: [{ find: () => { throw new Error('no') } }] })],
  ['a backup', (path) => backup(path, `${path}.backup`)],
  ['a backup into itself', (path) => backup(path, path)],
  [
    'a clean-up without a grace',
    async (path) => {
      const store = await openTestStore(path, { isService: false })
      await collectGarbage(store, { grace: 0, uploadLife: 0 }).finally(store.close)
    },
  ],
  [
    'a clean-up whose purge fails',
    async (path) => {
      const store = await openTestStore(path, { isService: false })
      const purge = () => Promise.reject(new Error('no'))
      await collectGarbage(store, { grace: 0, uploadLife: 0, purge }).finally(store.close)
    },
  ],
])('after %s the store is free', async ([name, work]) => {
  const folder = await newStore(name)
  await work(folder.path).catch(() => undefined)
  const free = (lock: Promise<Lock>) => lock.then((held) => held.release())
  await expect(Promise.all([free(lockService(folder)), free(lockContents(folder))])).resolves.toHaveLength(2)
}) // prettier-ignore

test('a failed purge does not keep a clean-up from the rest, and is its error', async () => {
  const store = await openTestStore(temp('purge'), { isService: false })
  await runSql(
    store,
    `INSERT INTO uploads(digest, user, client, facts, staged, state, touched) VALUES ('d', 1, 1, '', 's', 'open', 0)`,
  )
  writeFileSync(join(store.folder.staging, 'part-1'), '')
  const error = new Error('no')
  const options = { grace: -1, uploadLife: 1000, purge: () => Promise.reject(error) }
  await expect(collectGarbage(store, options)).rejects.toBe(error)
  expect(store.read.all('SELECT state FROM uploads')).toEqual([{ state: 'cancelled' }])
  expect(readdirSync(store.folder.staging)).toEqual([])
  const [old, young] = ['part-2', 'part-3'].map((name) => join(store.folder.staging, name))
  for (const name of [old, young]) writeFileSync(name ?? '', '')
  utimesSync(old ?? '', 1000, 1000)
  const purged = { ...options, grace: 60_000, purge: () => Promise.resolve(4) }
  expect(await collectGarbage(store, purged)).toEqual({ purged: 4, expiredUploads: 0, files: 1 })
  expect(readdirSync(store.folder.staging)).toEqual(['part-3'])
  await store.close()
})

test('a backup has no traces of its making, and says what it holds', async () => {
  const folder = await newStore('backed')
  const report = await backup(folder.path, temp('backed up'))
  expect(report).toEqual({
    count: 0,
    bytes: 0,
    database: statSync(join(temp('backed up'), 'store.db')).size,
    folder: temp('backed up'),
  })
  expect(readdirSync(temp('backed up')).toSorted()).toEqual(['backup.json', 'blobs', 'staging', 'store.db'])
  expect(statSync(join(temp('backed up'), 'backup.json')).mode & 0o777).toBe(0o600)
  const text = readFileSync(join(temp('backed up'), 'backup.json'), 'utf8')
  expect(text).toBe(`${JSON.stringify(JSON.parse(text), undefined, 2)}\n`)
  expect(JSON.parse(text)).toEqual({
    format: 'hla-drive-backup-1',
    version: 1,
    created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown,
    database: { size: report.database, sha256: expect.stringMatching(/^[\da-f]{64}$/) as unknown },
    contents: { count: 0, bytes: 0 },
  })
  const again = await backup(folder.path, temp('backed up')).catch((error: unknown) => error)
  expect(again).toMatchObject({
    code: 'io',
    message: `the folder ${temp('backed up')} is not empty`,
    offending: temp('backed up'),
    hint: 'It holds a backup, which is never changed: name a new folder. restic, borg or rsync --link-dest keep several backups using space only for what changed.',
  })
  mkdirSync(temp('other things/a'), { recursive: true })
  const other = await backup(folder.path, temp('other things')).catch((error: unknown) => error)
  expect(other).toMatchObject({ code: 'io', message: `the folder ${temp('other things')} is not empty`, hint: undefined })
  // an empty folder is taken, and what an interrupted backup left goes
  mkdirSync(temp('empty'))
  mkdirSync(temp('.empty.part/blobs/ab'), { recursive: true })
  expect(await backup(folder.path, temp('empty'))).toMatchObject({ count: 0 })
  expect([existsSync(temp('.empty.part')), readdirSync(join(temp('empty'), 'blobs'))]).toEqual([false, []])
  await expect(backup(temp('no store'), temp('of nothing'))).rejects.toMatchObject({
    code: 'not-found',
    message: `there is no store in ${temp('no store')}`,
    offending: temp('no store'),
  })
}) // prettier-ignore

test('a restored store forgets the address of the old one', async () => {
  const store = await openTestStore(temp('addressed'))
  await addFile(store, 'a')
  await runSql(store, `INSERT INTO settings VALUES ('address', 'https://old.example.org')`)
  await store.close()
  await backup(store.folder.path, temp('addressed backup'))
  await restore(temp('addressed backup'), temp('addressed again'))
  const addressOf = (path: string) =>
    withConnection(openForReading(storeFolder(path).database), (db) =>
      db.get(`SELECT value FROM settings WHERE name = 'address'`),
    )
  expect(await addressOf(temp('addressed backup'))).toEqual({ value: 'https://old.example.org' })
  expect(await addressOf(temp('addressed again'))).toEqual({ value: '' })
})
