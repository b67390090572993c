/** The plan of a sync, for any two trees: afterwards they are alike, and no edit is lost. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Entry,
  type Link,
  planSync,
  type Step,
  type Tree,
} from '../../../src/drive/commands/sync/plan.ts'
import { rounds } from '../../support/rounds.ts'

const NAMES = ['a', 'b', 'd/a', 'd/b', 'd/e/a', 'f/a']
const file = (md5: string): Entry => ({ kind: 'file', md5 })

/** Files by path, and empty folders; the folders of a file are implied. */
function treeOf(
  files: Readonly<Record<string, string>>,
  folders: readonly string[] = [],
): Map<string, Entry> {
  const tree = new Map<string, Entry>()
  for (const path of [...Object.keys(files), ...folders.map((one) => `${one}/`)]) {
    const names = path.split('/').slice(0, -1)
    for (const at of names.keys()) tree.set(names.slice(0, at + 1).join('/'), { kind: 'folder' })
  }
  for (const [path, md5] of Object.entries(files)) tree.set(path, file(md5))
  return tree
}

const trees = fc
  .record({
    files: fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom('1', '2', '3'), { maxKeys: 6 }),
    folders: fc.subarray(['d', 'd/e', 'f', 'g']),
  })
  .map(({ files, folders }) => treeOf(files, folders))

/** Performs the steps, and fails at an impossible one. */
function perform(
  local: Map<string, Entry>,
  remote: Map<string, Entry>,
  base: Tree,
  left: readonly string[] = [],
) {
  const { steps, clashes } = planSync({ base, local, remote, left })
  const put = (tree: Map<string, Entry>, path: string, entry: Entry | undefined) => {
    const above = path.split('/').slice(0, -1).join('/')
    if (above !== '') expect(tree.get(above)).toEqual({ kind: 'folder' })
    if (entry === undefined) throw new Error(`nothing to put at ${path}`)
    tree.set(path, entry)
  }
  const take = (tree: Map<string, Entry>, path: string) => {
    expect(tree.has(path)).toBe(true)
    expect([...tree.keys()].filter((one) => one.startsWith(`${path}/`))).toEqual([])
    tree.delete(path)
  }
  const move = (tree: Map<string, Entry>, from: string, path: string) => {
    expect(tree.has(path)).toBe(false)
    const moved = [...tree].filter(([one]) => one === from || one.startsWith(`${from}/`))
    expect(moved).not.toEqual([])
    for (const [one] of moved) tree.delete(one)
    for (const [one, entry] of moved) put(tree, path + one.slice(from.length), entry)
  }
  for (const { action, path, from = '' } of steps) {
    if (action === 'move-here') move(local, from, path)
    else if (action === 'move-there') move(remote, from, path)
    else if (action === 'upload') put(remote, path, local.get(path))
    else if (action === 'download') put(local, path, remote.get(path))
    else if (action === 'make-here') put(local, path, { kind: 'folder' })
    else if (action === 'make-there') put(remote, path, { kind: 'folder' })
    else if (action === 'conflict') {
      const own = local.get(path)
      put(local, path, remote.get(path))
      for (const tree of [local, remote]) put(tree, `${path} (conflict)`, own)
    } else take(action.endsWith('-here') ? local : remote, path)
  }
  return { steps, clashes }
}

const digests = (tree: Tree) =>
  new Set([...tree.values()].flatMap((one) => (one.kind === 'file' ? [one.md5] : [])))

describe('after a sync', () => {
  test('both sides are alike, and another sync does nothing', () => {
    fc.assert(
      fc.property(trees, trees, trees, (base, local, remote) => {
        perform(local, remote, base)
        expect(Object.fromEntries(local)).toEqual(Object.fromEntries(remote))
        expect(planSync({ base: local, local, remote, left: [] }).steps).toEqual([])
      }),
      { numRuns: rounds(2000) },
    )
  })

  test('whatever was written on either side since the last is there', () => {
    fc.assert(
      fc.property(trees, trees, trees, (base, local, remote) => {
        const written = [local, remote].flatMap((tree) =>
          [...tree].flatMap(([path, entry]) => {
            const before = base.get(path)
            const isNew = entry.kind === 'file' && !(before?.kind === 'file' && before.md5 === entry.md5)
            return isNew ? [[path, entry.md5] as const] : []
          }),
        )
        perform(local, remote, base)
        for (const [path, md5] of written) {
          const found = [local.get(path), local.get(`${path} (conflict)`)]
          expect(found).toContainEqual(file(md5))
        }
      }),
      { numRuns: rounds(2000) },
    )
  })

  test('what one side removed is gone from the other if that had it unchanged, and only then', () => {
    fc.assert(
      fc.property(trees, trees, (base, remote) => {
        const local = new Map([...base].filter(([path]) => path !== 'a' && path !== 'd/a'))
        const before = new Map(remote)
        perform(local, remote, base)
        for (const path of ['a', 'd/a']) {
          const [was, other] = [base.get(path), before.get(path)]
          const isSame = was?.kind === 'file' && other?.kind === 'file' && was.md5 === other.md5
          expect(remote.has(path)).toBe(other !== undefined && !isSame)
        }
      }),
      { numRuns: rounds(1000) },
    )
  })
})

test('without a last time nothing is removed', () => {
  fc.assert(
    fc.property(trees, trees, (local, remote) => {
      const all = new Set([...digests(local), ...digests(remote)])
      const { steps } = perform(local, remote, new Map())
      expect(steps.filter(({ action }) => action.startsWith('remove'))).toEqual([])
      expect(digests(local)).toEqual(all)
    }),
  )
})

test('what is left alone keeps the folder it is in, and a file is not put in place of a folder', () => {
  const base = treeOf({ 'd/a': '1', 'd/link': '1' })
  const plan = planSync({ base, local: treeOf({}, ['d']), remote: treeOf({ 'd/a': '1' }), left: ['d/link'] })
  expect(plan.steps).toEqual([{ action: 'remove-there', path: 'd/a' }])
  const gone = planSync({ base, local: treeOf({}), remote: treeOf({ 'd/a': '1' }), left: ['d/link'] })
  expect(gone.steps).toEqual([
    { action: 'make-here', path: 'd' },
    { action: 'remove-there', path: 'd/a' },
  ])
  const clash = planSync({
    base: new Map(),
    local: treeOf({ d: '1' }),
    remote: treeOf({ 'd/a': '2' }),
    left: [],
  })
  expect(clash).toEqual({ steps: [], clashes: ['d'] })
})

describe('what was moved', () => {
  const BASE = { 'a/x': '1', 'a/b/y': '2', 'c/z': '3', 'c/same': '4', 'd/same': '4' }
  test.each([
    [
      'a file',
      { 'a/b/y': '2', 'c/z': '3', 'c/same': '4', 'd/same': '4', 'c/x': '1' },
      ['move-there a/x > c/x'],
    ],
    [
      'a file, under another name',
      { 'a/x': '1', 'a/b/y': '2', 'c/new': '3', 'c/same': '4', 'd/same': '4' },
      ['move-there c/z > c/new'],
    ],
    [
      'a folder, with all below',
      { 'e/x': '1', 'e/b/y': '2', 'c/z': '3', 'c/same': '4', 'd/same': '4' },
      ['move-there a > e'],
    ],
    [
      'a folder, into a new one',
      { 'e/f/x': '1', 'e/f/b/y': '2', 'c/z': '3', 'c/same': '4', 'd/same': '4' },
      ['make-there e', 'move-there a > e/f'],
    ],
    [
      'a folder below another',
      { 'a/x': '1', 'c/b/y': '2', 'c/z': '3', 'c/same': '4', 'd/same': '4' },
      ['move-there a/b > c/b'],
    ],
    [
      'a folder, and something new in it',
      { 'e/x': '1', 'e/b/y': '2', 'e/w/v': '9', 'c/z': '3', 'c/same': '4', 'd/same': '4' },
      ['move-there a > e', 'make-there e/w', 'upload e/w/v'],
    ],
    [
      'a folder of which a file was changed',
      { 'e/x': '8', 'e/b/y': '2', 'c/z': '3', 'c/same': '4', 'd/same': '4' },
      ['make-there e', 'move-there a/b > e/b', 'upload e/x', 'remove-there a/x', 'remove-folder-there a'],
    ],
    [
      'files of one content, by their names',
      { 'a/x': '1', 'a/b/y': '2', 'c/z': '3', 'g/same': '4', 'd/other': '4' },
      ['move-there d/same > d/other', 'make-there g', 'move-there c/same > g/same'],
    ],
    [
      'of two alike nobody can tell which',
      { 'a/x': '1', 'a/b/y': '2', 'c/z': '3', 'c/one': '4', 'd/two': '4' },
      ['upload c/one', 'upload d/two', 'remove-there c/same', 'remove-there d/same'],
    ],
    ['a copy is no move', { ...BASE, e: '1' }, ['upload e']],
  ] as const)('%s', (_, now, expected) => {
    const base = treeOf(BASE)
    const shown = ({ action, path, from }: Step) =>
      from === undefined ? `${action} ${path}` : `${action} ${from} > ${path}`
    const { steps } = planSync({ base, local: treeOf(now), remote: base, left: [] })
    expect(steps.map(shown)).toEqual(expected)
    const back = planSync({ base, local: base, remote: treeOf(now), left: [] })
    const mirrored = expected.map((step) => step.replace('-there', '-here').replace('upload', 'download'))
    expect(back.steps.map(shown)).toEqual(mirrored)
  })

  test('what was changed there meanwhile stays', () => {
    const plan = planSync({
      base: treeOf(BASE),
      local: treeOf({ 'a/b/y': '2', 'c/z': '3', 'c/same': '4', 'd/same': '4', 'c/x': '1' }),
      remote: treeOf({ ...BASE, 'a/x': '7' }),
      left: [],
    })
    expect(plan.steps).toEqual(
      [
        { action: 'download', path: 'a/x' },
        { action: 'upload', path: 'c/x' },
      ].filter(({ action }) => action !== 'make-here'),
    )
  })
})

test('files beside a moved folder whose names begin as its name stay where they are', () => {
  const base = treeOf({ 'a/x': '1', 'a-b/x': '2', 'a.csv': '3' })
  const local = treeOf({ 'c/x': '1', 'a-b/x': '2', 'a.csv': '3' })
  expect(planSync({ base, local, remote: base, left: [] }).steps).toEqual([
    { action: 'move-there', path: 'c', from: 'a' },
  ])
})

describe('what is in several folders of the store', () => {
  const [D, D_OF_ONE, E] = [
    { folder: 'root', item: 'D', folders: 2 },
    { folder: 'root', item: 'D', folders: 1 },
    { folder: 'root', item: 'E', folders: 2 },
  ]
  const A = { folder: 'D', item: 'A', folders: 1 }
  const there = { 'd/a': '1', 'e/a': '1' }
  type Steps = readonly (readonly [Step['action'], string])[]
  test.for<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>, Readonly<Record<string, Link>>, Steps]>([
    ['a folder leaves one of them with all it holds', { 'd/a': '1', 'd/x/b': '2' }, {}, { d: D }, [['remove-folder-there', 'd']]],
    ['a folder in no other goes with its files', { 'd/a': '1' }, {}, { d: D_OF_ONE }, [['remove-there', 'd/a'], ['remove-folder-there', 'd']]],
    ['a folder of which nothing is known goes with its files', { 'd/a': '1' }, {}, {}, [['remove-there', 'd/a'], ['remove-folder-there', 'd']]],
    ['a folder below one that leaves goes with that', { 'd/e/a': '1' }, {}, { d: D, 'd/e': E }, [['remove-folder-there', 'd']]],
    ['the last of its paths is removed with its files', there, {}, { d: D, e: D }, [['remove-there', 'e/a'], ['remove-folder-there', 'e'], ['remove-folder-there', 'd']]],
    ['of three paths two leave', there, {}, { d: { ...D, folders: 3 }, e: { ...D, folders: 3 } }, [['remove-folder-there', 'e'], ['remove-folder-there', 'd']]],
    ['two folders leave, each for itself', there, {}, { d: D, e: E }, [['remove-folder-there', 'e'], ['remove-folder-there', 'd']]],
    ['a folder that stays here stays there', there, there, { d: D, e: D }, []],
    ['a file that one of two paths still shows comes back to the other', there, { 'd/x': '2', 'e/a': '1' }, { d: D, e: D, 'd/a': A, 'e/a': A }, [['upload', 'd/x'], ['download', 'd/a']]],
    ['a file that both paths lost goes', there, { 'd/x': '2', 'e/x': '3' }, { d: D, e: D, 'd/a': A, 'e/a': A }, [['upload', 'd/x'], ['upload', 'e/x'], ['remove-there', 'd/a'], ['remove-there', 'e/a']]],
    ['a file of one folder goes, whatever others of its name show', there, { 'd/x': '2', 'e/a': '1' }, { d: D, e: E, 'd/a': A, 'e/a': { ...A, folder: 'E' } }, [['upload', 'd/x'], ['remove-there', 'd/a']]],
    ['a file goes that its only path has lost', there, { 'd/x': '2', 'e/a': '1' }, { d: D, e: E, 'd/a': A }, [['upload', 'd/x'], ['remove-there', 'd/a']]],
  ])('%s', ([, before, here, links, expected]) => {
    const base = treeOf(before)
    const { steps, clashes } = planSync({ base, local: treeOf(here), remote: base, left: [], links: new Map(Object.entries(links)) })
    expect(clashes).toEqual([])
    const found = steps.map(({ action, path }) => `${action} ${path}`)
    const wanted = expected.map(([action, path]) => `${action} ${path}`)
    expect(new Set(found)).toEqual(new Set(wanted))
    // a folder goes after what it holds
    const removals = (all: readonly string[]) => all.filter((step) => step.startsWith('remove'))
    expect(removals(found)).toEqual(removals(wanted))
  }) // prettier-ignore

  test('a folder that holds what is left alone does not leave', () => {
    const base = treeOf({ 'd/a': '1', 'd/link': '1' })
    const links = new Map([['d', D]])
    const { steps } = planSync({ base, local: treeOf({}), remote: base, left: ['d/link'], links })
    expect(steps).toEqual([
      { action: 'make-here', path: 'd' },
      { action: 'remove-there', path: 'd/a' },
    ])
  })
})

describe('of files with the same content', () => {
  type Files = Readonly<Record<string, string>>
  const ALL = { a: '1', b: '1', c: '1' }
  test.for<[string, Files, Files, Files, readonly string[]]>([
    ['those that keep their names move', ALL, { 'n/a': '1', 'n/b': '1' }, ALL, ['make-there n', 'move-there a n/a', 'move-there b n/b', 'remove-there c']],
    ['those that keep their names move, whatever comes first', ALL, { 'n/c': '1', 'm/b': '1' }, ALL, ['make-there m', 'move-there b m/b', 'make-there n', 'move-there c n/c', 'remove-there a']],
    ['the only one moves, and may change its name', { a: '1' }, { z: '1' }, { a: '1' }, ['move-there a z']],
    ['none moves where two went', { a: '1', b: '1' }, { z: '1' }, { a: '1', b: '1' }, ['upload z', 'remove-there a', 'remove-there b']],
    ['none moves where two came', { a: '1' }, { y: '1', z: '1' }, { a: '1' }, ['upload y', 'upload z', 'remove-there a']],
    ['none moves to a path that is taken there', { a: '1', b: '2' }, { b: '1' }, { a: '1', b: '2' }, ['upload b', 'remove-there a']],
    ['none moves to a path that was removed there', { a: '1', b: '2' }, { b: '1' }, { a: '1' }, ['upload b', 'remove-there a']],
    ['those of other content stay', { a: '1' }, { z: '2' }, { a: '1' }, ['upload z', 'remove-there a']],
    ['one moves here, too', { a: '1' }, { a: '1' }, { z: '1' }, ['move-here a z']],
    ['the list is that of the paths', {}, { z: '1', a: '2', m: '3' }, { y: '4', b: '5' }, ['upload a', 'download b', 'upload m', 'download y', 'upload z']],
  ])('%s', ([, base, local, remote, expected]) => {
    const plan = planSync({ base: treeOf(base), local: treeOf(local), remote: treeOf(remote), left: [] })
    const shown = plan.steps.map(({ action, path, from }) => [action, ...(from === undefined ? [] : [from]), path].join(' '))
    expect(shown).toEqual(expected)
  }) // prettier-ignore
})
