/** Single steps of a sync, in places where both sides have changed since it began. */
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { DriveConnection, DriveRequest } from '../../../src/drive/client/connection.ts'
import { refusal } from '../../../src/drive/client/failure.ts'
import { type DriveFile, readFile } from '../../../src/drive/client/resource.ts'
import { digestFile, readLocalTree, stampFile } from '../../../src/drive/commands/sync/local-tree.ts'
import type { Step } from '../../../src/drive/commands/sync/plan.ts'
import { readRemoteTree } from '../../../src/drive/commands/sync/remote-tree.ts'
import { doStep } from '../../../src/drive/commands/sync/steps.ts'
import { type SyncState, openSyncState } from '../../../src/drive/commands/sync/sync-state.ts'
import { scriptedStore, type ScriptedReply } from '../../support/scripted-store.ts'
import { HlaError } from '../../../src/errors.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let count = 0
let root: string
let state: SyncState
beforeEach(async () => {
  root = temp(`root ${(count += 1)}`)
  mkdirSync(root)
  state = await openSyncState(temp(`state ${count}/s`))
})
afterEach(() => state.close())

const write = (path: string, text: string) => writeFileSync(join(root, path), text)
const stored = (id: string, more: object = {}): DriveFile =>
  readFile({ id, parents: [{ id: 'top' }], ...more })

/** The reason why the step is left, and the requests it made. */
async function done(
  step: Step,
  files: Readonly<Record<string, DriveFile>> = {},
  replies: readonly ScriptedReply[] = [],
): Promise<readonly [why: string | undefined, asked: readonly string[]]> {
  const store = scriptedStore((_, at) => replies[at] ?? { status: 500 })
  const sides = {
    drive: { connection: store.connection, retries: 0 },
    root,
    isQuiet: true,
    files: new Map([['', stored('top')], ...Object.entries(files)]),
    state,
  }
  const why = await doStep(sides, step)
  return [why, store.asked.map(({ method, path }) => `${method} ${path}`)]
}

test.for<Step>([
  { action: 'upload', path: 'd/a' },
  { action: 'download', path: 'a' },
  { action: 'make-there', path: 'd/e' },
])('what needs a folder or file that the store lacks is left: %j', async (step) => {
  mkdirSync(join(root, 'd'))
  write('d/a', 'x')
  expect(await done(step)).toEqual(['the store lacks its folder', []])
})

test.for<[string, () => void, string | undefined]>([
  ['an empty one', () => undefined, undefined],
  ['one that was filled', () => write('d/a', 'x'), 'it is not empty'],
])('a folder to remove here: %s', async ([, fill, why]) => {
  mkdirSync(join(root, 'd'))
  state.note(['base', 'd', null])
  fill()
  expect(await done({ action: 'remove-folder-here', path: 'd' })).toEqual([why, []])
  expect([existsSync(join(root, 'd')), state.base.has('d')]).toEqual(
    why === undefined ? [false, false] : [true, true],
  )
})

test('a folder to remove here that is gone is left', async () => {
  expect(await done({ action: 'remove-folder-here', path: 'd' })).toEqual(['it was removed meanwhile', []])
})

test.for<[string, () => void, string | undefined]>([
  ['as it was', () => undefined, undefined],
  ['with another date', () => utimesSync(join(root, 'a'), 1, 1), undefined],
  ['with other text of the same length', () => write('a', 'other'), 'it has changed since the sync began'],
  ['with more text', () => appendFileSync(join(root, 'a'), 's'), 'it has changed since the sync began'],
])('a file to remove here: %s', async ([, change, why]) => {
  write('a', 'first')
  state.note(['digest', 'a', await digestFile(join(root, 'a'), undefined)])
  state.note(['base', 'a', 'x'])
  change()
  expect(await done({ action: 'remove-here', path: 'a' })).toEqual([why, []])
  const isKept = why !== undefined
  expect([existsSync(join(root, 'a')), state.base.has('a'), state.digests.has('a')]).toEqual([
    isKept,
    isKept,
    isKept,
  ])
})

const GET = 'GET /drive/v2/files/f'
test.for<[string, Step['action'], ScriptedReply, string | undefined]>([
  ['a file that is gone', 'remove-there', { status: 404 }, undefined],
  [
    'a file in the trash',
    'remove-there',
    { body: { id: 'f', parents: [{ id: 'top' }], labels: { trashed: true } } },
    undefined,
  ],
  ['a file that is elsewhere', 'remove-there', { body: { id: 'f', parents: [{ id: 'x' }] } }, undefined],
  [
    'a file with another content',
    'remove-there',
    { body: { id: 'f', parents: [{ id: 'top' }], md5Checksum: 'other' } },
    'it has changed in the store since the sync began',
  ],
  ['a folder that is gone', 'remove-folder-there', { status: 404 }, undefined],
  ['a folder that is elsewhere', 'remove-folder-there', { body: { id: 'f', parents: [] } }, undefined],
])('to remove there: %s', async ([, action, reply, why]) => {
  state.note(['base', 'a', 'x'])
  expect(await done({ action, path: 'a' }, { a: stored('f', { md5Checksum: 'm' }) }, [reply])).toEqual([
    why,
    [GET],
  ])
  expect(state.base.has('a')).toBe(why !== undefined)
})

test('a refusal of the store is told, and one of the token or of a failing store ends the sync', async () => {
  const step = { action: 'remove-there', path: 'a' } as const
  const at = (status: number) => done(step, { a: stored('f') }, [{ status }])
  await expect(at(401)).rejects.toThrow(
    'https://store.example does not accept the token: it is unknown there, or was revoked',
  )
  await expect(at(500)).rejects.toThrow('https://store.example answers with status 500')
  expect((await at(403))[0]).toBe('https://store.example answers with status 403')
})

test('a file that grows while it is read is left', async () => {
  write('a', '')
  write('b', 'b')
  let isOver = false
  const grow = () => {
    appendFileSync(join(root, 'a'), 'x')
    if (!isOver) setImmediate(grow)
  }
  grow()
  const { entries, digests, left } = await readLocalTree(root, new Map(), state.parts)
  isOver = true
  expect([...left]).toEqual([['a', 'it changes while it is read']])
  expect([[...entries.keys()], [...digests.keys()]]).toEqual([['b'], ['b']])
})

test('a folder that is moved here takes what is known of everything in it, and of nothing that is only named alike', async () => {
  mkdirSync(join(root, 'd/e'), { recursive: true })
  for (const path of ['d/a', 'd/e/b', 'da']) {
    write(path, path)
    state.note(['digest', path, await digestFile(join(root, path), undefined)])
    state.note(['base', path, 'f'.repeat(32)])
  }
  for (const path of ['d', 'd/e']) state.note(['base', path, null])
  expect(await done({ action: 'move-here', from: 'd', path: 'n' })).toEqual([undefined, []])
  expect([...state.base.keys()].toSorted()).toEqual(['da', 'n', 'n/a', 'n/e', 'n/e/b'])
  expect([...state.digests.keys()].toSorted()).toEqual(['da', 'n/a', 'n/e/b'])
  expect(existsSync(join(root, 'n/e/b'))).toBe(true)
})

test('a file that changes while it is read is read again', async () => {
  write('a', 'x')
  const reading = digestFile(join(root, 'a'), undefined)
  // the first reading has begun
  write('a', 'changed')
  expect((await reading).md5).toBe(createHash('md5').update('changed').digest('hex'))
})

const FOLDER = 'application/vnd.google-apps.folder'

test('a folder that is moved there keeps in common what the store has in it, and nothing else', async () => {
  for (const path of ['d/a', 'd/gone', 'da']) state.note(['base', path, 'f'.repeat(32)])
  state.note(['base', 'd', null])
  const child = { id: 'a', title: 'a', md5Checksum: 'm', headRevisionId: '1', parents: [{ id: 'f' }] }
  const moved = { id: 'f', mimeType: FOLDER, parents: [{ id: 'top' }] }
  const files = { d: stored('f', moved), 'd/a': stored('a') }
  const replies = [{ body: moved }, { body: { items: [child] } }]
  expect(await done({ action: 'move-there', from: 'd', path: 'n' }, files, replies)).toEqual([
    undefined,
    ['PATCH /drive/v2/files/f', 'GET /drive/v2/files'],
  ])
  expect([...state.base.keys()].toSorted()).toEqual(['da', 'n', 'n/a'])
})

test('a file that is moved there is not asked for what is in it', async () => {
  for (const path of ['a', 'a/b']) state.note(['base', path, 'm'])
  const moved = { body: { id: 'f', parents: [{ id: 'top' }] } }
  expect(await done({ action: 'move-there', from: 'a', path: 'n' }, { a: stored('f') }, [moved])).toEqual([
    undefined,
    ['PATCH /drive/v2/files/f'],
  ])
  expect([...state.base.keys()].toSorted()).toEqual(['a/b', 'n'])
})

test('what the store has moved to the trash meanwhile is not in common', async () => {
  const body = { id: 'f', parents: [{ id: 'top' }], labels: { trashed: true } }
  expect(await done({ action: 'move-there', from: 'a', path: 'n' }, { a: stored('f') }, [{ body }])).toEqual([
    'its folder was moved to the trash of the store since the sync began',
    ['PATCH /drive/v2/files/f'],
  ])
  expect([...state.base.keys()]).toEqual([])
})

test.for<[string, () => void, string | undefined]>([
  ['as it was', () => undefined, undefined],
  ['changed', () => write('a', 'other'), 'it has changed since the sync began'],
  ['to a name that a file has', () => write('n', ''), 'it has changed since the sync began'],
  ['to a name that a folder has', () => mkdirSync(join(root, 'n')), 'it has changed since the sync began'],
  [
    'to a name that a link to nowhere has',
    () => symlinkSync('nowhere', join(root, 'n')),
    'it has changed since the sync began',
  ],
])('a file is moved here, %s', async ([, change, why]) => {
  write('a', 'first')
  const digest = await digestFile(join(root, 'a'), undefined)
  state.note(['digest', 'a', digest])
  state.note(['base', 'a', digest.md5])
  change()
  expect(await done({ action: 'move-here', from: 'a', path: 'n' })).toEqual([why, []])
  const at = why === undefined ? 'n' : 'a'
  expect([[...state.base.keys()], [...state.digests.keys()]]).toEqual([[at], [at]])
  expect([existsSync(join(root, at)), state.digests.get(at)?.md5]).toEqual([true, digest.md5])
  // it is not read again
  expect(state.digests.get(at)?.changed).toBe(
    why === undefined ? stampFile(join(root, 'n'))?.changed : digest.changed,
  )
})

test('what a disk cannot hold is left, with its reason, and what is in several folders is a link', async () => {
  const file = (id: string, title: string, more: object = {}) => ({
    id, title, mimeType: 'text/csv', md5Checksum: `${id}-md5`, headRevisionId: '1', parents: [{ id: 'top' }], ...more,
  }) // prettier-ignore
  const [longest, longer] = ['\u00e9'.repeat(127) + 'x', '\u00e9'.repeat(128)]
  const both = [{ id: 'top' }, { id: 'other' }]
  const tops = [
    file('1', 'a'),
    file('2', 'twice'),
    file('3', 'twice'),
    ...['', '.', '..', 'a/b', 'a\0', '\ud800', longer].map((title, at) => file(`bad${at}`, title)),
    ...['...', ' ', 'a\\b', longest].map((title, at) => file(`good${at}`, title)),
    file('4', 'no digest', { md5Checksum: undefined }),
    file('5', 'no revision', { headRevisionId: undefined }),
    file('6', 'in two', { parents: both }),
    file('7', 'd', { mimeType: FOLDER }),
    file('8', 'linked', { mimeType: FOLDER, parents: both }),
  ]
  const lists: Readonly<Record<string, readonly object[]>> = { top: tops, 7: [file('10', 'a', { parents: [{ id: '7' }] })], 8: [file('11', 'b', { parents: [{ id: '8' }] })] } // prettier-ignore
  const { connection } = scriptedStore(({ query }) => {
    const folder = /^'(\w+)' in parents and trashed = false$/.exec(String(query?.['q']))?.[1] ?? ''
    return { body: { items: lists[folder] } }
  })
  const { entries, files, links, left } = await readRemoteTree(connection, stored('top'))
  const entry = (id: string) => ({ kind: 'file', md5: `${id}-md5` })
  expect(Object.fromEntries(entries)).toEqual({
    a: entry('1'), '...': entry('good0'), ' ': entry('good1'), 'a\\b': entry('good2'), [longest]: entry('good3'),
    'in two': entry('6'), d: { kind: 'folder' }, linked: { kind: 'folder' }, 'd/a': entry('10'), 'linked/b': entry('11'),
  }) // prettier-ignore
  expect([...files].map(([path, { id }]) => [path, id])).toEqual([
    ['', 'top'], ['a', '1'], ['...', 'good0'], [' ', 'good1'], ['a\\b', 'good2'], [longest, 'good3'], ['in two', '6'], ['d', '7'],
    ['d/a', '10'], ['linked', '8'], ['linked/b', '11'],
  ]) // prettier-ignore
  expect(Object.fromEntries(links)).toEqual({
    'in two': { folder: 'top', item: '6', folders: 2 },
    linked: { folder: 'top', item: '8', folders: 2 },
    'linked/b': { folder: '8', item: '11', folders: 1 },
  })
  const [badName, noContent] = ['its title cannot be used as a file name here', 'it has no content to fetch']
  expect(Object.fromEntries(left)).toEqual({
    twice: 'the store has 2 files of this title in the folder', '': badName, '.': badName, 'a/b': badName,
    '..': badName, 'a\0': badName, '\ud800': badName, [longer]: badName, 'no digest': noContent, 'no revision': noContent,
  }) // prettier-ignore
})

interface Done {
  readonly why: string | undefined
  readonly asked: readonly DriveRequest[]
  readonly files: ReadonlyMap<string, DriveFile>
}

/** The same, with whole requests, refusals with a text, and contents that the store gives by id. */
async function perform(
  step: Step,
  given: {
    readonly files?: Readonly<Record<string, DriveFile>>
    readonly replies?: readonly (ScriptedReply | HlaError)[]
    readonly contents?: Readonly<Record<string, string>>
    /** Called before a content is given. */
    readonly meanwhile?: () => void
  },
): Promise<Done> {
  const { files = {}, replies = [], contents = {}, meanwhile } = given
  const store = scriptedStore((_, at) => {
    const reply = replies[at] ?? { status: 500 }
    if (reply instanceof HlaError) throw reply
    return reply
  })
  const opened: DriveRequest[] = []
  const connection: DriveConnection = {
    ...store.connection,
    open(request) {
      opened.push(request)
      meanwhile?.()
      const bytes = [Buffer.from(contents[request.path.replace('/drive/v2/files/', '')] ?? '')]
      return Promise.resolve({
        status: 200,
        header: () => undefined,
        retryAfter: undefined,
        bytes: gives(bytes),
      })
    },
  }
  const all = new Map([['', stored('top')], ...Object.entries(files)])
  const why = await doStep(
    { drive: { connection, retries: 0 }, root, isQuiet: true, files: all, state },
    step,
  )
  return { why, asked: [...store.asked, ...opened], files: all }
}

async function* gives(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const content = (id: string, text: string, more: object = {}) => {
  const facts = { md5Checksum: md5(text), headRevisionId: 'r1', fileSize: String(text.length) }
  return stored(id, { title: 'a', etag: `"${id}"`, ...facts, ...more })
}
const refused = (status: number, location: string) =>
  refusal(
    'https://store.example',
    status,
    JSON.stringify({ error: { message: 'it is so', errors: [{ reason: 'conditionNotMet', location }] } }),
  )
const brief = ({ asked }: Done) => asked.map(({ method, path }) => `${method} ${path}`)
const CHANGED = 'it has changed since the sync began'
const CHANGED_THERE = 'it has changed in the store since the sync began'
const TRASHED_THERE = 'its folder was moved to the trash of the store since the sync began'

test('a folder is made here, with those above it', async () => {
  expect(await perform({ action: 'make-here', path: 'd/e' }, {})).toMatchObject({ why: undefined, asked: [] })
  expect([existsSync(join(root, 'd/e')), state.base.get('d/e')]).toEqual([true, { kind: 'folder' }])
})

test.for<[string, object, string | undefined]>([
  ['', {}, undefined],
  [' whose folder is in the trash by now', { labels: { trashed: true } }, TRASHED_THERE],
])('a folder is made there%s', async ([, more, why]) => {
  const files = { d: stored('d', { mimeType: FOLDER }) }
  const body = { id: 'e', title: 'e', mimeType: FOLDER, parents: [{ id: 'd' }], ...more }
  const done = await perform(
    { action: 'make-there', path: 'd/e' },
    { files, replies: [{ body: { ids: ['e'] } }, { body }] },
  )
  expect([done.why, brief(done)]).toEqual([why, ['GET /drive/v2/files/generateIds', 'POST /drive/v2/files']])
  expect(done.asked[1]).toMatchObject({
    json: { id: 'e', title: 'e', mimeType: FOLDER, parents: [{ id: 'd' }] },
    headers: { 'x-hla-if': 'title-free' },
  })
  const isMade = why === undefined
  expect([state.base.has('d/e'), done.files.get('d/e')?.id]).toEqual([isMade, isMade ? 'e' : undefined])
})

test.for<[string, string | undefined, object, string | undefined]>([
  ['a new file', undefined, {}, undefined],
  [
    'a new file into a folder that is in the trash by now',
    undefined,
    { labels: { trashed: true } },
    TRASHED_THERE,
  ],
  ['a new content', '"f"', {}, undefined],
])('%s is uploaded', async ([, etag, more, why]) => {
  mkdirSync(join(root, 'd'))
  write('d/a.csv', 'text')
  const path = 'd/a.csv'
  state.note(['digest', path, await digestFile(join(root, path), undefined)])
  const body = { id: 'f', title: 'a.csv', md5Checksum: md5('text'), parents: [{ id: 'd' }], ...more }
  const files = {
    d: stored('d', { mimeType: FOLDER }),
    ...(etag === undefined ? {} : { [path]: content('f', 'old', { mimeType: 'text/x' }) }),
  }
  const replies = [...(etag === undefined ? [{ body: { ids: ['f'] } }] : []), { body }]
  const done = await perform({ action: 'upload', path }, { files, replies })
  const [sent] = done.asked.slice(-1)
  expect([done.why, `${sent?.method} ${sent?.path}`]).toEqual([
    why,
    etag === undefined ? 'POST /upload/drive/v2/files' : 'PUT /upload/drive/v2/files/f',
  ])
  const bytes = sent?.body?.()
  const text = Buffer.isBuffer(bytes) ? bytes.toString() : ''
  const metadata = JSON.parse(/\r\n\r\n(\{.*\})\r\n/.exec(text)?.[1] ?? '') as unknown
  expect(metadata).toEqual(
    etag === undefined
      ? { id: 'f', title: 'a.csv', parents: [{ id: 'd' }], mimeType: 'text/csv' }
      : { mimeType: 'text/x' },
  )
  expect(text).toContain('\r\n\r\ntext\r\n--')
  expect(sent?.headers).toMatchObject(
    etag === undefined ? { 'x-hla-if': 'title-free' } : { 'if-match': etag },
  )
  expect(state.base.get(path)).toEqual(why === undefined ? { kind: 'file', md5: md5('text') } : undefined)
  // not to be read again
  expect(state.digests.get(path)?.md5).toBe(md5('text'))
  if (why === undefined) expect(done.files.get(path)?.title).toBe('a.csv')
})

test('a file that changed between its reading and its upload is read again by the next sync', async () => {
  write('a', 'first')
  state.note(['digest', 'a', await digestFile(join(root, 'a'), undefined)])
  write('a', 'second')
  const body = { id: 'f', md5Checksum: md5('second'), parents: [{ id: 'top' }] }
  const { why } = await perform(
    { action: 'upload', path: 'a' },
    { replies: [{ body: { ids: ['f'] } }, { body }] },
  )
  expect([why, state.digests.has('a'), state.base.get('a')]).toEqual([
    undefined,
    false,
    { kind: 'file', md5: md5('second') },
  ])
})

test.for([
  [refused(412, 'X-Hla-If'), 'the store has got another one of this name since the sync began'],
  [refused(412, 'If-Match'), CHANGED_THERE],
  [refused(404, ''), CHANGED_THERE],
  [refused(403, ''), 'the store says: it is so'],
] as const)('an upload that the store refuses is left: %s', async ([error, why]) => {
  write('a', 'text')
  const done = await perform(
    { action: 'upload', path: 'a' },
    { files: { a: content('f', 'old') }, replies: [error] },
  )
  expect([done.why, state.base.has('a')]).toEqual([why, false])
})

test.for<[string, string | undefined, () => void, string | undefined]>([
  ['a new file', undefined, () => undefined, undefined],
  ['a file that is here as it was', 'old', () => undefined, undefined],
  ['a file that has changed here', 'old', () => write('a', 'new'), CHANGED],
  ['a file that has appeared here', undefined, () => write('a', 'new'), CHANGED],
  ['a file that is gone here', 'old', () => rmSync(join(root, 'a')), CHANGED],
])('%s is downloaded', async ([, here, meanwhile, why]) => {
  if (here !== undefined) {
    write('a', here)
    state.note(['digest', 'a', await digestFile(join(root, 'a'), undefined)])
  }
  const files = { a: content('f', 'theirs') }
  const done = await perform(
    { action: 'download', path: 'a' },
    { files, contents: { f: 'theirs' }, meanwhile },
  )
  expect([done.why, brief(done), done.asked[0]?.query]).toEqual([
    why,
    ['GET /drive/v2/files/f'],
    { alt: 'media', revisionId: 'r1', supportsAllDrives: true },
  ])
  const isDone = why === undefined
  expect(state.base.get('a')).toEqual(isDone ? { kind: 'file', md5: md5('theirs') } : undefined)
  if (isDone)
    expect([readFileSync(join(root, 'a'), 'utf8'), state.digests.get('a')]).toEqual([
      'theirs',
      { ...stampFile(join(root, 'a')), md5: md5('theirs') },
    ])
  // a part file does not stay
  expect(readdirSync(root)).toEqual(existsSync(join(root, 'a')) ? ['a'] : [])
})

test.for<[string, DriveFile, string]>([
  [
    'a damaged content',
    content('f', 'other'),
    'the download of a is damaged: its MD5 differs from that of the store',
  ],
  ['a shortcut', stored('f'), 'a is an item without content, such as a shortcut'],
])('%s is not downloaded', async ([, file, why]) => {
  const done = await perform(
    { action: 'download', path: 'a' },
    { files: { a: file }, contents: { f: 'their' } },
  )
  expect([done.why, readdirSync(root), state.base.has('a')]).toEqual([why, [], false])
})

describe('of two new contents', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-23T09:40:31Z') }))
  afterEach(() => void vi.useRealTimers())

  test.for([
    ['a.csv', [], [], 'a (conflict 2026-11-23 0940).csv'],
    [
      'a.csv',
      ['a (conflict 2026-11-23 0940).csv'],
      ['a (conflict 2026-11-23 0940) 2.csv'],
      'a (conflict 2026-11-23 0940 2).csv',
    ],
    [
      'a.csv',
      ['a (conflict 2026-11-23 0940).csv'],
      ['a (conflict 2026-11-23 0940 2).csv'],
      'a (conflict 2026-11-23 0940 3).csv',
    ],
    ['d/a', [], [], 'd/a (conflict 2026-11-23 0940)'],
  ] as const)('of %s both are kept: there are %j here and %j there', async ([path, here, there, copy]) => {
    mkdirSync(join(root, 'd'))
    for (const one of here) write(one, 'older')
    write(path, 'mine')
    state.note(['digest', path, await digestFile(join(root, path), undefined)])
    const files = {
      d: stored('d', { mimeType: FOLDER }),
      [path]: content('f', 'theirs'),
      ...Object.fromEntries(there.map((one) => [one, content('x', 'older')])),
    }
    const body = { id: 'g', title: 'copy', md5Checksum: md5('mine'), parents: [{ id: 'top' }] }
    const replies = [{ body: { ids: ['g'] } }, { body }]
    const done = await perform({ action: 'conflict', path }, { files, replies, contents: { f: 'theirs' } })
    expect(done.why).toBeUndefined()
    const texts = [path, copy].map((one) => readFileSync(join(root, one), 'utf8'))
    expect(texts).toEqual(['theirs', 'mine'])
    expect([state.base.get(path), state.base.get(copy)]).toEqual([
      { kind: 'file', md5: md5('theirs') },
      { kind: 'file', md5: md5('mine') },
    ])
    expect([state.digests.get(path)?.md5, state.digests.get(copy)?.md5]).toEqual([md5('theirs'), md5('mine')])
    expect(done.files.get(copy)?.id).toBe('g')
  })

  test('the store keeps its own where the one here has changed once more', async () => {
    write('a', 'mine')
    state.note(['digest', 'a', await digestFile(join(root, 'a'), undefined)])
    write('a', 'mine, later')
    const done = await perform({ action: 'conflict', path: 'a' }, { files: { a: content('f', 'theirs') } })
    expect([done.why, done.asked, readdirSync(root)]).toEqual([CHANGED, [], ['a']])
  })
})

const AT_PATH = { 'x-hla-if': 'path=top/a' }
const TRASH = { method: 'POST', path: '/drive/v2/files/f/trash' }
const LEAVE = { method: 'PATCH', path: '/drive/v2/files/f', query: { removeParents: 'top' } }
const parents = [{ id: 'top' }, { id: 'other' }]
test.for<[string, Step['action'], object, ScriptedReply | HlaError, object, string | undefined]>([
  ['a file', 'remove-there', {}, {}, { ...TRASH, headers: { 'if-match': '"f"', ...AT_PATH } }, undefined],
  ['a file of two folders', 'remove-there', { parents }, {}, { ...LEAVE, headers: { 'if-match': '"f"', ...AT_PATH } }, undefined],
  ['a file that is changed at that moment', 'remove-there', {}, refused(412, 'If-Match'), TRASH, CHANGED_THERE],
  ['a folder', 'remove-folder-there', {}, {}, { ...TRASH, headers: { 'x-hla-if': 'empty, path=top/a' } }, undefined],
  ['a folder of two folders', 'remove-folder-there', { parents }, {}, LEAVE, undefined],
  [
    'a folder that is not empty', 'remove-folder-there', {}, refused(412, 'X-Hla-If'), TRASH,
    'it is not empty, or was moved in the store since the sync began',
  ],
])('%s is removed there', async ([, action, more, reply, request, why]) => {
  const now = { id: 'f', etag: '"f"', md5Checksum: md5('x'), parents: [{ id: 'top' }], ...more }
  state.note(['base', 'a', 'x'])
  state.note(['digest', 'a', { size: 1, modified: '1', changed: '1', ino: '1', md5: 'x' }])
  const done = await perform({ action, path: 'a' }, { files: { a: content('f', 'x') }, replies: [{ body: now }, reply] })
  expect([done.why, done.asked]).toMatchObject([why, [{ method: 'GET', path: '/drive/v2/files/f' }, request]])
  expect([done.files.has('a'), state.base.has('a')]).toEqual(why === undefined ? [false, false] : [true, true])
  if (action === 'remove-there') expect(state.digests.has('a')).toBe(why !== undefined)
}) // prettier-ignore

test.for([
  ['a folder', { mimeType: FOLDER }, ['', 'da', 'n', 'n/a', 'n/e/b']],
  ['a file', {}, ['', 'd/a', 'd/e/b', 'da', 'n']],
] as const)('%s that is moved there is known by its new path', async ([, more, paths]) => {
  const files = { d: stored('f', more), 'd/a': stored('a'), 'd/e/b': stored('b'), da: stored('c') }
  const moved = { id: 'f', etag: '"new"', parents: [{ id: 'top' }], ...more }
  const replies = [{ body: moved }, { body: { items: [] } }]
  const done = await perform({ action: 'move-there', from: 'd', path: 'n' }, { files, replies })
  expect([done.why, [...done.files.keys()].toSorted(), done.files.get('n')?.etag]).toEqual([
    undefined,
    paths,
    '"new"',
  ])
  const ids = [...done.files].filter(([path]) => path !== 'n' && path !== '').map(([, { id }]) => id)
  expect(ids.toSorted()).toEqual(['a', 'b', 'c'])
})

test('what is removed there is removed at the whole path from the folder of the sync', async () => {
  const files = { d: stored('d', { mimeType: FOLDER }), 'd/a': content('f', 'x') }
  const now = { id: 'f', etag: '"f"', md5Checksum: md5('x'), parents: [{ id: 'd' }] }
  const done = await perform({ action: 'remove-there', path: 'd/a' }, { files, replies: [{ body: now }, {}] })
  expect([done.why, done.asked[1]]).toMatchObject([undefined, { headers: { 'x-hla-if': 'path=top/d/a' } }])
})
