/** Items in the trash are deleted after a time; no other item is. */
import { describe, expect, test } from 'vitest'
import { OPERATOR } from '../../../src/drive/domain/commands.ts'
import { findView } from '../../../src/drive/domain/items/file-view.ts'
import { listChanges } from '../../../src/drive/domain/changes/list-changes.ts'
import { purgeAll } from '../../../src/drive/domain/upkeep/purge.ts'
import { LIBRARY_CHECKS } from '../../../src/drive/domain/upkeep/row-checks.ts'
import type { Caller } from '../../../src/drive/contract/failure.ts'
import { FOLDER_MIME } from '../../../src/drive/contract/kinds.ts'
import { ROW_CHECKS } from '../../../src/drive/persistence/upkeep/row-checks.ts'
import { stagedBytes } from '../../../src/drive/persistence/contents/staging.ts'
import { libraryOfFile } from '../../support/library.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const library = await libraryOfFile(temp('store'))
const [ada, bo] = library.callers

const DAY = 86_400_000

const insert = (caller: Caller, parent = 'root', mimeType = 'text/plain') => {
  const body = { title: 'a', mimeType, parents: [{ id: parent }] }
  return library.run('insertFile', caller, { body }).row.id
}
const trash = (caller: Caller, id: string) => library.run('trashFile', caller, { id })
const isThere = (caller: Caller, id: string) => findView(library.db, caller, id) !== undefined
const purge = (keepTrash: number | undefined = 30 * DAY) =>
  purgeAll(async (step) => library.run('purge', OPERATOR, { ...step, keepTrash }))

function wrongRows(): string[] {
  return [...ROW_CHECKS, ...LIBRARY_CHECKS].flatMap(({ find }) => {
    const rows = typeof find === 'string' ? library.db.all<{ what: string }>(find) : find(library.db)
    return rows.map(({ what }) => what)
  })
}

describe('a purge', () => {
  test('takes what was put into the trash so long ago, and leaves what is younger, or was taken out', async () => {
    const [old, saved, young, other] = [insert(ada), insert(ada), insert(ada), insert(ada)]
    trash(ada, old)
    trash(ada, saved)
    library.wait(29 * DAY)
    trash(ada, young)
    library.run('untrashFile', ada, { id: saved })
    await purge()
    expect([old, saved, young, other].map((id) => isThere(ada, id))).toEqual([true, true, true, true])
    library.wait(DAY)
    await purge()
    expect([old, saved, young, other].map((id) => isThere(ada, id))).toEqual([false, true, true, true])
    expect(wrongRows()).toEqual([])
  })

  test('takes up to twenty of the trash in a step', async () => {
    for (let at = 0; at < 21; at += 1) trash(ada, insert(ada))
    library.wait(31 * DAY)
    const steps = new Map<number, number[]>()
    await purgeAll(async (step) => {
      const purged = library.run('purge', OPERATOR, { ...step, keepTrash: 30 * DAY })
      steps.set(step.kind, [...(steps.get(step.kind) ?? []), purged.removed])
      return purged
    })
    expect([...steps.values()]).toContainEqual([20, 1, 0])
  })

  test('takes a thousand tokens in a step, and none that is valid', async () => {
    const { user, client } = ada
    const add = (digest: string, expires: number) =>
      library.run('addToken', OPERATOR, { digest, user, client, scopes: ['drive'], kind: 'access', expires })
    const step = (after: number) => library.run('purge', OPERATOR, { kind: 0, after })
    // takes the token of the first user
    library.wait(400 * DAY)
    step(0)
    const end = library.now() + DAY
    for (let at = 0; at < 1000; at += 1) add(`old ${at}`, end)
    library.wait(end - library.now())
    add('young', end + DAY)
    const left = () =>
      library.db.all<{ digest: string }>('SELECT digest FROM tokens').map(({ digest }) => digest)
    expect(step(0)).toEqual({ removed: 1000, next: 0 })
    expect(step(0)).toEqual({ removed: 0, next: undefined })
    expect(left()).toEqual(['young'])
  })

  test('goes on with the others where one kind of what goes cannot go', async () => {
    const asked: number[] = []
    const purged = purgeAll((step) => {
      asked.push(step.kind)
      return step.kind === 1
        ? Promise.reject(new Error('too much at once'))
        : Promise.resolve({ removed: 1, next: undefined })
    })
    await expect(purged).rejects.toThrow('too much at once')
    expect(asked).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  test('takes a folder with many in it in a step of its own', async () => {
    const folders = [insert(ada, 'root', FOLDER_MIME), insert(ada, 'root', FOLDER_MIME)]
    for (const folder of folders) for (let at = 0; at < 2600; at += 1) insert(ada, folder)
    for (const folder of [...folders, insert(ada)]) trash(ada, folder)
    library.wait(30 * DAY)
    const removed: number[] = []
    await purgeAll(async (step) => {
      const purged = library.run('purge', OPERATOR, { ...step, keepTrash: 30 * DAY })
      if (step.kind === 1) removed.push(purged.removed)
      return purged
    })
    expect(removed.filter((count) => count > 0)).toEqual([2, 1])
    expect(wrongRows()).toEqual([])
  })

  test('takes what is in a very large folder before the folder, in steps', async () => {
    const folder = insert(ada, 'root', FOLDER_MIME)
    const inner = insert(ada, folder, FOLDER_MIME)
    for (let at = 0; at < 10_050; at += 1) insert(ada, at % 2 === 0 ? folder : inner)
    trash(ada, folder)
    library.wait(30 * DAY)
    const left: number[] = []
    await purgeAll(async (step) => {
      const purged = library.run('purge', OPERATOR, { ...step, keepTrash: 30 * DAY })
      const [{ count } = { count: 0 }] = library.db.all<{ count: number }>(
        `SELECT count(*) AS count FROM files WHERE owner = ? AND is_root = 0`,
        ada.user,
      )
      if (step.kind === 1) left.push(count)
      return purged
    })
    expect(left.slice(0, 2)).toEqual([5052, 0])
    expect(wrongRows()).toEqual([])
  })

  test('takes nothing where the trash is kept', async () => {
    const id = insert(ada)
    trash(ada, id)
    library.wait(3650 * DAY)
    await purgeAll(async (step) => library.run('purge', OPERATOR, step))
    expect(isThere(ada, id)).toBe(true)
  })

  test('takes a folder with what its owner has in it; what others have there goes home', async () => {
    const folder = insert(ada, 'root', FOLDER_MIME)
    const body = { type: 'user', role: 'writer', value: 'bo@example.org' }
    library.run('insertPermission', ada, { id: folder, body })
    const [own, others] = [insert(ada, folder), insert(bo, folder)]
    trash(ada, folder)
    library.wait(31 * DAY)
    await purge()
    expect([folder, own].map((id) => isThere(ada, id))).toEqual([false, false])
    expect(findView(library.db, bo, others)?.parents.map(({ isRoot }) => isRoot)).toEqual([true])
    expect(wrongRows()).toEqual([])
  })

  test('takes what is in the trash of a shared drive', async () => {
    const { id: drive } = library.run('insertDrive', ada, { request: 'r', body: { name: 'd' } })
    const [gone, kept] = [insert(ada, drive), insert(ada, drive)]
    trash(ada, gone)
    library.wait(31 * DAY)
    await purge()
    expect([gone, kept, drive].map((id) => isThere(ada, id))).toEqual([false, true, true])
    expect(wrongRows()).toEqual([])
  })

  test('gives the room back, and the log says what went', async () => {
    const staged = stagedBytes(Buffer.from('content'))
    const id = insert(ada)
    library.run('storeUpload', ada, {
      target: {
        kind: 'update',
        file: { id, body: {}, behavior: 'now', isViewed: false },
        content: { isNewRevision: true, isPinned: false },
      },
      staged,
    })
    const usedOf = () =>
      library.db.get<{ used: number }>('SELECT used FROM principals WHERE pk = ?', ada.user)?.used
    expect(usedOf()).toBe(7)
    trash(ada, id)
    library.wait(31 * DAY)
    await purge()
    expect(usedOf()).toBe(0)
    const { changes } = listChanges(library.db, ada, {
      from: 0,
      most: 100,
      includesGone: true,
      includesOthers: true,
      spaces: ['drive'],
      drives: 'all',
    })
    expect(changes.filter((change) => JSON.stringify(change).includes(id))).toHaveLength(1)
  })

  test('of many takes all, in steps, of everybody', async () => {
    const all = [ada, bo].flatMap((caller) =>
      Array.from({ length: 45 }, () => [caller, insert(caller)] as const),
    )
    for (const [caller, id] of all) trash(caller, id)
    library.wait(31 * DAY)
    expect(await purge()).toBeGreaterThanOrEqual(90)
    expect(all.some(([caller, id]) => isThere(caller, id))).toBe(false)
    expect(wrongRows()).toEqual([])
  })
})

test('an item goes into the trash and out of it by its label, as by the operations', () => {
  const update = (id: string, trashed: boolean) =>
    library.run('updateFile', ada, {
      id,
      body: { labels: { trashed } },
      behavior: 'noChange',
      isViewed: false,
    })
  const folder = insert(ada, 'root', FOLDER_MIME)
  const id = insert(ada, folder)
  const states = () => [folder, id].map((one) => findView(library.db, ada, one)?.row.trashed)
  const before = states()
  const byLabel = [true, true, false, false].map((isTrashed) => (update(folder, isTrashed), states()))
  trash(ada, folder)
  const trashed = states()
  expect(trashed).not.toEqual(before)
  expect(byLabel).toEqual([trashed, trashed, before, before])
})
