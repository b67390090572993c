/** The order in which contents are removed, forgotten and stored again, forced step by step. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PlacedContents } from '../../../src/drive/persistence/contents/places/place.ts'
import { openRemovals } from '../../../src/drive/persistence/contents/removals.ts'
import type { Database } from '../../../src/drive/persistence/database/database.ts'
import type { StoreFolder } from '../../../src/drive/persistence/folder.ts'
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
