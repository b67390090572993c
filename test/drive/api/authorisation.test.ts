/** The authorisation matrix: every operation × role × scope, compared with an independent table. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { command } from '../../../src/drive/domain/commands.ts'
import { NO_CONTENT } from '../../../src/drive/domain/revisions/file-contents.ts'
import type { Caller } from '../../../src/drive/contract/failure.ts'
import { FOLDER_MIME } from '../../../src/drive/contract/kinds.ts'
import { METHODS, type MethodId, findMethod } from '../../../src/drive/contract/methods.ts'
import {
  type Asker,
  type Cell,
  expected,
  OPENED_BY,
  OUTCOMES,
  RIGHTS,
  ROLES,
  SCOPE_WORDS,
  type Way,
} from '../../support/authorisation-table.ts'
import { type Drive, type Reply, startDrive } from '../../support/drive.ts'
import { type People, peopleOf, type Person } from '../../support/people.ts'

let service: Drive
let people: People
/** The user who creates the items of the scene. */
let maker: Person
let other: Person
const askers = new Map<Asker, Person>()
/** Tokens by role and scope word. */
const tokens = new Map<string, string>()

const SCOPES = Object.keys(SCOPE_WORDS)

beforeAll(async () => {
  service = await startDrive()
  people = await peopleOf(service)
  maker = await people.add('maker@lab.example')
  other = await people.add('other@lab.example')
  for (const asker of ROLES) {
    if (asker === 'anonymous') continue
    const person = await people.add(`${asker.replaceAll(' ', '-')}@lab.example`)
    askers.set(asker, person)
    for (const [word, scope] of Object.entries(SCOPE_WORDS))
      tokens.set(`${asker} ${word}`, await people.token(person.pk, [scope], 'asking'))
  }
})
afterAll(() => people.store.close())

test('the table has a row for every operation, and a letter for everybody', () => {
  const ids = METHODS.map(({ id }) => id).toSorted()
  expect(Object.keys(RIGHTS).toSorted()).toEqual(ids)
  expect(Object.keys(OPENED_BY).toSorted()).toEqual(ids)
  const odd = Object.entries(RIGHTS).filter(([, row]) => !/^[onx-]{4} [onx-]{5} [onx-] a$/.test(row))
  expect(odd).toEqual([])
})

/** A file with its comments and permissions, in a folder, beside another file. */
interface Scene {
  readonly file: string
  readonly folder: string
  readonly beside: string
  /** A shared drive that the asker may be a member of, and an empty one. */
  readonly drive: string
  readonly empty: string
  readonly comment: string
  readonly reply: string
  readonly revision: string
  readonly change: string
}

/** Caller with another program. */
function callerOf({ pk }: Person): Caller {
  return { user: pk, client: 999, scopes: ['drive'] }
}

let requests = 0

async function sceneFor(asker: Asker): Promise<Scene> {
  const { items: store } = people
  const inDrive = asker.endsWith('in drive') || asker.toLowerCase().endsWith('organizer')
  const by = callerOf(asker === 'owner' ? personOf(asker) : maker)
  const [drive, empty] = [await driveFor(by, asker, inDrive), await driveFor(by, asker, inDrive)]
  const insert = async (title: string, parent: string, mimeType: string) => {
    const body = { title, mimeType, parents: [{ id: parent }] }
    return (await command(store, 'insertFile', by, { body })).row.id
  }
  const top = await insert('top', inDrive ? drive : 'root', FOLDER_MIME)
  if (!inDrive && ['writer', 'commenter', 'reader'].includes(asker)) await give(by, top, asker)
  const folder = await insert('folder', top, FOLDER_MIME)
  const beside = await insert('beside', top, FOLDER_MIME)
  const file = await insert('file', folder, 'text/plain')
  const body = { type: 'user', role: 'reader', value: other.email }
  await command(store, 'insertPermission', by, { id: file, body })
  await command(store, 'putProperty', by, { id: file, key: 'k', value: 'v', visibility: 'PUBLIC' })
  const said = { content: 'said' }
  const comment = (await command(store, 'addComment', by, { id: file, body: said })).id
  const reply = (await command(store, 'addReply', by, { id: file, comment, body: said })).id
  const content = { staged: NO_CONTENT, isNewRevision: true, isPinned: false }
  const update = { id: file, body: {}, behavior: 'now' as const, isViewed: false, content }
  await command(store, 'updateFile', by, update)
  const pinned =
    'SELECT r.id FROM revisions r JOIN files f ON f.pk = r.file WHERE f.id = ? ORDER BY r.pk LIMIT 1'
  const revision = store.read.get<{ id: string }>(pinned, file)?.id ?? ''
  const last = 'SELECT max(seq) AS seq FROM changes WHERE item_id = ?'
  const change = String(store.read.get<{ seq: number }>(last, file)?.seq)
  return { file, folder, beside, drive, empty, comment, reply, revision, change }
}

async function driveFor(by: Caller, asker: Asker, isMember: boolean): Promise<string> {
  const { id } = await command(people.items, 'insertDrive', by, {
    request: `made ${(requests += 1)}`,
    body: { name: 'drive' },
  })
  if (isMember) await give(by, id, asker)
  // the owner of a file is not a member of a drive
  if (asker === 'owner') {
    const body = { type: 'user', role: 'organizer', value: maker.email }
    await command(people.items, 'insertPermission', by, { id, body })
    const own = { id, permission: personOf(asker).id }
    await command(people.items, 'removePermission', by, own)
  }
  return id
}

async function give(by: Caller, id: string, asker: Asker): Promise<void> {
  const role = asker.replace(' in drive', '')
  const rights = role === 'commenter' ? { role: 'reader', additionalRoles: ['commenter'] } : { role }
  const body = { type: 'user', ...rights, value: personOf(asker).email }
  await command(people.items, 'insertPermission', by, { id, body })
}

function personOf(asker: Asker): Person {
  const person = askers.get(asker)
  if (person === undefined) throw new Error(`nobody is ${asker}`)
  return person
}

interface Asked {
  readonly body?: object
  readonly query?: Readonly<Record<string, string | boolean>>
  /** Path values that replace those of the scene. */
  readonly path?: Readonly<Record<string, string>>
}

const ALONE = { enforceSingleParent: true }
const SAID = { body: { content: 'said again' } }
const PUBLIC = { query: { visibility: 'PUBLIC' } }

/** Query, body and changed path values of the request. */
function askedOf(id: MethodId, scene: Scene): Asked {
  const { beside, empty } = scene
  switch (id) {
    case 'children.insert':
      return { path: { folderId: beside }, body: { id: scene.file }, query: ALONE }
    case 'parents.insert':
      return { body: { id: beside }, query: ALONE }
    case 'children.delete':
    case 'parents.delete':
      return { query: ALONE }
    case 'drives.delete':
      return { path: { driveId: empty } }
    case 'drives.insert':
      return { body: { name: 'made' }, query: { requestId: `asked ${(requests += 1)}` } }
    case 'drives.update':
      return { body: { name: 'named' } }
    case 'files.copy':
      return { body: { parents: [{ id: 'root' }] } }
    case 'files.export':
      return { query: { mimeType: 'text/plain' } }
    case 'files.insert':
      return { body: { title: 'made', parents: [{ id: scene.folder }] } }
    case 'files.modifyLabels':
      return { body: { labelModifications: [] } }
    case 'files.patch':
    case 'files.update':
      return { body: { title: 'titled' } }
    case 'changes.watch':
    case 'files.watch':
      return {
        body: { id: `channel-${(requests += 1)}`, type: 'web_hook', address: 'https://hooks.example.org/' },
      }
    case 'permissions.insert':
      return { body: { type: 'user', role: 'reader', value: 'somebody@lab.example' } }
    case 'permissions.patch':
    case 'permissions.update':
      return { body: { role: 'reader', additionalRoles: ['commenter'] } }
    case 'properties.insert':
      return { body: { key: 'other', value: 'v' } }
    case 'properties.get':
    case 'properties.delete':
      return PUBLIC
    case 'properties.patch':
    case 'properties.update':
      return { ...PUBLIC, body: { value: 'w' } }
    case 'revisions.patch':
    case 'revisions.update':
      return { body: { pinned: true } }
    default:
      return /^(comments|replies)\.(insert|patch|update)$/.test(id) ? SAID : {}
  }
}

async function ask(
  id: MethodId,
  scene: Scene,
  token: string | undefined,
  way: Way = 'plain',
): Promise<Reply> {
  const { httpMethod, path } = findMethod(id)
  const { body, query = {}, path: named = {} } = askedOf(id, scene)
  const values: Readonly<Record<string, string>> = {
    fileId: scene.file,
    folderId: scene.folder,
    childId: scene.file,
    parentId: scene.folder,
    driveId: scene.drive,
    commentId: scene.comment,
    replyId: scene.reply,
    revisionId: scene.revision,
    permissionId: other.id,
    propertyKey: 'k',
    changeId: scene.change,
    appId: 'asking',
    email: 'somebody@lab.example',
    ...named,
  }
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const stop = id === 'channels.stop' && token !== undefined ? await channelOf(scene, token) : body
  const whole = { supportsAllDrives: true, includeItemsFromAllDrives: true, ...query }
  const base = way === 'upload' ? '/upload/drive/v2' : '/drive/v2'
  return service.ask(httpMethod, `${base}/${address}`, {
    body: stop,
    query: { ...whole, ...MORE[way] },
    token,
  })
}

/** Query parameters of each way to send the request. */
const MORE: Readonly<Record<Way, Readonly<Record<string, string>>>> = {
  plain: {},
  upload: { uploadType: 'resumable' },
  media: { alt: 'media' },
}

/** Opens a channel that can be stopped; where the token may not open one, returns a made-up channel. */
async function channelOf(scene: Scene, token: string): Promise<object> {
  const { json } = await ask('changes.watch', scene, token)
  return { id: json.id ?? 'none', resourceId: json.resourceId ?? 'none' }
}

/** Methods that change the scene, which is then made again. */
const DESTRUCTIVE =
  /\.(delete|trash)$|^(children|parents)\.insert$|^drives\.(hide|unhide|update)$|^permissions\.(patch|update)$/

/** Some methods can be sent in several ways. */
const WAYS: readonly Omit<Cell, 'scope'>[] = METHODS.flatMap(({ id, hasUpload, hasDownload }) => [
  { id, way: 'plain' },
  ...(hasUpload ? [{ id, way: 'upload' as const }] : []),
  ...(hasDownload && id !== 'files.export' ? [{ id, way: 'media' as const }] : []),
  ...(id === 'revisions.get' ? [{ id, way: 'media' as const }] : []),
])

const CELLS: readonly Cell[] = WAYS.flatMap((way) => SCOPES.map((scope) => ({ ...way, scope })))

describe.each(ROLES)('%s', (asker) => {
  const tokenOf = (scope: string) => tokens.get(`${asker} ${scope}`)
  const check = async (cell: Cell, scene: Scene) => {
    const outcome = expected(cell, asker)
    const { id, way, scope } = cell
    const { status, json } = await ask(id, scene, tokenOf(scope), way)
    const { status: statuses, reason } = OUTCOMES[outcome]
    const given = json?.error?.errors[0].reason
    const isRight = statuses.some((one) => one === status) && (reason === undefined || reason === given)
    return isRight ? [] : [`${id} (${way}) with ${scope}: ${status} ${given} instead of ${outcome}`]
  }
  const wrongOf = async (cells: readonly Cell[], scene: Scene) => {
    const wrong: string[] = []
    for (const cell of cells) wrong.push(...(await check(cell, scene)))
    return wrong
  }
  const cellsOf = (isAllowed: boolean, isDestructive: boolean) =>
    CELLS.filter((cell) => {
      if ((expected(cell, asker) === 'o') !== isAllowed) return false
      return !isAllowed || DESTRUCTIVE.test(cell.id) === isDestructive
    })

  test('is refused what is not his to do, and nothing changes', async () => {
    const scene = await sceneFor(asker)
    const before = stateOf(scene)
    expect(await wrongOf(cellsOf(false, false), scene)).toEqual([])
    expect(stateOf(scene)).toEqual(before)
  })

  test('does what he may do', async () => {
    expect(await wrongOf(cellsOf(true, false), await sceneFor(asker))).toEqual([])
  })

  test('does what he may do but once', async () => {
    const each = cellsOf(true, true).map(async (cell) => check(cell, await sceneFor(asker)))
    expect((await Promise.all(each)).flat()).toEqual([])
  })
})

/** Everything that a refused request could have changed. */
function stateOf({ file, folder, beside, drive, empty }: Scene): unknown {
  const { read } = people.store
  const keys = JSON.stringify([file, folder, beside, drive, empty])
  const rows = read.all('SELECT * FROM files WHERE id IN (SELECT value FROM json_each(?)) ORDER BY pk', keys)
  const { count } = read.get<{ count: number }>('SELECT count(*) AS count FROM files') ?? {}
  return { rows, count }
}
