/** Random histories with watchers: each gets exactly the messages about changes that it can see, at once. */
import { largestChange } from '../../../src/drive/domain/changes/change-log.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OPERATOR } from '../../../src/drive/domain/commands.ts'
import { viewFiles } from '../../../src/drive/domain/items/file-view.ts'
import { listChanges } from '../../../src/drive/domain/changes/list-changes.ts'
import { ROW_CHECKS } from '../../../src/drive/persistence/upkeep/row-checks.ts'
import { type Caller, isStorageFailure } from '../../../src/drive/contract/failure.ts'
import { FOLDER_MIME } from '../../../src/drive/contract/kinds.ts'
import { type Library, openLibrary } from '../../support/library.ts'
import { tempFolder } from '../../support/temp.ts'
import { rounds } from '../../support/rounds.ts'

const temp = tempFolder()
let library: Library
beforeAll(async () => {
  library = await openLibrary(temp('store'))
})
afterAll(() => library.close())

const ACTS = [
  'insert',
  'rename',
  'star',
  'touch',
  'property',
  'comment',
  'trash',
  'untrash',
  'delete',
  'link',
  'unlink',
  'share',
  'share by link',
  'unshare',
] as const

interface Step {
  readonly act: (typeof ACTS)[number]
  readonly byBo: boolean
  /** Choose among the existing items. */
  readonly a: number
  readonly b: number
}

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(...ACTS),
  byBo: fc.boolean(),
  a: fc.nat(1000),
  b: fc.nat(1000),
})

test('watchers are told of every difference and of nothing else', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      library.reset()
      const scene = begin()
      for (const one of steps) {
        const before = scene.watchers.map(look)
        const last = largestChange(library.db)
        attempt(() => take(scene, one))
        expect([one.act, ...scene.watchers.map(told)]).toEqual([
          one.act,
          ...scene.watchers.map((watcher, at) => expected(watcher, before[at], last)),
        ])
        for (const { id } of scene.watchers) takeAll(id)
      }
      for (const { find } of ROW_CHECKS)
        if (typeof find === 'string') expect(library.db.all(find)).toEqual([])
    }),
    { numRuns: rounds(150) },
  )
})

interface Watcher {
  readonly id: string
  readonly caller: Caller
  /** undefined: the change log. */
  readonly item: number | undefined
}

interface Scene {
  /** Ids of the items. */
  readonly items: string[]
  readonly watchers: Watcher[]
}

/** Two folders and two files of Ada's. Bo has access to all of them while channels on them are opened. */
function begin(): Scene {
  const [ada, bo] = library.callers
  const insert = (body: object) => library.run('insertFile', ada, { body }).row
  const one = insert({ mimeType: FOLDER_MIME })
  const other = insert({ mimeType: FOLDER_MIME })
  const files = [
    insert({ parents: [{ id: one.id }] }),
    insert({ parents: [{ id: one.id }, { id: other.id }] }),
  ]
  const rows = [one, other, ...files]
  for (const { id } of [one, other]) library.run('insertPermission', ada, { id, body: toBo('writer') })
  const scene: Scene = { items: rows.map(({ id }) => id), watchers: [] }
  for (const caller of [ada, bo]) {
    for (const { id, pk } of rows) watch(scene, caller, { file: id, item: pk })
    watch(scene, caller, undefined)
  }
  const { id: permission } = principalOfBo()
  library.run('removePermission', ada, { id: other.id, permission })
  for (const { id } of scene.watchers) takeAll(id)
  return scene
}

const toBo = (role: string) => ({ type: 'user', role, value: 'bo@example.org' })

function principalOfBo(): { readonly id: string } {
  const row = library.db.get<{ id: string }>(`SELECT id FROM principals WHERE email = 'bo@example.org'`)
  if (row === undefined) throw new Error('there is no Bo')
  return row
}

const SEARCH = { includesGone: true, includesOthers: true, spaces: ['drive'], drives: 'none' } as const

function watch(
  { watchers }: Scene,
  caller: Caller,
  thing: { readonly file: string; readonly item: number } | undefined,
): void {
  const id = `c${watchers.length}`
  const body = { id, type: 'web_hook', address: 'https://hooks.example.org/' }
  if (thing === undefined)
    library.run('watchChanges', caller, { body, search: SEARCH, from: undefined, uri: 'u' })
  else library.run('watchFile', caller, { body, file: thing.file, link: 'l/' })
  watchers.push({ id, caller, item: thing?.item })
}

function attempt(run: () => void): void {
  try {
    run()
  } catch (error) {
    if (!isStorageFailure(error)) throw error
  }
}

function take({ items }: Scene, { act, byBo, a, b }: Step): void {
  const caller = library.callers[byBo ? 1 : 0]
  const id = items[a % items.length] ?? ''
  const folder = items[b % 2] ?? ''
  switch (act) {
    case 'insert':
      items.push(library.run('insertFile', caller, { body: { parents: [{ id: folder }] } }).row.id)
      return
    case 'rename':
    case 'star': {
      const body = act === 'star' ? { labels: { starred: b % 2 === 0 } } : { title: `t${b}` }
      library.run('updateFile', caller, { id, body, behavior: 'now', isViewed: false })
      return
    }
    case 'touch':
      library.run('touchFile', caller, { id })
      return
    case 'property':
      library.run('putProperty', caller, { id, key: 'k', value: String(b), visibility: 'PUBLIC' })
      return
    case 'comment':
      library.run('addComment', caller, { id, body: { content: 'c' } })
      return
    case 'trash':
      library.run('trashFile', caller, { id })
      return
    case 'untrash':
      library.run('untrashFile', caller, { id })
      return
    case 'delete':
      library.run('deleteFile', caller, { id })
      return
    case 'link':
      library.run('addLink', caller, { folder, child: id, isAlone: a % 2 === 0 })
      return
    case 'unlink':
      library.run('removeLink', caller, { folder, child: id, keepsHome: a % 2 === 0, from: 'child' })
      return
    case 'share':
      library.run('insertPermission', caller, { id, body: toBo(b % 2 === 0 ? 'reader' : 'writer') })
      return
    case 'share by link':
      library.run('insertPermission', caller, {
        id,
        body: { type: 'anyone', role: 'reader', withLink: true },
      })
      return
    case 'unshare':
      library.run('removePermission', caller, { id, permission: b % 2 === 0 ? principalOfBo().id : 'anyone' })
  }
}

interface Look {
  readonly etag: string
  readonly trashed: number
  readonly children: string
}

/** State of the item for the watcher; undefined if it is not visible. */
function look({ caller, item }: Watcher): Look | undefined {
  const [view] = item === undefined ? [] : viewFiles(library.db, caller, [item])
  if (view === undefined) return undefined
  const sql =
    'SELECT json_group_array(child) AS children FROM (SELECT child FROM parents WHERE parent = ? ORDER BY child)'
  const { children = '' } = library.db.get<{ children: string }>(sql, view.row.pk) ?? {}
  return { etag: view.etag, trashed: view.row.trashed, children }
}

/** Expected states of the messages. */
function expected(watcher: Watcher, before: Look | undefined, last: number): string[] {
  if (watcher.item === undefined) {
    const { changes } = listChanges(library.db, watcher.caller, { ...SEARCH, from: last + 1, most: 1 })
    return changes.length > 0 ? ['change'] : []
  }
  const after = look(watcher)
  if (after === undefined) return before === undefined ? [] : ['remove']
  if (before === undefined) return ['add']
  if (before.trashed !== after.trashed) return [after.trashed === 1 ? 'trash' : 'untrash']
  return before.etag === after.etag && before.children === after.children ? [] : ['update']
}

const WAITING = `SELECT d.pk, d.state FROM deliveries d JOIN channels c ON c.pk = d.channel WHERE c.id = ? ORDER BY d.pk`

function told({ id }: Watcher): string[] {
  return library.db.all<{ state: string }>(WAITING, id).map(({ state }) => state)
}

function takeAll(id: string): void {
  const upTo = largestChange(library.db)
  for (const { pk: delivery } of library.db.all<{ pk: number }>(WAITING, id))
    library.run('settleDelivery', OPERATOR, { delivery, outcome: 'done', upTo, delay: 0 })
}
