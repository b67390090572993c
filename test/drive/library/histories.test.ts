/** Random histories of files and folders, compared with a simple model. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { viewFiles } from '../../../src/drive/domain/items/file-view.ts'
import { listFiles } from '../../../src/drive/domain/search/list-files.ts'
import { LIBRARY_CHECKS } from '../../../src/drive/domain/upkeep/row-checks.ts'
import { FOLDER_MIME } from '../../../src/drive/contract/kinds.ts'
import { parseFileQuery } from '../../../src/drive/protocol/q/q.ts'
import { ROW_CHECKS } from '../../../src/drive/persistence/upkeep/row-checks.ts'
import { type Library, openLibrary } from '../../support/library.ts'
import {
  add,
  below,
  inTrash,
  type Item,
  type ModelDrive,
  newModel,
  remove,
} from '../../support/model-drive.ts'
import { tempFolder } from '../../support/temp.ts'
import { rounds } from '../../support/rounds.ts'

const ALL = { kind: 'all' } as const

const temp = tempFolder()
let library: Library
beforeAll(async () => {
  library = await openLibrary(temp('store'))
})
afterAll(() => library.close())

/** `a` and `b` choose among the existing items. */
interface Step {
  readonly what: What
  readonly a: number
  readonly b: number
}

const MAKING = ['folder', 'folder', 'folder', 'file', 'file', 'file'] as const
const CHANGING = [
  'rename',
  'star',
  'delete',
  'trash',
  'trash',
  'untrash',
  'link',
  'link',
  'unlink',
  'move',
  'copy',
  'empty',
] as const

type What = (typeof MAKING)[number] | (typeof CHANGING)[number]

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(...MAKING, ...CHANGING),
  a: fc.nat(1000),
  b: fc.nat(1000),
})

describe('any history', () => {
  test('leaves the store as the model is', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        library.reset()
        const model = newModel(rootId())
        for (const one of steps) take(model, one)
        expectSame(model)
        expectSound()
      }),
      { numRuns: rounds(150) },
    )
  })

  test('is nobody else’s business', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        library.reset()
        const model = newModel(rootId())
        for (const one of steps) take(model, one)
        const [, other] = library.callers
        expect(list(undefined, other)).toEqual([])
        for (const { id } of model.items)
          expect(() => library.run('deleteFile', other, { id })).toThrow('File not found')
      }),
      { numRuns: rounds(20) },
    )
  })
})

function rootId(): string {
  const sql = 'SELECT f.id FROM principals p JOIN files f ON f.pk = p.root WHERE p.pk = ?'
  return library.db.get<{ id: string }>(sql, library.callers[0].user)?.id ?? ''
}

function take(model: ModelDrive, { what, a, b }: Step): void {
  const [caller] = library.callers
  const pick = (n: number, among: readonly Item[]) => among[n % among.length]
  const item = pick(a, [...model.items])
  if (what === 'folder' || what === 'file') {
    const folders = [model.root, ...[...model.items].filter(({ kind }) => kind === 'folder')]
    const parents = [...new Set([pick(a, folders) ?? model.root, pick(b, folders) ?? model.root])]
    const title = `${what} ${b}`
    const mimeType = what === 'folder' ? FOLDER_MIME : 'text/plain'
    const body = { title, mimeType, parents: parents.map(({ id }) => ({ id })) }
    const { row } = library.run('insertFile', caller, { body })
    add(model, { id: row.id, kind: what, title }, parents)
  } else if (item !== undefined) change(model, item, { what, a, b })
}

function change(model: ModelDrive, item: Item, { what, b }: Step): void {
  const [caller] = library.callers
  const update = (body: object) =>
    library.run('updateFile', caller, { id: item.id, body, behavior: 'now', isViewed: false })
  switch (what) {
    case 'rename':
      item.title = `renamed ${b}`
      update({ title: item.title })
      return
    case 'star':
      item.isStarred = !item.isStarred
      update({ labels: { starred: item.isStarred } })
      return
    case 'delete':
      library.run('deleteFile', caller, { id: item.id })
      return remove(model, item)
    case 'copy':
      return copy(model, item)
    case 'trash':
    case 'untrash':
    case 'empty':
      return turn(model, item, what)
    default:
      return relink(model, item, { what, a: 0, b })
  }
}

function copy(model: ModelDrive, item: Item): void {
  const [caller] = library.callers
  const run = () => library.run('copyFile', caller, { id: item.id, body: {} })
  if (item.kind === 'folder') return expect(run).toThrow('cannot be copied')
  const parents = item.parents.size === 0 ? [model.root] : [...item.parents]
  add(model, { id: run().row.id, kind: 'file', title: `Copy of ${item.title}` }, parents)
}

function turn(model: ModelDrive, item: Item, what: 'trash' | 'untrash' | 'empty'): void {
  const [caller] = library.callers
  if (what === 'empty') {
    library.run('emptyTrash', caller, { drive: undefined })
    for (const one of [...model.items].filter(({ isTrashed }) => isTrashed)) remove(model, one)
  } else if (what === 'trash') {
    library.run('trashFile', caller, { id: item.id })
    item.isTrashed = true
  } else {
    library.run('untrashFile', caller, { id: item.id })
    item.isTrashed = false
    if (inTrash(item)) moveTo(item, [model.root])
  }
}

function relink(model: ModelDrive, item: Item, { what, b }: Step): void {
  const [caller] = library.callers
  const folders = [model.root, ...[...model.items].filter(({ kind }) => kind === 'folder')]
  const folder = folders[b % folders.length] ?? model.root
  const ends = { child: item.id, folder: folder.id }
  if (what === 'unlink') {
    const run = () => library.run('removeLink', caller, { ...ends, keepsHome: false, from: 'child' })
    if (!item.parents.has(folder)) return expect(run).toThrow('not found')
    run()
    item.parents.delete(folder)
    return
  }
  const isAlone = what === 'move'
  const run = () => library.run('addLink', caller, { ...ends, isAlone })
  if (below(model, item).has(folder)) return expect(run).toThrow('into itself')
  run()
  moveTo(item, isAlone ? [folder] : [...item.parents, folder])
}

function moveTo(item: Item, parents: readonly Item[]): void {
  item.parents.clear()
  for (const parent of parents) item.parents.add(parent)
}

function list(q: string | undefined, caller = library.callers[0]): string[] {
  const found: string[] = []
  const search = { search: parseFileQuery(q), orders: [], spaces: ['drive' as const], corpus: ALL, most: 7 }
  for (let after: ReturnType<typeof listFiles>['next'] = []; after !== undefined;) {
    const page = listFiles(library.db, caller, { ...search, after: after.length === 0 ? undefined : after })
    found.push(...page.files.map(({ row }) => row.id))
    after = page.next
  }
  return found.toSorted()
}

const idsOf = (items: Iterable<Item>) => [...items].map(({ id }) => id).toSorted()

function expectSame(model: ModelDrive): void {
  const items = [...model.items]
  expect(list(undefined)).toEqual(idsOf(items))
  const sql = 'SELECT pk FROM files WHERE is_root = 0'
  const keys = library.db.all<{ pk: number }>(sql).map(({ pk }) => pk)
  const views = new Map(viewFiles(library.db, library.callers[0], keys).map((view) => [view.row.id, view]))
  for (const item of items) {
    const view = views.get(item.id)
    expect({
      title: view?.row.title,
      kind: view?.row.kind,
      parents: view?.parents.map(({ id }) => id).toSorted(),
      isTrashed: view?.row.explicit_trash === 1,
      inTrash: view?.row.trashed === 1,
      isStarred: view?.mine.isStarred,
    }).toEqual({
      title: item.title,
      kind: item.kind,
      parents: idsOf(item.parents),
      isTrashed: item.isTrashed,
      inTrash: inTrash(item),
      isStarred: item.isStarred,
    })
  }
  expectFound(model, items)
}

function expectFound({ root }: ModelDrive, items: readonly Item[]): void {
  for (const folder of [root, ...items.slice(0, 3)])
    expect(list(`'${folder.id}' in parents`)).toEqual(
      idsOf(items.filter(({ parents }) => parents.has(folder))),
    )
  expect(list('trashed = true')).toEqual(idsOf(items.filter(inTrash)))
  expect(list('starred and not trashed')).toEqual(
    idsOf(items.filter((item) => item.isStarred && !inTrash(item))),
  )
  expect(list("title contains 'renamed'")).toEqual(
    idsOf(items.filter(({ title }) => title.includes('renamed'))),
  )
  expect(list("fullText contains 'folder' or mimeType = 'text/plain'")).toEqual(
    idsOf(items.filter(({ title, kind }) => title.includes('folder') || kind === 'file')),
  )
}

/** Runs the checks of the store, and two that it does not have. */
function expectSound(): void {
  const { db } = library
  for (const { find } of [...ROW_CHECKS, ...LIBRARY_CHECKS])
    expect(typeof find === 'string' ? db.all(find) : find(db)).toEqual([])
  const untold = `SELECT id FROM files f WHERE is_root = 0 AND NOT EXISTS (
    SELECT 1 FROM change_index i JOIN changes c ON c.seq = i.seq WHERE i.item = f.pk AND i.is_removed = 0)`
  expect(db.all(untold)).toEqual([])
  const undead = `SELECT item FROM change_index i WHERE is_removed = 0 AND NOT EXISTS (SELECT 1 FROM files WHERE pk = i.item)`
  expect(db.all(undead)).toEqual([])
}
