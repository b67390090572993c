/** Contents that are copied from place to place: complete, of the right bytes, or an error that says which. */
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { digestBytes, type Digests } from '../../../src/drive/persistence/contents/digest.ts'
import { folderPlace } from '../../../src/drive/persistence/contents/places/folder-place.ts'
import { LostObject, type PlacedContents } from '../../../src/drive/persistence/contents/places/place.ts'
import type { Database } from '../../../src/drive/persistence/database/database.ts'
import { makeFolder, storeFolder } from '../../../src/drive/persistence/folder.ts'
import { copyContents, hasContent } from '../../../src/drive/persistence/upkeep/contents/copy-content.ts'
import { removeAtEnd } from '../../support/end-of-file.ts'
import { madeBytes } from '../../support/store.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const CONTENTS = [madeBytes(30_000, 1), madeBytes(40_000, 2)]
const rows = CONTENTS.map((bytes, at) => ({
  pk: at,
  sha256: digestBytes(bytes).sha256,
  size: bytes.length,
  kind: 'file' as const,
}))
const db = { each: () => rows.values() } as unknown as Database // what a copy reads
const HINT = 'hla drive fsck lists everything that differs'
const WHOLE = { count: 2, bytes: 70_000 }

function folderOf(name: string) {
  const folder = storeFolder(temp(name))
  makeFolder(folder)
  return { folder, contents: folderPlace(folder).contents }
}

/** A folder with the contents. */
async function filled(name: string) {
  const made = folderOf(name)
  for (const [at, bytes] of CONTENTS.entries()) {
    const path = temp(`${name}-${at}`)
    writeFileSync(path, bytes)
    await made.contents.publish(path, { ...digestBytes(bytes), size: bytes.length })
  }
  return made
}

/** A place without files, such as a bucket. */
function remote(open: (sha256: string) => Uint8Array | Error) {
  const published = new Map<string, Digests & { readonly size: number }>()
  const contents = {
    pathOf: undefined,
    arriving: undefined,
    open: ({ sha256 }: { readonly sha256: string }) => {
      const found = open(sha256)
      return found instanceof Error ? Promise.reject(found) : Promise.resolve(Readable.from([found]))
    },
    publish: async (path: string, content: Digests & { readonly size: number }) => {
      // as over a network
      await new Promise(setImmediate)
      published.set(path, content)
    },
  } as unknown as PlacedContents // what a copy calls
  return { contents, published }
}

const bytesOf = (sha256: string) =>
  CONTENTS.find((bytes) => digestBytes(bytes).sha256 === sha256) ?? new Error(`no content ${sha256}`)
const pathIn = ({ contents }: { readonly contents: PlacedContents }, at: number) =>
  contents.pathOf?.(rows[at]?.sha256 ?? '') ?? ''

test.for(['copy', 'link'] as const)('from folder to folder, by %s', async (copying) => {
  const [from, to] = [await filled(`${copying} from`), folderOf(`${copying} to`)]
  expect(await copyContents(from.contents, to.contents, db, copying)).toEqual(WHOLE)
  for (const at of [0, 1]) {
    expect(readFileSync(pathIn(to, at)).equals(CONTENTS[at] ?? Buffer.of())).toBe(true)
    const isSame = statSync(pathIn(to, at)).ino === statSync(pathIn(from, at)).ino
    expect(isSame).toBe(copying === 'link')
  }
  expect(readdirSync(to.folder.staging)).toEqual([])
})

/** A disk of its own, in memory. */
const OTHER_DISK = '/dev/shm'
const hasOther = existsSync(OTHER_DISK) && statSync(OTHER_DISK).dev !== statSync(temp('.')).dev

test.skipIf(!hasOther)('from disk to disk by link, contents are copied', async () => {
  const other = mkdtempSync(join(OTHER_DISK, 'hla-test-'))
  removeAtEnd(other)
  const folder = storeFolder(other)
  makeFolder(folder)
  const [from, to] = [await filled('of another disk'), { folder, contents: folderPlace(folder).contents }]
  expect(await copyContents(from.contents, to.contents, db, 'link')).toEqual(WHOLE)
  for (const at of [0, 1]) expect(readFileSync(pathIn(to, at)).equals(CONTENTS[at] ?? Buffer.of())).toBe(true)
  expect(readdirSync(folder.staging)).toEqual([])
})

test('a link that the system refuses is its error', async () => {
  const [from, to] = [await filled('refused from'), folderOf('refused to')]
  writeFileSync(join(to.folder.staging, `part-${rows[0]?.sha256}`), '')
  await expect(copyContents(from.contents, to.contents, db, 'link')).rejects.toMatchObject({ code: 'EEXIST' })
  // a copy takes the place of what is left
  expect(await copyContents(from.contents, to.contents, db, 'copy')).toEqual(WHOLE)
})

test('from a bucket to a folder', async () => {
  const to = folderOf('fetched')
  expect(await copyContents(remote(bytesOf).contents, to.contents, db, 'copy')).toEqual(WHOLE)
  for (const at of [0, 1]) expect(readFileSync(pathIn(to, at)).equals(CONTENTS[at] ?? Buffer.of())).toBe(true)
  expect(statSync(pathIn(to, 0)).mode & 0o077).toBe(0)
  expect(readdirSync(to.folder.staging)).toEqual([])
})

test('from a folder to a bucket', async () => {
  const from = await filled('sent')
  const { contents, published } = remote(bytesOf)
  expect(await copyContents(from.contents, contents, db, 'copy')).toEqual(WHOLE)
  const expected = CONTENTS.map(
    (bytes, at) => [pathIn(from, at), { ...digestBytes(bytes), size: bytes.length }] as const,
  )
  expect(published).toEqual(new Map(expected))
})

test.for<[name: string, error: Error | Uint8Array, expected: object]>([
  ['lost', new LostObject('it is gone'), { code: 'data-differs', message: 'it is gone', hint: HINT }],
  [
    'of other bytes',
    madeBytes(30_000, 3),
    {
      code: 'data-differs',
      message: `the content ${rows[0]?.sha256} has other bytes than were stored`,
      hint: HINT,
    },
  ],
  [
    'too short',
    madeBytes(29_999, 1),
    {
      code: 'data-differs',
      message: expect.stringMatching(/^the content .* has 29999 bytes instead of 30000$/),
    },
  ],
  ['out of reach', new Error('no route'), { name: 'Error', message: 'no route' }],
])('a content of a bucket that is %s', async ([name, answer, expected]) => {
  const to = folderOf(name)
  const from = remote((sha256) => (sha256 === rows[0]?.sha256 ? answer : bytesOf(sha256)))
  await expect(copyContents(from.contents, to.contents, db, 'copy')).rejects.toMatchObject(expected)
  expect(existsSync(pathIn(to, 0))).toBe(false)
})

test.for<
  [copying: 'copy' | 'link', what: string, bytes: Uint8Array | undefined, message: (path: string) => string]
>([
  ['copy', 'gone', undefined, (path) => `the content ${path} is missing`],
  ['link', 'gone', undefined, (path) => `the content ${path} is missing`],
  [
    'copy',
    'too short',
    madeBytes(29_999, 1),
    () => expect.stringMatching(/ has 29999 bytes instead of 30000$/) as string,
  ],
  [
    'link',
    'too short',
    madeBytes(29_999, 1),
    () => expect.stringMatching(/ has 29999 bytes instead of 30000$/) as string,
  ],
  [
    'copy',
    'changed',
    madeBytes(30_000, 3),
    () => `the content ${rows[0]?.sha256} has other bytes than were stored`,
  ],
])('by %s, a content of a folder that is %s', async ([copying, what, bytes, message]) => {
  const [from, to] = [await filled(`${what} ${copying} from`), folderOf(`${what} ${copying} to`)]
  const path = pathIn(from, 0)
  rmSync(path)
  if (bytes !== undefined) writeFileSync(path, bytes)
  await expect(copyContents(from.contents, to.contents, db, copying)).rejects.toMatchObject({
    code: 'data-differs',
    message: message(path),
    hint: HINT,
  })
  expect(existsSync(pathIn(to, 0))).toBe(false)
})

test('contents are not copied from bucket to bucket', async () => {
  const [one, other] = [remote(bytesOf), remote(bytesOf)]
  await expect(copyContents(one.contents, other.contents, db, 'copy')).rejects.toThrow(
    'contents get into a bucket from a folder',
  )
})

test('a file is a content if its size and its bytes are', async () => {
  const path = temp('is one')
  const [row] = rows
  if (row === undefined) throw new Error('there is no content')
  expect(await hasContent(path, row)).toBe(false)
  writeFileSync(path, CONTENTS[0] ?? '')
  expect(await hasContent(path, row)).toBe(true)
  expect(await hasContent(path, { ...row, size: 29_999 })).toBe(false)
  writeFileSync(path, madeBytes(30_000, 3))
  expect(await hasContent(path, row)).toBe(false)
})
