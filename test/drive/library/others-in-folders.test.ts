/** Items of several owners in one folder: what happens to them when it is deleted, and who may move them out. */
import { describe, expect, test } from 'vitest'
import { findView } from '../../../src/drive/domain/items/file-view.ts'
import { listChanges } from '../../../src/drive/domain/changes/list-changes.ts'
import type { Caller } from '../../../src/drive/contract/failure.ts'
import { FOLDER_MIME } from '../../../src/drive/contract/kinds.ts'
import { libraryOfFile } from '../../support/library.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const library = await libraryOfFile(temp('store'))
const [ada, bo] = library.callers

const insert = (caller: Caller, parents: readonly string[], mimeType = 'text/plain') => {
  const body = { title: 'a', mimeType, parents: parents.map((id) => ({ id })) }
  return library.run('insertFile', caller, { body }).row.id
}
const give = (id: string, role: string) =>
  library.run('insertPermission', ada, { id, body: { type: 'user', role, value: 'bo@example.org' } })
const seen = (caller: Caller, id: string) => {
  const view = findView(library.db, caller, id)
  return { isTrashed: view?.row.trashed === 1, isHome: view?.parents.map(({ isRoot }) => isRoot) }
}
const changedSince = (caller: Caller, from: number) =>
  listChanges(library.db, caller, {
    from,
    most: 100,
    includesGone: true,
    includesOthers: true,
    spaces: ['drive'],
    drives: 'all',
  })

describe('what bo has in a folder that ada deletes', () => {
  test.for([
    ['is in her trash', { trashesShared: true, hasOther: false, trashesOther: false }, [false, [true]]],
    ['is not', { trashesShared: false, hasOther: false, trashesOther: false }, [false, [true]]],
    [
      'beside a folder of his',
      { trashesShared: true, hasOther: true, trashesOther: false },
      [false, [false]],
    ],
    [
      'beside one in his trash',
      { trashesShared: false, hasOther: true, trashesOther: true },
      [true, [false]],
    ],
  ] as const)('and that %s is where it still can be', ([, given, [isTrashed, isHome]]) => {
    const shared = insert(ada, ['root'], FOLDER_MIME)
    give(shared, 'writer')
    const other = insert(bo, ['root'], FOLDER_MIME)
    const file = insert(bo, given.hasOther ? [shared, other] : [shared])
    if (given.trashesOther) library.run('trashFile', bo, { id: other })
    if (given.trashesShared) library.run('trashFile', ada, { id: shared })
    const before = findView(library.db, bo, file)?.etag
    const { largest } = changedSince(bo, 0)
    if (given.trashesShared) library.run('emptyTrash', ada, { drive: undefined })
    else library.run('deleteFile', ada, { id: shared })
    expect(seen(bo, file)).toEqual({ isTrashed, isHome })
    expect(findView(library.db, bo, file)?.etag).not.toBe(before)
    expect(changedSince(bo, largest + 1).changes.map(({ fileId }) => fileId)).toContain(file)
  })
})

describe('who may write a file', () => {
  const takeOut = (caller: Caller, child: string, folder: string) =>
    library.run('removeLink', caller, { folder, child, keepsHome: false, from: 'folder' })

  test('but only read its folder does not take it out', () => {
    const folder = insert(ada, ['root'], FOLDER_MIME)
    const file = insert(ada, [folder])
    give(folder, 'reader')
    give(file, 'writer')
    expect(() => takeOut(bo, file, folder)).toThrow(`sufficient permissions for file ${folder}`)
    give(folder, 'writer')
    expect(() => takeOut(bo, file, folder)).not.toThrow()
  })

  test('takes his own out of any folder', () => {
    const folder = insert(ada, ['root'], FOLDER_MIME)
    const { principal } = give(folder, 'writer')
    const file = insert(bo, [folder])
    library.run('changePermission', ada, { id: folder, permission: principal.id, body: { role: 'reader' } })
    expect(() => takeOut(bo, file, folder)).not.toThrow()
  })
})

test('a new file in two folders is in the trash where both are', () => {
  const folders = [insert(ada, ['root'], FOLDER_MIME), insert(ada, ['root'], FOLDER_MIME)]
  const isTrashed = (trashed: string | undefined) => {
    if (trashed !== undefined) library.run('trashFile', ada, { id: trashed })
    return seen(ada, insert(ada, folders)).isTrashed
  }
  expect([undefined, ...folders].map(isTrashed)).toEqual([false, false, true])
})

test('a change that wants a path is made where the file has it, among others', () => {
  const [one, other] = [insert(ada, ['root'], FOLDER_MIME), insert(ada, ['root'], FOLDER_MIME)]
  const id = insert(ada, [one, other])
  const change = (base: string, names: string[]) => () =>
    library.run('updateFile', ada, {
      id,
      body: {},
      behavior: 'now',
      isViewed: false,
      conditions: { path: { base, names } },
    })
  for (const base of [one, other]) expect(change(base, ['a'])).not.toThrow()
  expect(change('root', ['a', 'a'])).not.toThrow()
  for (const [base, names] of [
    ['root', ['a']],
    [one, ['b']],
    [one, ['a', 'a']],
  ] as const)
    expect(change(base, [...names])).toThrow('The file has left this path.')
})
