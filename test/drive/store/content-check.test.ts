/** What a check says of contents that are lost or changed, and where a repair takes them from. */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { digestBytes } from '../../../src/drive/persistence/contents/digest.ts'
import { backup } from '../../../src/drive/persistence/upkeep/backup.ts'
import { fsck } from '../../../src/drive/persistence/upkeep/fsck.ts'
import { addContent, madeBytes, openTestStore, pieces, runSql } from '../../support/store.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const LARGE = madeBytes(50_000, 3)
const SMALL = madeBytes(5000, 4)
const OF = { large: digestBytes(LARGE).sha256, small: digestBytes(SMALL).sha256 }
const user = (title: string) => `revision 1 of file ${title} (/root/${title}) of a@b.c`

/** A store with a content as a file and one in the database, after the statements. */
async function newStore(name: string, sql: readonly string[] = []) {
  const store = await openTestStore(temp(name))
  await addContent(store, 'large', pieces(LARGE))
  await addContent(store, 'small', pieces(SMALL))
  for (const statement of sql) await runSql(store, statement)
  await store.close()
  return store.folder
}

const fileIn = (folder: string) => join(folder, 'blobs', OF.large.slice(0, 2), OF.large)

async function told(path: string, isRepairing: boolean, from?: string, isDeep = true) {
  const { findings } = await fsck(path, { isDeep, isRepairing, from })
  return findings.map(({ problem, what, isRepaired }) => `${problem}, ${isRepaired}: ${what}`)
}

test.for(['sha1', 'md5'] as const)('contents with another %s than was stored', async (name) => {
  const { path } = await newStore(name, [`UPDATE blobs SET ${name} = 'x'`])
  expect(await told(path, false, undefined, false)).toEqual([])
  expect(await told(path, false)).toEqual(
    (['large', 'small'] as const).map(
      (title) =>
        `damaged-content, false: content ${OF[title]} has another ${name} than was stored: ${user(title)}`,
    ),
  )
})

test('lost contents are told once, marked, and taken from a backup without other folders', async () => {
  const { path, staging } = await newStore('lost')
  await backup(path, temp('kept'), 'copy')
  rmSync(join(temp('kept'), 'staging'), { recursive: true })
  rmSync(fileIn(path))
  mkdirSync(join(staging, 'folder'))
  const db = await openTestStore(path, { isService: false })
  await runSql(db, 'DELETE FROM blob_data')
  await db.close()
  const lost = (isRepaired: boolean, large = '', small = large) => [
    `lost-content, ${isRepaired}: content ${OF.large} is not in ${path}: ${user('large')}${large}`,
    `lost-content, ${isRepaired}: content ${OF.small} has no bytes: ${user('small')}${small}`,
  ]
  expect(await told(path, false, undefined, false)).toEqual(lost(false))
  expect(await told(path, false)).toEqual(lost(false))
  expect(await told(path, true)).toEqual(lost(true, '; marked as lost'))
  for (const isRepairing of [false, true]) expect(await told(path, isRepairing)).toEqual([])
  const back = lost(true, `; taken from ${fileIn(temp('kept'))}`, `; taken from ${temp('kept')}`)
  expect(await told(path, true, temp('kept'))).toEqual(back)
  expect(await told(path, true)).toEqual([])
  expect(readdirSync(staging)).toEqual(['folder'])
})

test('a changed content is taken from an equal one in the staging folder, not from others', async () => {
  const { path, staging } = await newStore('changed')
  renameSync(fileIn(path), join(staging, 'upload-2'))
  writeFileSync(join(staging, 'upload-1'), madeBytes(50_000, 9))
  writeFileSync(fileIn(path), madeBytes(50_000, 8))
  const what = `content ${OF.large} has another sha256 than was stored: ${user('large')}`
  expect(await told(path, false)).toEqual([`damaged-content, false: ${what}`])
  expect(await told(path, true)).toEqual([
    `damaged-content, true: ${what}; taken from ${join(staging, 'upload-2')}`,
  ])
  expect(await told(path, false)).toEqual([])
})

test('marks stay after a quick repair, and go after a deep one, where the content is intact', async () => {
  const { path } = await newStore('marked', ['UPDATE revisions SET is_lost = 1'])
  const marked = async () => {
    const store = await openTestStore(path, { isService: false })
    const { length } = store.read.all('SELECT 1 FROM revisions WHERE is_lost = 1')
    await store.close()
    return length
  }
  for (const [isDeep, count] of [
    [false, 2],
    [true, 0],
  ] as const) {
    expect(await told(path, true, undefined, isDeep)).toEqual([])
    expect(await marked()).toBe(count)
  }
})
