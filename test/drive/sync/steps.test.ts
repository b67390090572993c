/** Single steps of a sync, in places where both sides have changed since it began. */
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DriveFile, readFile } from '../../../src/drive/client/resource.ts'
import { digestFile, readLocalTree } from '../../../src/drive/commands/sync/local-tree.ts'
import type { Step } from '../../../src/drive/commands/sync/plan.ts'
import { doStep } from '../../../src/drive/commands/sync/steps.ts'
import { type SyncState, openSyncState } from '../../../src/drive/commands/sync/sync-state.ts'
import { scriptedStore, type ScriptedReply } from '../../support/scripted-store.ts'
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
