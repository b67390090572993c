import { mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { fsck } from '../../../src/drive/persistence/upkeep/fsck.ts'
import { makeClock } from '../../../src/drive/persistence/database/clock.ts'
import type { Database } from '../../../src/drive/persistence/database/database.ts'
import { openStore, type Store } from '../../../src/drive/persistence/store.ts'
import { bundled } from '../../support/bundled.ts'
import {
  addFile,
  addContent,
  madeBytes,
  openTestStore,
  pieces,
  runSql,
  titlesOf,
} from '../../support/store.ts'
import { type Added, NOBODY, STORE_COMMANDS } from '../../support/store-commands.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const thread = { file: bundled('test/support/store-writer.ts') }

afterEach(() => vi.useRealTimers())

describe.for([
  ['a thread', thread],
  ['this thread', STORE_COMMANDS],
] as const)('a store to which %s writes', ([name, writer]) => {
  async function withStore(folder: string, use: (store: Store) => Promise<void>): Promise<void> {
    const store = await openTestStore(temp(`${folder} ${name}`), { writer })
    try {
      await use(store)
    } finally {
      await store.close()
    }
  }

  test('answers each command by its own result, and reads what was written', () =>
    withStore('many', async (store) => {
      const titles = Array.from({ length: 300 }, (_, at) => `t${at}`)
      const added = await Promise.all(titles.map((title) => addFile(store, title)))
      expect(added.map(({ pk }) => pk)).toEqual(titles.map((_, at) => at + 2))
      expect(titlesOf(store)).toEqual(titles)
    }))

  test('a refusal takes back its own command, not those it shares a commit with', () =>
    withStore('refusals', async (store) => {
      const asked = Array.from({ length: 60 }, (_, at) => {
        const command = at % 3 === 0 ? 'add' : at % 3 === 1 ? 'refuse' : 'crash'
        return store.write(command, NOBODY, { title: `t${at}` })
      })
      const settled = await Promise.allSettled(asked)
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
      expect(titlesOf(store)).toEqual(Array.from({ length: 20 }, (_, at) => `t${at * 3}`))
      // earlier commands of the group were repeated: answers match the rows
      const answered = settled.flatMap((one) => (one.status === 'fulfilled' ? [(one.value as Added).pk] : []))
      const files = store.read.all<{ pk: number }>("SELECT pk FROM files WHERE kind = 'file' ORDER BY pk")
      expect(answered).toEqual(files.map(({ pk }) => pk))
    }))

  test('what a command leaves for the end of its group is there with it, or not at all', () =>
    withStore('later', async (store) => {
      const asked = [
        store.write('later', NOBODY, { title: 'first' }),
        addFile(store, 'a'),
        store.write('later', NOBODY, { title: 'refused' }),
        // large enough to be written without waiting
        store.write('later', NOBODY, { title: 'much', text: 'x'.repeat(1 << 20) }),
        addFile(store, 'b'),
        store.write('later', NOBODY, { title: 'cut\0' }),
        store.write('later', NOBODY, { title: 'last' }),
      ]
      const settled = await Promise.allSettled(asked)
      expect(settled.map(({ status }) => status === 'fulfilled')).toEqual([
        true,
        true,
        false,
        true,
        true,
        false,
        true,
      ])
      const found = store.read.all<{ name: string; value: string }>('SELECT name, value FROM settings')
      const counts = Object.fromEntries(found.map(({ name: by, value }) => [by, Number(value)]))
      // the commands may be in one group or in several
      expect(counts).toEqual({ first: expect.any(Number) as unknown, much: 1, last: 2 })
      expect(counts['first']).toBeLessThanOrEqual(1)
    }))

  test('what a trial left for the end of the group is taken back with it', () =>
    withStore('trials', async (store) => {
      await Promise.all([addFile(store, 'kept'), store.write('trial', NOBODY, { title: 'tried' })])
      expect(titlesOf(store)).toEqual(['kept'])
      const found = (word: string) =>
        store.read.all('SELECT rowid FROM words WHERE words MATCH ?', word).length
      expect([found('kept'), found('tried')]).toEqual([1, 0])
    }))

  test('a failure arrives as it was thrown, a bug with its stack', () =>
    withStore('errors', async (store) => {
      const failure = {
        name: 'StorageFailure',
        status: 404,
        reason: 'notFound',
        details: { location: 'fileId' },
      }
      await expect(store.write('refuse', NOBODY, { title: 'abc' })).rejects.toMatchObject(failure)
      const bug = await store.write('crash', NOBODY, { title: 'abc' }).catch((error: unknown) => error)
      expect(bug).toBeInstanceOf(Error)
      expect(bug).toMatchObject({ message: 'a bug', stack: expect.stringContaining('crash') as unknown })
      await expect(store.write('nothing', NOBODY, {})).rejects.toThrow('there is no command nothing')
      await expect(store.write('async', NOBODY, {})).rejects.toThrow('waits for nothing')
      await expect(runSql(store, 'SELEC')).rejects.toThrow('syntax error')
    }))

  test('text that would be cut is refused as the sender’s mistake', () =>
    withStore('text', async (store) => {
      await expect(addFile(store, 'a\0b')).rejects.toMatchObject({ status: 400, reason: 'invalid' })
      expect(titlesOf(store)).toEqual([])
    }))

  test('all statements of a snapshot see the same state', () =>
    withStore('snapshot', async (store) => {
      await addFile(store, 'a')
      const seen = store.snapshot((db) => db.get<{ count: number }>('SELECT count(*) AS count FROM files'))
      expect(seen).toEqual({ count: 2 })
      expect(() =>
        store.snapshot(() => {
          throw new Error('no')
        }),
      ).toThrow('no')
      expect(store.snapshot((db) => db.get('SELECT 1 AS a'))).toEqual({ a: 1 })
    }))

  test('what was acknowledged is there when it is opened again', async () => {
    for (const round of [0, 1, 2]) {
      await withStore('again', async (store) => {
        expect(titlesOf(store)).toHaveLength(round * 40)
        await Promise.all(Array.from({ length: 40 }, (_, at) => addFile(store, `${round}-${at}`)))
      })
    }
  })

  test('what was asked before it is closed is answered', async () => {
    const store = await openTestStore(temp(`closing ${name}`), { writer })
    const asked = Array.from({ length: 300 }, (_, at) => addFile(store, `t${at}`))
    await store.close()
    expect(await Promise.all(asked)).toHaveLength(300)
  })
})

/** Commit frames in the write-ahead log. https://www.sqlite.org/fileformat2.html#wal_file_format */
function commitsIn(store: Store): number {
  const log = readFileSync(`${store.folder.database}-wal`)
  let count = 0
  for (let at = 32; at + 24 <= log.length; at += 24 + 4096) if (log.readUInt32BE(at + 4) > 0) count++
  return count
}

describe('a writer thread', () => {
  test('commands that are asked together share a commit', async () => {
    const store = await openTestStore(temp('groups'), { writer: thread })
    await addFile(store, 'first')
    const before = commitsIn(store)
    await Promise.all(Array.from({ length: 256 }, (_, at) => addFile(store, `t${at}`)))
    expect(commitsIn(store) - before).toBeLessThan(10)
    // what cannot be sent to the thread is an error of its command
    await expect(store.write('add', NOBODY, { title: () => 'a' })).rejects.toThrow('could not be cloned')
    await addFile(store, 'after it')
    await store.close()
  })

  test('a failure of the disk is told once, and ends all writing', async () => {
    const broken: unknown[] = []
    const store = await openTestStore(temp('broken'), {
      writer: thread,
      onBroken: (error) => void broken.push(error),
    })
    await addFile(store, 'first')
    // from now on the writer meets what a disk that became read-only answers
    await runSql(store, 'PRAGMA query_only = 1')
    const refused = {
      status: 503,
      reason: 'backendError',
      message: 'The service cannot save changes at the moment; try again.',
    }
    await expect(addFile(store, 'second')).rejects.toMatchObject(refused)
    await expect.poll(() => broken).toHaveLength(1)
    expect(broken).toMatchObject([{ message: expect.stringContaining('readonly') }])
    await expect(addFile(store, 'third')).rejects.toMatchObject(refused)
    expect(titlesOf(store)).toEqual(['first'])
    await store.close()
    expect(broken).toHaveLength(1)
  })

  test('a failure of the disk under a content ends all writing, too', async () => {
    const broken: unknown[] = []
    const store = await openTestStore(temp('broken content'), {
      onBroken: (error) => void broken.push(error),
    })
    await addFile(store, 'first')
    const error = Object.assign(new Error('refused'), { code: 'EIO', syscall: 'write' })
    async function* failing() {
      yield* pieces(madeBytes(100_000))
      throw error
    }
    const refused = { status: 503, message: 'The service cannot save changes at the moment; try again.' }
    await expect(addContent(store, 'second', failing())).rejects.toMatchObject(refused)
    expect(broken).toEqual([error])
    await expect(addFile(store, 'third')).rejects.toMatchObject(refused)
    expect(titlesOf(store)).toEqual(['first'])
    await store.close()
  })

  test('a thread that cannot start is an error of opening', async () => {
    const missing = { file: temp('missing.mjs') }
    await expect(openTestStore(temp('missing'), { writer: missing })).rejects.toThrow('missing.mjs')
    // the folder is unlocked again
    await (await openTestStore(temp('missing'))).close()
  })
})

describe('the clock', () => {
  test('never goes back, not even between two runs', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const late = Date.UTC(2040, 0, 1)
    vi.setSystemTime(late)
    const store = await openTestStore(temp('clock'))
    expect((await addFile(store, 'a')).at).toBe(late)
    vi.setSystemTime(Date.UTC(2020, 0, 1))
    expect((await addFile(store, 'b')).at).toBe(late)
    await store.close()
    const again = await openTestStore(temp('clock'))
    expect((await again.write<Added>('add', NOBODY, { title: 'c' })).at).toBe(late)
    vi.setSystemTime(late + 5)
    expect((await addFile(again, 'd')).at).toBe(late + 5)
    await again.close()
  })

  const DAY = 86_400_000

  test('may have passed any time since the last change, but not more than the time that it took', () => {
    const empty = { get: () => undefined } as unknown as Database
    const at = { wall: Date.UTC(2030, 0, 1), since: 5 }
    const clock = makeClock(empty, { wall: () => at.wall, since: () => at.since })
    const pass = (since: number, wall = since) => {
      at.since += since
      at.wall += wall
      return clock()
    }
    for (let day = 0; day < 9; day += 1) expect(pass(DAY)).toBe(at.wall)
    // the store was idle
    expect(pass(4 * DAY)).toBe(at.wall)
    expect(pass(1000, DAY + 1000)).toBe(at.wall)
    expect(() => pass(1000, DAY + 1001)).toThrow('jumped ahead')
  })

  test('does not jump ahead by more than a day, nor by more than a year while nothing was written', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const begin = Date.UTC(2030, 0, 1)
    vi.setSystemTime(begin)
    const store = await openTestStore(temp('jumps'))
    await addFile(store, 'a')
    vi.setSystemTime(begin + DAY - 1000)
    await addFile(store, 'b')
    vi.setSystemTime(begin + 3650 * DAY)
    const refused = { status: 503, message: expect.stringContaining('jumped ahead') as unknown }
    await expect(addFile(store, 'c')).rejects.toMatchObject(refused)
    // the clock is corrected
    vi.setSystemTime(begin + DAY)
    await addFile(store, 'd')
    await store.close()
    vi.setSystemTime(begin + 300 * DAY)
    const later = await openTestStore(temp('jumps'))
    await addFile(later, 'e')
    await later.close()
    vi.setSystemTime(begin + 3650 * DAY)
    const far = await openTestStore(temp('jumps'))
    await expect(addFile(far, 'f')).rejects.toMatchObject(refused)
    await far.close()
    const accepted = await openTestStore(temp('jumps'), { acceptsClock: true })
    expect((await addFile(accepted, 'g')).at).toBe(begin + 3650 * DAY)
    await accepted.close()
    // the accepted clock was wrong: a repair sets the times back
    vi.setSystemTime(begin + 301 * DAY)
    const ahead = { problem: 'inconsistent', what: expect.stringContaining('ahead of the clock') as unknown }
    const path = temp('jumps')
    expect((await fsck(path, { isDeep: false, isRepairing: false })).findings).toMatchObject([ahead])
    expect((await fsck(path, { isDeep: false, isRepairing: true })).findings).toMatchObject([
      { ...ahead, isRepaired: true },
    ])
    const back = await openTestStore(path)
    expect((await addFile(back, 'h')).at).toBe(begin + 301 * DAY)
    expect(back.read.get(`SELECT created FROM files WHERE title = 'g'`)).toEqual({
      created: begin + 301 * DAY,
    })
    await back.close()
  })
})

describe('openStore', () => {
  test('what cannot be cleaned up is told, and does not keep it from opening', async () => {
    await (await openTestStore(temp('odd'))).close()
    mkdirSync(`${temp('odd')}/staging/folder`)
    const warnings: string[] = []
    const store = await openTestStore(temp('odd'), { onWarning: (text) => void warnings.push(text) })
    await store.close()
    expect(warnings).toEqual(['not cleaned up: EISDIR: illegal operation on a directory, read'])
  })

  test('nobody else may look into it', async () => {
    const store = await openTestStore(temp('rights'))
    await addFile(store, 'a')
    const { path, database, blobs, staging } = store.folder
    const modes = [path, blobs, staging, database, `${database}-wal`].map(
      (file) => statSync(file).mode & 0o777,
    )
    expect(modes).toEqual([0o700, 0o700, 0o700, 0o600, 0o600])
    await store.close()
  })

  test('a second service is refused and told who has it; administration is not', async () => {
    const store = await openTestStore(temp('two'))
    const second = openTestStore(temp('two'))
    await expect(second).rejects.toMatchObject({
      code: 'io',
      hint: expect.stringContaining(`process ${process.pid}`) as unknown,
    })
    const beside = await openTestStore(temp('two'), { isService: false })
    await addFile(beside, 'beside')
    await addFile(store, 'a')
    expect(titlesOf(store)).toEqual(['beside', 'a'])
    await beside.close()
    await store.close()
    await (await openTestStore(temp('two'))).close()
  })

  test.for<[string, (path: string) => void]>([
    ['deleted', (path) => rmSync(path)],
    ['emptied', (path) => truncateSync(path)],
  ])(
    'contents whose database was %s are not made a new store, which would sweep them up',
    async ([name, spoil]) => {
      const store = await openTestStore(temp(name))
      await addContent(store, 'a', pieces(madeBytes(20_000)))
      await store.close()
      spoil(store.folder.database)
      await expect(openTestStore(temp(name))).rejects.toMatchObject({
        code: 'data-differs',
        hint: 'restore a backup',
      })
    },
  )

  test('what is not a database is refused in words', async () => {
    const store = await openTestStore(temp('no-database'))
    await store.close()
    expect(statSync(`${store.folder.database}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0)
    writeFileSync(store.folder.database, 'x'.repeat(8192))
    const events = { onBroken: () => undefined, onWarning: () => undefined }
    const opening = openStore(temp('no-database'), { writer: STORE_COMMANDS, isService: true, ...events })
    await expect(opening).rejects.toMatchObject({
      code: 'io',
      message: expect.stringContaining('not a database') as unknown,
    })
  })
})
