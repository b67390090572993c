/** Retention of revisions, and the count of kept bytes. */
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LIBRARY_CHECKS } from '../../../src/drive/domain/upkeep/row-checks.ts'
import { purgeAll } from '../../../src/drive/domain/upkeep/purge.ts'
import { listRevisions } from '../../../src/drive/domain/revisions/revisions.ts'
import { OPERATOR } from '../../../src/drive/domain/commands.ts'
import { isStorageFailure } from '../../../src/drive/contract/failure.ts'
import { ROW_CHECKS } from '../../../src/drive/persistence/upkeep/row-checks.ts'
import { stagedBytes } from '../../../src/drive/persistence/contents/staging.ts'
import { type Library, openLibrary } from '../../support/library.ts'
import { tempFolder } from '../../support/temp.ts'
import { rounds } from '../../support/rounds.ts'

const temp = tempFolder()
let library: Library
beforeAll(async () => {
  library = await openLibrary(temp('store'))
})
beforeEach(() => library.reset())
afterAll(() => library.close())

const DAY = 86_400_000

interface Put {
  readonly isNewRevision?: boolean
  readonly isPinned?: boolean
}

const make = () => library.run('insertFile', library.callers[0], { body: { title: 'f' } }).row.id

function put(id: string, text: string, { isNewRevision = true, isPinned = false }: Put = {}): void {
  library.run('storeUpload', library.callers[0], {
    target: {
      kind: 'update',
      file: { id, body: {}, behavior: 'now', isViewed: false },
      content: { isNewRevision, isPinned },
    },
    staged: stagedBytes(Buffer.from(text)),
  })
}

const revisionsOf = (id: string) =>
  listRevisions(library.db, library.callers[0], { id, most: 1000, after: 0 }).items
const sizesOf = (id: string) => revisionsOf(id).map(({ size }) => size)
const purge = () =>
  purgeAll(async (step) =>
    library.run('purge', OPERATOR, { ...step, keepRevisions: 30 * DAY, mostRevisions: 100 }),
  )

function wrongRows(): string[] {
  return [...ROW_CHECKS, ...LIBRARY_CHECKS].flatMap(({ find }) => {
    const rows = typeof find === 'string' ? library.db.all<{ what: string }>(find) : find(library.db)
    return rows.map(({ what }) => what)
  })
}

describe('a purge', () => {
  test('takes what was replaced 30 days ago, unless it is pinned', async () => {
    const id = make()
    put(id, '1', { isPinned: true })
    put(id, '22')
    library.wait(40 * DAY)
    put(id, '333')
    await purge()
    // the first, of 0 bytes, was replaced long ago; the third just now
    expect(sizesOf(id)).toEqual([1, 2, 3])
    library.wait(31 * DAY)
    await purge()
    expect(sizesOf(id)).toEqual([1, 3])
    expect(wrongRows()).toEqual([])
  })

  test('takes none where they are kept', async () => {
    const id = make()
    for (let size = 1; size <= 105; size++) put(id, 'x'.repeat(size))
    library.wait(3650 * DAY)
    put(id, 'x')
    library.wait(3650 * DAY)
    await purgeAll(async (step) => library.run('purge', OPERATOR, step))
    expect(sizesOf(id)).toHaveLength(107)
    await purgeAll(async (step) => library.run('purge', OPERATOR, { ...step, mostRevisions: 3 }))
    expect(sizesOf(id)).toEqual([103, 104, 105, 1])
  })

  test('leaves a hundred beside the head and the pinned', async () => {
    const id = make()
    put(id, 'pinned', { isPinned: true })
    for (let size = 1; size <= 105; size++) put(id, 'x'.repeat(size))
    await purge()
    expect(sizesOf(id)).toEqual([6, ...Array.from({ length: 101 }, (_, at) => at + 5)])
    expect(wrongRows()).toEqual([])
  })
})

test('a file has at most 200 pinned revisions', () => {
  const id = make()
  for (let at = 0; at < 200; at++) put(id, `${at}`, { isPinned: true })
  expect(() => put(id, 'more', { isPinned: true })).toThrow('at most 200')
  put(id, 'more')
  const head = { id, revision: 'head', body: { pinned: true } }
  expect(() => library.run('changeRevision', library.callers[0], head)).toThrow('at most 200')
})

const STEP = fc.record({
  what: fc.constantFrom('put', 'put', 'replace', 'pin', 'unpin', 'delete', 'wait', 'copy', 'purge'),
  at: fc.nat(9),
  size: fc.nat(30),
  isPinned: fc.boolean(),
})

test('whatever happens, all that is kept is counted', async () => {
  const { callers } = library
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 40 }), async (steps) => {
      library.reset()
      const id = make()
      for (const { what, at, size, isPinned } of steps) {
        const text = 'x'.repeat(size)
        const revisions = revisionsOf(id)
        const name = { id, revision: revisions[at % revisions.length]?.id ?? '' }
        try {
          if (what === 'put') put(id, text, { isPinned })
          else if (what === 'replace') put(id, text, { isNewRevision: false, isPinned })
          else if (what === 'delete') library.run('removeRevision', callers[0], name)
          else if (what === 'copy') library.run('copyFile', callers[0], { id, body: {} })
          else if (what === 'wait') library.wait(at * 5 * DAY)
          else if (what === 'purge') await purge()
          else library.run('changeRevision', callers[0], { ...name, body: { pinned: what === 'pin' } })
        } catch (error) {
          if (!isStorageFailure(error)) throw error
        }
      }
      expect(wrongRows()).toEqual([])
    }),
    { numRuns: rounds(60) },
  )
})
