/** The file in which a sync keeps what both sides had in common. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isHlaError } from '../../../src/errors.ts'
import { openSyncState } from '../../../src/drive/commands/sync/sync-state.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const FORMAT = '["format","hla-drive-sync/2"]\n'
const DIGEST = { size: 1, modified: '1', changed: '1', ino: '1', md5: 'c' }

/** Path of a state file with that text, in a folder of its own. */
function written(name: string, text: string): string {
  mkdirSync(temp(name))
  writeFileSync(temp(`${name}/state`), text)
  return temp(`${name}/state`)
}

const AGREED = `${FORMAT}["base","a","1"]\n["base","d",null]\n["point","p.1"]\n`

test.for([
  ['nothing', '', {}, undefined, FORMAT],
  ['a first line that was cut', FORMAT.slice(0, 12), {}, undefined, FORMAT],
  ['all before the point', AGREED, { a: '1', d: null }, 'p.1', AGREED],
  ['a last line that was cut', `${AGREED}["base","b"`, { a: '1', d: null }, 'p.1', AGREED],
  [
    'nothing that no point followed, now or later',
    `${AGREED}["base","b","2"]\n["base","a"]\n`,
    { a: '1', d: null },
    'p.1',
    `${AGREED}["base","b","2"]\n["base","a"]\n["drop"]\n`,
  ],
  [
    'nothing that was dropped before the point',
    `${AGREED}["base","b","2"]\n["drop"]\n["point","p.2"]\n`,
    { a: '1', d: null },
    'p.2',
    undefined,
  ],
  [
    'what began afresh',
    `${AGREED}["afresh"]\n["base","b","2"]\n["point","p.2"]\n`,
    { b: '2' },
    'p.2',
    undefined,
  ],
] as const)('has %s', async ([name, text, base, point, left = text]) => {
  const path = written(name, text)
  const state = await openSyncState(path)
  const found = [...state.base].map(([at, entry]) => [at, entry.kind === 'file' ? entry.md5 : null])
  state.close()
  expect([Object.fromEntries(found), state.point]).toEqual([base, point])
  expect(readFileSync(path, 'utf8')).toBe(left)
})

test('digests count without a point', async () => {
  const line = (...given: unknown[]) => `${JSON.stringify(['digest', ...given])}\n`
  const state = await openSyncState(
    written('digests', FORMAT + line('a', DIGEST) + line('b', DIGEST) + line('b')),
  )
  expect([...state.digests]).toEqual([['a', DIGEST]])
  state.close()
})

test.for<[name: string, text: string]>([
  ['another format', '["format","hla-drive-sync/1"]\n'],
  ['no line', 'x'],
  ['no JSON', `${FORMAT}x\n`],
  ['an object', `${FORMAT}{}\n`],
])('a file with %s is refused, every time', async ([name, text]) => {
  const path = written(name, text)
  for (let time = 0; time < 2; time += 1) {
    const error: unknown = await openSyncState(path).catch((refusal: unknown) => refusal)
    expect(isHlaError(error) && [error.code, error.message, error.hint]).toEqual([
      'usage',
      `${path} is not a state file of hla drive sync, or is damaged`,
      'delete this file: the next sync starts afresh and deletes nothing',
    ])
  }
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test.for([
  ['1000 more than twice those needed stay', 1001, false],
  ['of more, those needed are written again', 1002, true],
] as const)('lines: %s', async ([name, count, isShort]) => {
  // two lines are needed at the end: the format and one entry
  const path = written(name, FORMAT)
  const state = await openSyncState(path)
  for (let at = 0; at < count; at += 1) state.note(['base', 'a', String(at)])
  state.save(count)
  state.note(['base', 'b', '1'])
  state.note(['base', 'b'])
  state.save(2)
  expect(state.unsaved()).toBe(0)
  state.close()
  const whole = readFileSync(path, 'utf8')
  if (isShort) expect(whole).toBe(`${FORMAT}["base","a","${count - 1}"]\n`)
  else expect(whole.split('\n')).toHaveLength(count + 4)
})

test('the point of the last save stays when they are written again', async () => {
  const path = written('pointed', FORMAT)
  const state = await openSyncState(path)
  for (let at = 0; at < 2000; at += 1) state.note(['base', 'a', String(at)])
  const points: unknown[] = [state.point]
  for (const point of ['p.1', undefined]) {
    state.save(1000, point)
    points.push(state.point)
  }
  expect(points).toEqual([undefined, 'p.1', 'p.1'])
  state.close()
  expect(readFileSync(path, 'utf8')).toBe(`${FORMAT}["base","a","1999"]\n["point","p.1"]\n`)
})

test('unsaved changes prevent that', async () => {
  const path = written('unsaved', FORMAT)
  const state = await openSyncState(path)
  for (let at = 0; at < 2000; at += 1) state.note(['base', 'a', String(at)])
  state.save(1999)
  expect(state.unsaved()).toBe(1)
  state.close()
  expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(2001)
})

test('the file is locked until it is closed', async () => {
  const path = written('locked', FORMAT)
  const state = await openSyncState(path)
  await expect(openSyncState(path)).rejects.toThrow('another hla drive sync of the same folders is running:')
  state.close()
  ;(await openSyncState(path)).close()
})

test('names of part files differ, and are known again', async () => {
  const one = await openSyncState(written('parts', FORMAT))
  const other = await openSyncState(temp('parts/another'))
  const [first, second] = [one.parts.next(), one.parts.next()]
  expect(first).not.toBe(second)
  const kinds = [first, second, other.parts.next(), 'x', `x${first}`].map((name) => one.parts.kind(name))
  expect(kinds).toEqual(['own', 'own', 'other', 'none', 'none'])
  for (const state of [one, other]) state.close()
})
