/** Whether the contents of a store can be reached, and how much room its disks have. */
import { mkdirSync, renameSync, statfsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contentsIn, folderPlace } from '../../../src/drive/persistence/contents/places/folder-place.ts'
import type { ContentPlace } from '../../../src/drive/persistence/contents/places/place.ts'
import type { DiskReserve } from '../../../src/drive/persistence/disk-reserve.ts'
import { makeFolder, storeFolder } from '../../../src/drive/persistence/folder.ts'
import { watchReach } from '../../../src/drive/persistence/reach.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const ANY: unknown = expect.any(Number)

function newFolder(name: string) {
  const folder = storeFolder(temp(name))
  makeFolder(folder)
  return folder
}

/** A bucket that a store claims by `claim`. */
function bucket(claim: () => Promise<void>): ContentPlace {
  const contents = { ...contentsIn({ blobs: '', staging: '' }), pathOf: undefined }
  return { ...folderPlace({ blobs: '', staging: '' }), contents, claim }
}

test('a folder is reached while it is there, on disks with room', async () => {
  const folder = newFolder('there')
  const reach = watchReach({ folder, place: folderPlace(folder), reserve: undefined })
  const { bavail, bsize } = statfsSync(folder.path)
  const there = await reach()
  expect(there).toEqual({ contents: true, free: { database: ANY, contents: ANY }, isFull: false })
  // others write meanwhile
  for (const free of Object.values(there.free)) {
    expect(free).toBeGreaterThan((bavail * bsize) / 2)
    expect(free).toBeLessThan(bavail * bsize * 2)
  }
  renameSync(folder.blobs, temp('away'))
  const away = { contents: false, free: { database: ANY, contents: undefined }, isFull: false }
  expect([await reach(), await reach()]).toEqual([away, away])
  mkdirSync(folder.blobs)
  expect(await reach()).toMatchObject({ contents: true, free: { contents: ANY } })
})

test('a released reserve is a full disk, one that stands is none', async () => {
  const folder = newFolder('reserve')
  for (const isFull of [true, false]) {
    const reserve = { isFull: () => isFull } as unknown as DiskReserve // the part in use
    expect(await watchReach({ folder, place: folderPlace(folder), reserve })()).toMatchObject({ isFull })
  }
})

test('a bucket is reached while it can be claimed, and has no disk', async () => {
  const folder = newFolder('bucket')
  const answers = [Promise.resolve(), Promise.reject(new Error('away')), Promise.resolve()]
  const place = bucket(() => answers.shift() ?? Promise.reject(new Error('no answer')))
  const reach = watchReach({ folder, place, reserve: undefined })
  const found = (contents: boolean) => ({
    contents,
    free: { database: ANY, contents: undefined },
    isFull: false,
  })
  expect([await reach(), await reach(), await reach(), await reach()]).toEqual(
    [true, false, true, false].map(found),
  )
})

test('a bucket that has not answered yet is asked once', async () => {
  const folder = newFolder('silent')
  const asked: (() => void)[] = []
  const place = bucket(() => new Promise((resolve) => asked.push(resolve)))
  const reach = watchReach({ folder, place, reserve: undefined })
  for (const times of [1, 2]) {
    const both = [reach(), reach()]
    expect(asked).toHaveLength(times)
    asked.at(-1)?.()
    expect((await Promise.all(both)).map(({ contents }) => contents)).toEqual([true, true])
  }
})
