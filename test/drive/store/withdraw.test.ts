/** A content that is stored again after a clean-up has looked at it, and before it is moved away, stays. */
import type * as fs from 'node:fs'
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { digestBytes } from '../../../src/drive/persistence/contents/digest.ts'
import { collectGarbage } from '../../../src/drive/persistence/upkeep/collect-garbage.ts'
import { madeBytes, openTestStore } from '../../support/store.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
/** Called between the look and the move. */
const between = vi.hoisted(() => ({ act: (_path: string): void => undefined }))

vi.mock('node:fs', async (load) => {
  const real = await load<typeof fs>()
  const renameSync = (from: string, to: string) => {
    between.act(from)
    real.renameSync(from, to)
  }
  return { ...real, renameSync }
})

test.each([
  ['one that nobody stores again goes', false],
  ['one that is stored again in that moment stays', true],
])('%s', async (_, isStored) => {
  const store = await openTestStore(temp(`withdraw ${isStored}`))
  const bytes = madeBytes(20_000, 6)
  const { sha256 } = digestBytes(bytes)
  const path = join(store.folder.path, 'blobs', sha256.slice(0, 2), sha256)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
  utimesSync(path, 1000, 1000)
  const looked: string[] = []
  between.act = (from) => {
    if (basename(from) !== sha256 || dirname(from) !== dirname(path)) return
    looked.push(from)
    if (isStored) utimesSync(from, new Date(), new Date())
  }
  const { files } = await collectGarbage(store, { grace: 86_400_000, uploadLife: 86_400_000 })
  expect({ looked, files, isThere: existsSync(path) }).toEqual({
    looked: [path],
    files: isStored ? 0 : 1,
    isThere: isStored,
  })
  await store.close()
})
