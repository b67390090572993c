/** What a sync would do, for any two trees: afterwards they are alike, and nothing that somebody wrote is lost. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Entry, planSync, type Tree } from '../../../src/cli/run/sync/plan.ts'
import { rounds } from '../../support/rounds.ts'

const NAMES = ['a', 'b', 'd/a', 'd/b', 'd/e/a', 'f/a']
const file = (md5: string): Entry => ({ kind: 'file', md5 })

/** Files by path, and empty folders; a file has the folders above it. */
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

/** Does the steps, and fails where one cannot be done. */
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
  for (const { action, path } of steps) {
    if (action === 'upload') put(remote, path, local.get(path))
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
