/** The order in which contents are removed, forgotten and stored again, forced step by step. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { PlacedContents } from '../../../src/drive/persistence/contents/places/place.ts'
import { openRemovals } from '../../../src/drive/persistence/contents/removals.ts'
import type { Database } from '../../../src/drive/persistence/database/database.ts'
import { makeFolder, type StoreFolder, storeFolder } from '../../../src/drive/persistence/folder.ts'
import { openContentsLock } from '../../../src/drive/persistence/lock.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const CONTENT = { sha256: 'c', size: 1 }

/** Removals over a database of two sets, whose writer carries out commands when it is told to. */
function openScript(name: string) {
  const staging = temp(`${name}-staging`)
  const blobs = temp(`${name}-blobs`)
  for (const folder of [staging, blobs]) mkdirSync(folder)
  const [named, due] = [new Set<string>(), new Set<string>()]
  const queue: (() => void)[] = []
  const warnings: unknown[] = []
  const read = {
    all: () => [...due].map((sha256) => ({ sha256, size: 1 })),
    get: (sql: string, sha256: string) =>
      (sql.includes('removals') ? due.size > 0 : named.has(sha256)) ? {} : undefined,
  } as unknown as Database // what removals read
  const pathOf = (sha256: string) => join(blobs, sha256)
  const removals = openRemovals({ staging } as StoreFolder, {
    read,
    contents: { pathOf } as PlacedContents,
    lock: { attempt: () => () => undefined, close: () => undefined },
    write: <Result>(_command: string, input: unknown) =>
      new Promise<Result>((resolve) =>
        queue.push(() => {
          for (const sha256 of input as readonly string[]) due.delete(sha256)
          resolve(undefined as Result)
        }),
      ),
    warn: (error) => warnings.push(error),
  })
  return {
    removals,
    due,
    warnings,
    path: pathOf(CONTENT.sha256),
    /** As a request that stores the content. */
    store: async () => {
      removals.arrive(CONTENT.sha256)
      writeFileSync(pathOf(CONTENT.sha256), 'x')
      named.add(CONTENT.sha256)
      await removals.settle(CONTENT)
    },
    /** As the commit that takes its last row. */
    drop: () => {
      named.delete(CONTENT.sha256)
      due.add(CONTENT.sha256)
      removals.run()
    },
    /** The writer carries out everything that reaches it. */
    write: async () => {
      const isOver = removals.close()
      const timer = setInterval(() => queue.shift()?.(), 1)
      await isOver
      clearInterval(timer)
    },
  }
}

test('a content that goes is removed at once, and forgotten', async () => {
  const { store, drop, write, path, due, warnings } = openScript('goes')
  await store()
  expect(existsSync(path)).toBe(true)
  drop()
  expect(existsSync(path)).toBe(false)
  await write()
  expect([due.size, warnings]).toEqual([0, []])
})

test('a content that is stored again before its removal is forgotten stays', async () => {
  const { store, drop, write, path, removals } = openScript('stays')
  await store()
  drop()
  await store()
  removals.run()
  expect(existsSync(path)).toBe(true)
  await write()
  expect(existsSync(path)).toBe(true)
})

test('a content that is stored again, and goes again, before its removal is forgotten is removed', async () => {
  const { store, drop, write, path, due } = openScript('goes again')
  await store()
  drop()
  await store()
  drop()
  expect(existsSync(path)).toBe(false)
  await write()
  expect(due.size).toBe(0)
})

const WRITES = ['store: forget removals', 'store: end withdrawals', 'store: begin withdrawals']

/** Removals whose writer answers without being told, and what they ask of it and of the place. */
function openAnswered(
  name: string,
  contents: Partial<PlacedContents>,
  begun: (asked: readonly string[]) => string[],
  isFree = () => true,
) {
  const staging = temp(`${name}-staging`)
  mkdirSync(staging)
  const due = new Set(['a', 'b', 'c'])
  const log: unknown[] = []
  const read = {
    all: () => [...due].map((sha256) => ({ sha256, size: 1 })),
    get: (sql: string) => (sql.includes('removals') && due.size > 0 ? {} : undefined),
  } as unknown as Database // what removals read
  const removals = openRemovals({ staging } as StoreFolder, {
    read,
    contents: { pathOf: undefined, ...contents } as PlacedContents,
    lock: {
      attempt: () => {
        log.push('lock')
        return isFree() ? () => void log.push('release') : undefined
      },
      close: () => log.push('close'),
    },
    write: async (command: string, input: unknown) => {
      // the later a command comes, the sooner it is written
      for (let turns = WRITES.indexOf(command); turns >= 0; turns -= 1) await new Promise(setImmediate)
      log.push([command, input])
      if (command === WRITES[0]) for (const sha256 of input as readonly string[]) due.delete(sha256)
      const { contents: asked = [] } = (input ?? {}) as { readonly contents?: readonly string[] }
      return begun(asked).map((sha256, pk) => ({ pk, sha256 })) as never
    },
    warn: (error) => log.push(error),
  })
  return { removals, log, staging }
}

test('contents of a bucket are withdrawn, removed, and forgotten, in this order', async () => {
  const removed: string[] = []
  const remove = async (sha256: string) => {
    // as over a network
    await new Promise(setImmediate)
    removed.push(sha256)
    log.push(`removed ${sha256}`)
  }
  const { removals, log } = openAnswered('bucket', { remove }, (asked) => asked.filter((one) => one !== 'b'))
  removals.run()
  // b is being removed by a clean-up
  await removals.close()
  expect(log).toEqual([
    'lock',
    ['store: begin withdrawals', { contents: ['a', 'b', 'c'] }],
    'removed a',
    'removed c',
    ['store: end withdrawals', { ended: [0, 1] }],
    ['store: forget removals', ['a', 'b', 'c']],
    'release',
    'close',
  ])
})

test('a bucket that cannot be reached keeps its contents, and their rows', async () => {
  const error = new Error('no route')
  const { removals, log } = openAnswered('away', { remove: () => Promise.reject(error) }, (asked) => [
    ...asked,
  ])
  removals.run()
  await removals.close()
  expect(log).toEqual([
    'lock',
    ['store: begin withdrawals', { contents: ['a', 'b', 'c'] }],
    'release',
    error,
    'close',
  ])
})

test('a file that the system does not move now keeps its row; one that is gone loses it', async () => {
  const { removals, log, staging } = openAnswered(
    'refused',
    // below a file: not a folder
    { pathOf: (sha256) => (sha256 === 'b' ? join(temp('a file'), sha256) : temp(`gone ${sha256}`)) },
    () => [],
  )
  writeFileSync(temp('a file'), '')
  removals.run()
  await removals.close()
  expect(log).toEqual(['lock', 'release', ['store: forget removals', ['a', 'c']], 'close'])
  expect(readdirSync(staging)).toEqual([])
})

test('what cannot be removed now is tried again each second, until the store is closed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    writeFileSync(temp('no folder'), '')
    const pathOf = (sha256: string) => join(temp('no folder'), sha256)
    const state = { isFree: false }
    const { removals, log } = openAnswered('again', { pathOf }, () => [], () => state.isFree)
    const attempts = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms)
      const isForgotten = () => log.some((one) => Array.isArray(one) && one[0] === WRITES[0])
      while (state.isFree && !isForgotten()) await new Promise(setImmediate)
      for (let turns = 0; turns < 5; turns += 1) await new Promise(setImmediate)
      return log.splice(0).filter((one) => one === 'lock').length
    }
    // each commit that frees contents tries
    for (let commit = 0; commit < 3; commit += 1) removals.run()
    expect([await attempts(999), await attempts(1), await attempts(1000)]).toEqual([3, 1, 1])
    state.isFree = true
    expect([await attempts(1000), await attempts(1000)]).toEqual([1, 1])
    removals.run()
    await removals.close()
    expect(log).toContain('close')
    log.splice(0)
    state.isFree = false
    removals.run()
    expect(await attempts(5000)).toBe(0)
  } finally {
    vi.useRealTimers()
  }
}) // prettier-ignore

test('the lock of contents is had by one at a time, and can be had again', async () => {
  const folder = storeFolder(temp('locked'))
  makeFolder(folder)
  const [one, other] = [await openContentsLock(folder), await openContentsLock(folder)]
  for (const [first, second] of [[one, other], [other, one], [one, other]] as const) {
    const release = first.attempt()
    expect(release).toBeDefined()
    expect([first.attempt(), second.attempt()]).toEqual([undefined, undefined])
    release?.()
  }
  for (const lock of [one, other]) lock.close()
}) // prettier-ignore
