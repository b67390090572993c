import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { backup, restore } from '../../../src/drive/persistence/upkeep/backup.ts'
import { collectGarbage, MIN_GRACE } from '../../../src/drive/persistence/upkeep/collect-garbage.ts'
import { digestBytes } from '../../../src/drive/persistence/contents/digest.ts'
import { openForReading } from '../../../src/drive/persistence/database/open-database.ts'
import { isStorageFailure } from '../../../src/drive/contract/failure.ts'
import type { StoreProblem } from '../../../src/drive/persistence/upkeep/row-checks.ts'
import { findContentUsers } from '../../../src/drive/persistence/upkeep/contents/content-check.ts'
import { fsck } from '../../../src/drive/persistence/upkeep/fsck.ts'
import type { Store } from '../../../src/drive/persistence/store.ts'
import { bundled } from '../../support/bundled.ts'
import {
  addFile,
  bytesOf,
  addContent,
  addUpload,
  heldContent,
  madeBytes,
  openTestStore,
  pieces,
  runSql,
  titlesOf,
} from '../../support/store.ts'
import { NOBODY } from '../../support/store-commands.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const thread = { file: bundled('test/support/store-writer.ts') }
const LARGE = madeBytes(50_000, 3)
const SMALL = madeBytes(5000, 4)
const QUICK = { isDeep: false, isRepairing: false }
const DEEP = { isDeep: true, isRepairing: false }
const REPAIR = { isDeep: false, isRepairing: true }

async function makeStore(name: string): Promise<Store> {
  const store = await openTestStore(temp(name))
  for (const [title, bytes] of [
    ['large', LARGE],
    ['small', SMALL],
  ] as const)
    await addContent(store, title, pieces(bytes))
  await addFile(store, 'empty')
  return store
}

function blobFilesOf(folder: string): string[] {
  const entries = readdirSync(join(folder, 'blobs'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

function blobFile(folder: string): string {
  const [file] = blobFilesOf(folder)
  if (file === undefined) throw new Error('no content is a file')
  return file
}

/** Sets the file time to long ago. */
function age(path: string): void {
  utimesSync(path, 1000, 1000)
}

/** What a check counts in a database that it cannot read. */
const UNKNOWN = { files: 0, contents: 0, bytes: 0, leftovers: 0 }
const HEADLESS = 'has none of its revisions as head'

describe('fsck', () => {
  test('finds nothing wrong with what was stored, also while it is in use', async () => {
    const store = await makeStore('clean')
    const clean = { findings: [], files: 4, contents: 3, bytes: 55_000, leftovers: 0 }
    expect(await fsck(temp('clean'), DEEP)).toEqual(clean)
    await expect(fsck(temp('clean'), REPAIR)).rejects.toMatchObject({ code: 'io' })
    await store.close()
    expect(await fsck(temp('clean'), REPAIR)).toEqual(clean)
  })

  test('there must be a store', async () => {
    await expect(fsck(temp('nowhere'), QUICK)).rejects.toMatchObject({
      code: 'not-found',
      message: `there is no store in ${temp('nowhere')}`,
      offending: temp('nowhere'),
    })
  })

  test.for<[string, StoreProblem, string, (path: string) => void, boolean]>([
    ['gone', 'lost-content', 'is not in ', (path) => rmSync(path), false],
    ['shorter', 'damaged-content', 'instead of 50000', (path) => writeFileSync(path, 'x'), false],
    [
      'changed',
      'damaged-content',
      'another sha256',
      (path) => writeFileSync(path, madeBytes(50_000, 99)),
      true,
    ],
  ])('finds a content that is %s', async ([name, problem, what, damage, needsDeep]) => {
    const store = await makeStore(`content ${name}`)
    await store.close()
    const path = blobFile(store.folder.path)
    chmodSync(path, 0o600)
    damage(path)
    const quick = await fsck(store.folder.path, QUICK)
    expect(quick.findings).toHaveLength(needsDeep ? 0 : 1)
    const { findings } = await fsck(store.folder.path, DEEP)
    const said: unknown = expect.stringMatching(
      new RegExp(`${what}.*: revision 1 of file large \\(/root/large\\) of a@b\\.c$`),
    )
    expect(findings).toEqual([{ problem, what: said, isRepaired: false }])
  })

  const DEEP_REPAIR = { isDeep: true, isRepairing: true }

  test('takes a lost content from a copy or a backup, and marks what has none', async () => {
    const store = await makeStore('to be repaired')
    await store.close()
    const { path } = store.folder
    const backups = temp('to be repaired.backup')
    await backup(path, backups, 'copy')
    const file = blobFile(path)
    // another copy exists: an interrupted upload
    renameSync(file, join(store.folder.staging, 'upload-1'))
    const taken = (await fsck(path, DEEP_REPAIR)).findings
    expect(taken).toMatchObject([
      { problem: 'lost-content', what: expect.stringContaining('taken from') as unknown, isRepaired: true },
    ])
    rmSync(join(store.folder.staging, 'upload-1'))
    // damaged without another copy: marked as lost, and reported once
    writeFileSync(file, madeBytes(50_000, 99))
    const again = await openTestStore(path)
    await runSql(again, 'DELETE FROM blob_data WHERE length(data) = 5000')
    await again.close()
    const marked = (await fsck(path, DEEP_REPAIR)).findings
    expect(marked.map(({ what, isRepaired }) => [what.split('; ')[1], isRepaired])).toEqual([
      ['marked as lost', true],
      ['marked as lost', true],
    ])
    expect((await fsck(path, DEEP)).findings).toEqual([])
    // the backup has both contents
    const back = (await fsck(path, { ...DEEP_REPAIR, from: backups })).findings
    expect(back).toHaveLength(2)
    for (const { what } of back) expect(what).toContain(`taken from ${backups}`)
    expect((await fsck(path, DEEP)).findings).toEqual([])
    const whole = await openTestStore(path)
    expect(await bytesOf(await whole.blobs.open(largeOf(whole)))).toEqual(LARGE)
    expect(whole.read.all('SELECT 1 FROM revisions WHERE is_lost = 1')).toEqual([])
    await whole.close()
  })

  test('takes lost bytes from the database of another revision', async () => {
    const store = await makeStore('twice')
    await addContent(store, 'again', pieces(SMALL))
    await runSql(
      store,
      'DELETE FROM blob_data WHERE blob = (SELECT min(blob) FROM blob_data WHERE length(data) = 5000)',
    )
    await store.close()
    const { path } = store.folder
    const what = `content ${digestBytes(SMALL).sha256} has no bytes: revision 1 of file small`
    expect((await fsck(path, QUICK)).findings).toMatchObject([
      { problem: 'lost-content', what: `${what} (/root/small) of a@b.c`, isRepaired: false },
    ])
    expect((await fsck(path, REPAIR)).findings).toMatchObject([
      {
        problem: 'lost-content',
        what: expect.stringContaining('taken from another revision') as unknown,
        isRepaired: true,
      },
    ])
    expect((await fsck(path, DEEP)).findings).toEqual([])
  })

  test('finds bytes in the database that are fewer or more, without reading them', async () => {
    const store = await makeStore('lengths')
    await store.close()
    for (const size of [4999, 5001]) {
      const again = await openTestStore(store.folder.path)
      await runSql(again, `UPDATE blob_data SET data = zeroblob(${size}) WHERE length(data) > 4000`)
      await again.close()
      expect((await fsck(store.folder.path, QUICK)).findings).toMatchObject([
        {
          problem: 'damaged-content',
          what: expect.stringContaining(`${size} bytes instead of 5000`) as unknown,
        },
      ])
    }
  })

  test('names three revisions of a content, and how many more there are', async () => {
    const store = await makeStore('users')
    const used = (count: number) => {
      const blob = store.read.get<{ blob: number }>('SELECT min(blob) AS blob FROM revisions')?.blob ?? 0
      return runSql(
        store,
        `INSERT INTO revisions(file, id, blob, mime, size, modified, modifier)
          SELECT pk, '${count}', ${blob}, 'a/b', 0, 0, 1 FROM files WHERE title = 'large'`,
      ).then(() => [true, false].map((withPath) => findContentUsers(store.read, blob, withPath)))
    }
    const named = (count: number, path: string) =>
      Array.from({ length: count }, (_, at) => `revision ${at + 1} of file large${path} of a@b.c`).join(', ')
    const both = (count: number, more = '') => [
      named(count, ' (/root/large)') + more,
      named(count, '') + more,
    ]
    expect(await used(2)).toEqual(both(2))
    expect(await used(3)).toEqual(both(3))
    expect(await used(4)).toEqual(both(3, ', 1 more'))
    expect(await used(5)).toEqual(both(3, ', 2 more'))
    await runSql(store, `UPDATE files SET owner = NULL`)
    expect((await used(6))[1]).toBe(`${named(3, '').replaceAll('a@b.c', 'a shared drive')}, 3 more`)
    expect(findContentUsers(store.read, 999, true)).toBe('no revision')
    await store.close()
  })

  test('takes back what a clean-up had put aside', async () => {
    const store = await makeStore('put aside')
    await store.close()
    const file = blobFile(store.folder.path)
    renameSync(file, join(store.folder.staging, `part-${basename(file)}`))
    expect((await fsck(store.folder.path, DEEP_REPAIR)).findings).toMatchObject([
      { problem: 'lost-content', what: expect.stringContaining('taken from') as unknown, isRepaired: true },
    ])
    expect((await fsck(store.folder.path, DEEP)).findings).toEqual([])
  })

  test('finds bytes in the database that changed', async () => {
    const store = await makeStore('inline')
    await runSql(store, `UPDATE blob_data SET data = zeroblob(5000) WHERE length(data) = 5000`)
    await store.close()
    expect((await fsck(store.folder.path, QUICK)).findings).toEqual([])
    expect((await fsck(store.folder.path, DEEP)).findings).toMatchObject([{ problem: 'damaged-content' }])
  })

  test.for([
    [
      'DELETE FROM revisions',
      [HEADLESS, HEADLESS, HEADLESS, 'does not count', 'does not count'],
      [HEADLESS, HEADLESS, HEADLESS],
    ],
    [
      `UPDATE files SET head = NULL WHERE title = 'small'`,
      ['file small has none of its revisions as head'],
      [],
    ],
    [`UPDATE files SET size = 1 WHERE title = 'small'`, ['has not the size of its head'], []],
    [`UPDATE files SET used = 1 WHERE title = 'small'`, ['does not count', 'do not add up'], []],
    ["UPDATE principals SET used = 1 WHERE kind = 'user'", ['used bytes of a@b.c do not add up'], []],
    ['INSERT INTO parents VALUES (77, 2)', ['parents of no file: 77'], []],
    ['INSERT INTO parents VALUES (1, 77)', ['parents of no file: 77'], []],
    [`INSERT INTO properties VALUES (77, 0, 'k', 'v')`, ['properties of no file: 77'], []],
    [
      `INSERT INTO words(rowid, title, body, content) VALUES (77, 'a', 'b', 'c')`,
      ['words of no file: 77'],
      [],
    ],
    ['DELETE FROM blob_data', ['has no bytes', 'has no bytes'], []],
    ['INSERT INTO blob_data VALUES (77, zeroblob(3))', ['bytes of no content'], []],
    [
      'DELETE FROM blobs',
      [
        'names no content',
        'names no content',
        'names no content',
        'bytes of no content',
        'bytes of no content',
      ],
      ['names no content', 'names no content', 'names no content'],
    ],
    ['INSERT INTO acl_entries VALUES (77, 1, 1, 1)', ['rights of no set'], []],
    ['UPDATE files SET acl = 77 WHERE pk = 2', ['file large has no set of rights'], ['has no set']],
    ['UPDATE change_index SET seq = 77 WHERE item = 2', ['change 77 of 1 is not in the log'], []],
    [
      `INSERT INTO files(pk, id, kind, title, fold, natural, mime, owner, client, acl, created, modified, modifier)
       SELECT pk + 50, 'f' || pk, 'folder', 't', 't', 't', 'm', 1, 0, 1, 0, 0, 1 FROM files WHERE pk < 4;
       INSERT INTO parents VALUES (51, 52), (52, 53), (53, 51), (1, 51)`,
      ['metadata of a@b.c do not add up', 'is inside itself'],
      [],
    ],
  ] as const)('finds what is wrong after %s, and mends what it can', async ([sql, found, left], { task }) => {
    const store = await makeStore(task.id)
    for (const statement of sql.split(';')) await runSql(store, statement)
    await store.close()
    const told = async (options: typeof QUICK) => (await fsck(store.folder.path, options)).findings
    expect((await told(QUICK)).map(({ what }) => what)).toEqual(
      found.map((what) => expect.stringContaining(what) as unknown),
    )
    const mended = await told(REPAIR)
    expect(mended.filter(({ isRepaired }) => !isRepaired)).toHaveLength(left.length)
    expect((await told(QUICK)).map(({ what }) => what)).toEqual(
      left.map((what) => expect.stringContaining(what) as unknown),
    )
  })

  test('tells of a database that has nothing in it, and refuses one of another version', async () => {
    const store = await makeStore('versions')
    await runSql(store, 'PRAGMA user_version = 99')
    await store.close()
    await expect(fsck(store.folder.path, QUICK)).rejects.toMatchObject({ code: 'data-differs' })
    await expect(fsck(store.folder.path, REPAIR)).rejects.toMatchObject({ code: 'data-differs' })
    writeFileSync(store.folder.database, '')
    const what = 'the database has no tables: nothing was stored, or all of it is lost'
    const findings = [{ problem: 'damaged-database', what, isRepaired: false }]
    expect(await fsck(store.folder.path, QUICK)).toEqual({ ...UNKNOWN, findings })
  })

  test('an index that lacks a row is damage, which a repair rebuilds and a backup refuses', async () => {
    const store = await makeStore('index')
    await store.close()
    const { path, database } = store.folder
    const db = await openForReading(database)
    const sql = `SELECT rootpage AS page FROM sqlite_schema WHERE name = 'files_titles'`
    const { page = 0 } = db.get<{ page: number }>(sql) ?? {}
    db.close()
    const bytes = readFileSync(database)
    bytes.write('smalk', bytes.indexOf('small', (page - 1) * 4096))
    writeFileSync(database, bytes)
    const what = 'row 3 missing from index files_titles'
    const problem = 'damaged-database'
    expect((await fsck(path, QUICK)).findings).toEqual([{ problem, what, isRepaired: false }])
    await expect(backup(path, temp('index copy'))).rejects.toMatchObject({
      code: 'data-differs',
      message: `the database is damaged: ${what}`,
    })
    expect(await fsck(path, REPAIR)).toEqual({
      findings: [{ problem, what, isRepaired: true }],
      files: 4,
      contents: 3,
      bytes: 55_000,
      leftovers: 0,
    })
    expect((await fsck(path, QUICK)).findings).toEqual([])
  })

  test('a damaged database is a finding, not a crash', async () => {
    const store = await makeStore('database')
    await store.close()
    const bytes = readFileSync(store.folder.database)
    for (let page = 2; page < bytes.length / 4096; page++) bytes.fill(0xff, page * 4096, page * 4096 + 100)
    writeFileSync(store.folder.database, bytes)
    for (const options of [QUICK, REPAIR]) {
      const { findings, ...rest } = await fsck(store.folder.path, options)
      expect(findings[0]).toMatchObject({ problem: 'damaged-database', isRepaired: false })
      expect(rest).toEqual(UNKNOWN)
    }
  })
})

describe('collectGarbage', () => {
  const day = 86_400_000
  const options = { grace: day, uploadLife: 7 * day }
  const nothing = { purged: 0, expiredUploads: 0, files: 0 }

  test('removes nothing that is named, or young', async () => {
    const store = await makeStore('gc young')
    for (const file of blobFilesOf(store.folder.path)) age(file)
    await heldContent(store.blobs, pieces(madeBytes(40_000, 5)))
    await store.write('remove', NOBODY, 'small')
    // the other name of the content that arrives
    expect(await collectGarbage(store, options)).toEqual(nothing)
    expect(await bytesOf(await store.blobs.open(largeOf(store)))).toEqual(LARGE)
    await store.close()
  })

  test('removes contents that no revision names, and files that no row names', async () => {
    const store = await makeStore('gc old')
    const staged = await heldContent(store.blobs, pieces(madeBytes(40_000, 5)))
    for (const file of blobFilesOf(store.folder.path)) age(file)
    for (const name of ['part-1', 'upload-1', 'upload-2']) {
      writeFileSync(join(store.folder.staging, name), 'x')
      age(join(store.folder.staging, name))
    }
    await runSql(
      store,
      `INSERT INTO uploads(digest, user, client, facts, total, received, staged, state, result, touched) VALUES ('d', 1, 1, '', 5, 1, 'upload-1', 'open', NULL, ${Date.now()})`,
    )
    // contents go with their last row
    await store.write('remove', NOBODY, 'large')
    await store.write('remove', NOBODY, 'small')
    expect(blobFilesOf(store.folder.path)).toHaveLength(1)
    const report = await collectGarbage(store, { ...options, purge: () => Promise.resolve(3) })
    // one without a row, with its other name; two that were arriving
    expect(report).toEqual({ purged: 3, expiredUploads: 0, files: 4 })
    expect(blobFilesOf(store.folder.path)).toEqual([])
    expect(readdirSync(store.folder.staging)).toEqual(['upload-1'])
    // a removed content can be stored again
    const again = await heldContent(store.blobs, pieces(madeBytes(40_000, 5)))
    expect(again).toEqual(staged)
    expect(blobFilesOf(store.folder.path)).toHaveLength(1)
    await store.close()
    expect((await fsck(store.folder.path, DEEP)).findings).toEqual([])
  })

  test('removes more than 100 at once', async () => {
    const store = await makeStore('gc many')
    const known = blobFilesOf(store.folder.path)
    for (let at = 0; at < 101; at++) {
      const { sha256 } = digestBytes(Buffer.from(`${at}`))
      const path = store.place.contents.pathOf?.(sha256) ?? ''
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, `${at}`)
      age(path)
    }
    expect(await collectGarbage(store, options)).toEqual({ ...nothing, files: 101 })
    expect(blobFilesOf(store.folder.path)).toEqual(known)
    await store.close()
  })

  test('ends uploads that nobody goes on with, and forgets them later', async () => {
    const store = await makeStore('gc uploads')
    const now = Date.now()
    const rows = [
      ['new', 'open', 6],
      ['old', 'open', 8],
      ['ended', 'done', 8],
      ['forgotten', 'done', 15],
    ] as const
    for (const [name, state, days] of rows)
      await runSql(
        store,
        `INSERT INTO uploads(digest, user, client, facts, total, received, staged, state, result, touched) VALUES ('${name}', 1, 1, '', 5, 1, '${name}', '${state}', NULL, ${now - days * day})`,
      )
    expect(await collectGarbage(store, options)).toEqual({ ...nothing, expiredUploads: 1 })
    expect(store.read.all('SELECT digest, state FROM uploads ORDER BY digest')).toEqual([
      { digest: 'ended', state: 'done' },
      { digest: 'new', state: 'open' },
      { digest: 'old', state: 'cancelled' },
    ])
    await store.close()
  })

  test('what is stored again while it is removed stays', async () => {
    const store = await openTestStore(temp('gc race'), { writer: thread })
    const bytes = madeBytes(20_000, 6)
    const ways = [
      (title: string) => addContent(store, title, pieces(bytes)),
      async (title: string) => {
        const name = store.blobs.uploads.newName()
        await store.blobs.uploads.append(name, 0, pieces(bytes), () => undefined)
        await addUpload(store, title, name, bytes.length)
        await store.blobs.uploads.discard(name)
      },
    ]
    for (let round = 0; round < 40; round++) {
      // as a loss of power leaves it
      const path = blobPath(store, digestBytes(bytes).sha256)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, bytes)
      age(path)
      const add = async () => {
        for (let turn = 0; turn < round % 5; turn++) await new Promise(setImmediate)
        await ways[round % 2]?.(`t${round}`)
      }
      await Promise.all([add(), collectGarbage(store, options)])
      expect(blobFilesOf(store.folder.path)).toEqual([path])
      await store.write('remove', NOBODY, `t${round}`)
      expect(blobFilesOf(store.folder.path)).toEqual([])
    }
    await store.close()
    expect((await fsck(store.folder.path, DEEP)).findings).toEqual([])
  })

  const rounds = process.env['HLA_LONG'] === '1' ? 50 : 3

  test(
    `${rounds} times at no grace at all beside uploads: what is acknowledged is there`,
    { timeout: 600_000 },
    async () => {
      const store = await openTestStore(temp('gc beside uploads'), { writer: thread, isService: false })
      const other = await openTestStore(store.folder.path, { isService: false })
      const stored: string[] = []
      let [lost, next, removed] = [0, 0, 0]
      const upload = async (until: () => boolean) => {
        while (!until()) {
          const seed = (next += 1)
          try {
            stored.push((await addContent(store, `t${seed}`, pieces(madeBytes(20_000, seed)))).sha256)
          } catch (error) {
            // the client would repeat it
            if (!isStorageFailure(error) || error.status !== 503) throw error
          }
        }
      }
      for (let round = 0; round < rounds; round++) {
        const state = { isOver: false }
        const lanes = Array.from({ length: 8 }, () => upload(() => state.isOver))
        for (let times = 0; times < 4; times++)
          removed += (await collectGarbage(other, { ...options, grace: 0 })).files
        state.isOver = true
        await Promise.all(lanes)
      }
      for (const sha256 of stored) if (!existsSync(blobPath(store, sha256))) lost++
      await Promise.all([other.close(), store.close()])
      expect(stored.length).toBeGreaterThan(rounds)
      // clean-ups did run between a content and its row
      expect(removed).toBeGreaterThan(0)
      expect(lost).toBe(0)
      expect((await fsck(store.folder.path, DEEP)).findings).toEqual([])
    },
  )

  test.for([0, MIN_GRACE - 1])('a grace of %i ms is refused while a service is at work', async (grace) => {
    const service = await openTestStore(temp(`gc beside ${grace}`))
    const beside = await openTestStore(service.folder.path, { isService: false })
    const refused = {
      code: 'usage',
      message: `a service uses the store ${service.folder.path}: files that it is receiving must not be deleted`,
      hint: 'Use --grace 1h or more while the service runs.',
    }
    for (const store of [service, beside]) {
      await expect(collectGarbage(store, { ...options, grace })).rejects.toMatchObject(refused)
      for (const more of [{ grace: MIN_GRACE }, { grace, isAlone: true }])
        expect(await collectGarbage(store, { ...options, ...more })).toEqual(nothing)
    }
    await service.close()
    expect(await collectGarbage(beside, { ...options, grace })).toEqual(nothing)
    await beside.close()
  })

  test('an upload in several requests takes the place of a damaged content of the same digest', async () => {
    const store = await makeStore('gc damaged')
    writeFileSync(blobFile(store.folder.path), madeBytes(50_000, 99))
    for (const title of ['again', 'and again']) {
      const name = store.blobs.uploads.newName()
      await store.blobs.uploads.append(name, 0, pieces(LARGE), () => undefined)
      // the second time the file is already in place
      for (let times = 0; times < 2; times++) await addUpload(store, `${title}${times}`, name, LARGE.length)
      await store.blobs.uploads.discard(name)
    }
    expect(await bytesOf(await store.blobs.open(largeOf(store)))).toEqual(LARGE)
    expect(readdirSync(store.folder.staging)).toEqual([])
    await store.close()
    expect((await fsck(store.folder.path, DEEP)).findings).toEqual([])
  })

  test('what a crash left aside goes, and can be stored again', async () => {
    const store = await makeStore('gc aside')
    const staged = await heldContent(store.blobs, pieces(madeBytes(40_000, 5)))
    const aside = join(store.folder.staging, `part-${staged.sha256}`)
    renameSync(blobPath(store, staged.sha256), aside)
    age(aside)
    await store.close()
    const again = await openTestStore(store.folder.path)
    await addContent(again, 'again', pieces(madeBytes(40_000, 5)))
    // the start has removed it
    expect(await collectGarbage(again, options)).toEqual(nothing)
    await again.close()
    expect(readdirSync(store.folder.staging)).toEqual([])
    expect((await fsck(store.folder.path, DEEP)).findings).toEqual([])
  })

  test('waits for no backup, and no backup for it', async () => {
    const store = await makeStore('gc and backup')
    const both = await Promise.allSettled([
      collectGarbage(store, options),
      backup(temp('gc and backup'), temp('b')),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const message = `a backup, check or clean-up of the store is running ${temp('gc and backup')}`
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'io', message },
    })
    await store.close()
  })
})

function blobPath({ folder }: Store, sha256: string): string {
  return join(folder.blobs, sha256.slice(0, 2), sha256)
}

function largeOf(store: Store) {
  const row = store.read.get<{ pk: number; sha256: string; size: number; kind: 'file' }>(
    `SELECT pk, sha256, size, kind FROM blobs WHERE kind = 'file'`,
  )
  if (row === undefined) throw new Error('no content is a file')
  return row
}

describe('backup', () => {
  test.for(['link', 'copy'] as const)(
    'by %s it is a store of one moment, and comes back as it was',
    async (copying) => {
      const folder = temp(`backup ${copying}`)
      const store = await makeStore(`backup ${copying}`)
      const report = await backup(folder, `${folder}.copy`, copying)
      expect(report).toMatchObject({ count: 1, bytes: 50_000 })
      await addFile(store, 'later')
      await store.write('remove', NOBODY, 'large')
      await store.close()
      await restore(`${folder}.copy`, `${folder}.restored`)
      expect((await fsck(`${folder}.restored`, DEEP)).findings).toEqual([])
      const restored = await openTestStore(`${folder}.restored`)
      expect(titlesOf(restored)).toEqual(['large', 'small', 'empty'])
      expect(await bytesOf(await restored.blobs.open(largeOf(restored)))).toEqual(LARGE)
      await addFile(restored, 'after')
      await restored.close()
    },
  )

  test('while others write, it is whole', async () => {
    const store = await openTestStore(temp('busy'), { writer: thread })
    const state = { isDone: false }
    let count = 0
    const write = async () => {
      while (!state.isDone) await addContent(store, `t${count++}`, pieces(madeBytes(20_000, count)))
    }
    const writers = [write(), write(), write()]
    for (const round of [1, 2, 3]) {
      await backup(temp('busy'), temp(`busy-${round}`))
      expect((await fsck(temp(`busy-${round}`), DEEP)).findings).toEqual([])
    }
    state.isDone = true
    await Promise.all(writers)
    await store.close()
  })

  test('what is there is not overwritten, and what is unfinished has no name', async () => {
    const store = await makeStore('unfinished')
    await store.close()
    await expect(backup(store.folder.path, store.folder.path)).rejects.toMatchObject({ code: 'io' })
    rmSync(blobFile(store.folder.path))
    await expect(backup(store.folder.path, temp('made'))).rejects.toMatchObject({ code: 'data-differs' })
    expect(existsSync(temp('made'))).toBe(false)
    expect(existsSync(temp('.made.part'))).toBe(false)
  })

  test('is never opened as a store, or mended; what is restored from it is', async () => {
    const store = await makeStore('kept')
    await store.close()
    const copy = temp('kept copy')
    await backup(store.folder.path, copy, 'copy')
    const refused = {
      code: 'io',
      message: `${copy} is a backup, which is never changed`,
      hint: [
        { command: 'drive restore', options: [{ option: 'data', value: 'NEW' }], args: [copy] },
        ' restores it into a new store',
      ],
    }
    await expect(openTestStore(copy)).rejects.toMatchObject(refused)
    await expect(fsck(copy, REPAIR)).rejects.toMatchObject(refused)
    expect((await fsck(copy, DEEP)).findings).toEqual([])
    await restore(copy, temp('kept again'))
    await (await openTestStore(temp('kept again'))).close()
  })
})

describe('restore', () => {
  /** Changes a number in the description of a backup. */
  function change(name: 'count' | 'bytes', folder: string, value: number): void {
    const path = join(folder, 'backup.json')
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as { contents: Record<string, number> }
    manifest.contents[name] = value
    writeFileSync(path, JSON.stringify(manifest))
  }

  const DIFFERS = 'data-differs'
  test.for<[string, (folder: string) => void, string, (folder: string) => string | RegExp]>([
    [
      'without a description',
      (folder) => rmSync(join(folder, 'backup.json')),
      'not-found',
      (folder) => `there is no ${folder}/backup.json`,
    ],
    [
      'with a description of something else',
      (folder) => writeFileSync(join(folder, 'backup.json'), '{}'),
      'unknown-format',
      (folder) => `${folder}/backup.json is not the description of a backup`,
    ],
    [
      'with a description that says nothing',
      (folder) => writeFileSync(join(folder, 'backup.json'), 'null'),
      'unknown-format',
      (folder) => `${folder}/backup.json is not the description of a backup`,
    ],
    [
      'with a description that is cut off',
      (folder) => writeFileSync(join(folder, 'backup.json'), '{"f'),
      'unknown-format',
      (folder) => `${folder}/backup.json is not JSON`,
    ],
    [
      'with a description of more contents',
      (folder) => change('count', folder, 2),
      DIFFERS,
      () => 'the backup has 1 contents of 50000 bytes, its description says 2 of 50000 bytes',
    ],
    [
      'with a description of more bytes',
      (folder) => change('bytes', folder, 50_001),
      DIFFERS,
      () => 'the backup has 1 contents of 50000 bytes, its description says 1 of 50001 bytes',
    ],
    [
      'whose database has changed',
      (folder) => writeFileSync(join(folder, 'store.db'), 'x'),
      DIFFERS,
      () => 'the database in the backup differs from what was copied',
    ],
    [
      'that lost a content',
      (folder) => rmSync(blobFile(folder)),
      DIFFERS,
      () => /^the content .* is missing$/,
    ],
    [
      'with a content that has changed',
      (folder) => writeFileSync(blobFile(folder), madeBytes(50_000, 98)),
      DIFFERS,
      () => `the content ${digestBytes(LARGE).sha256} has other bytes than were stored`,
    ],
  ])('refuses a backup %s', async ([name, damage, code, message]) => {
    const store = await makeStore(`damage ${name}`)
    await store.close()
    const copy = temp(`copy ${name}`)
    await backup(store.folder.path, copy, 'copy')
    damage(copy)
    const error = await restore(copy, temp(`restored ${name}`)).catch((caught: unknown) => caught)
    const wanted = message(copy)
    expect(error).toMatchObject({
      code,
      message: typeof wanted === 'string' ? wanted : expect.stringMatching(wanted),
    })
    expect(existsSync(temp(`restored ${name}`))).toBe(false)
  })
})
