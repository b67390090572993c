import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { StorageFailure } from '../../../src/drive/contract/failure.ts'
import { fsck } from '../../../src/drive/persistence/upkeep/fsck.ts'
import { bundled } from '../../support/bundled.ts'
import { readOnly, smallDisk } from '../../support/small-disk.ts'
import {
  addContent,
  addFile,
  heldContent,
  madeBytes,
  openTestStore,
  pieces,
  titlesOf,
} from '../../support/store.ts'
import { NOBODY } from '../../support/store-commands.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const thread = { file: bundled('test/support/store-writer.ts') }
const disk = smallDisk(temp('full'), 16)
mkdirSync(temp('writable'))
const frozen = readOnly(temp('writable'), temp('read-only'))
const FULL = { status: 503, reason: 'backendError', message: 'The disk of the service is full.' }

/** Fills the disk, except for `left` bytes. */
function fillUp(folder: string, left: number): string {
  const { bavail, bsize } = statfsSync(folder)
  const path = join(folder, 'ballast')
  writeFileSync(path, Buffer.alloc(bavail * bsize - left))
  return path
}

describe.skipIf(disk === undefined)('a full disk', () => {
  const folder = disk ?? ''

  test('refuses changes and contents, loses nothing, and goes on when there is space', async () => {
    const path = join(folder, 'store')
    const store = await openTestStore(path, { writer: thread, onWarning: () => undefined })
    await addFile(store, 'before')
    const ballast = fillUp(folder, 300_000)
    const asked = Array.from({ length: 40 }, () => store.write('fill', NOBODY, 50_000))
    const settled = await Promise.allSettled(asked)
    const refused = settled.filter((one) => one.status === 'rejected').map(({ reason }) => reason as unknown)
    expect(refused.length).toBeGreaterThan(0)
    for (const reason of refused) expect(reason).toMatchObject(FULL)
    const kept = settled.length - refused.length
    await expect(heldContent(store.blobs, pieces(madeBytes(2_000_000)))).rejects.toMatchObject(FULL)
    const name = store.blobs.uploads.newName()
    await expect(
      store.blobs.uploads.append(name, 0, pieces(madeBytes(2_000_000)), () => undefined),
    ).rejects.toMatchObject(FULL)
    await store.blobs.uploads.discard(name)
    expect(readdirSync(store.folder.staging)).toEqual([])
    expect(titlesOf(store)).toEqual(['before'])
    rmSync(ballast)
    await addFile(store, 'after')
    expect(titlesOf(store)).toEqual(['before', 'after'])
    expect(store.read.get('SELECT count(*) AS count FROM settings')).toEqual({ count: kept })
    await store.close()
    expect((await fsck(path, { isDeep: true, isRepairing: false })).findings).toEqual([])
  })

  test('a store cannot be made there, and whoever tries is told why', async () => {
    const ballast = fillUp(folder, 0)
    await expect(openTestStore(join(folder, 'new'))).rejects.toMatchObject({
      code: 'io',
      message: expect.stringContaining('the disk is full') as unknown,
    })
    rmSync(ballast)
    await (await openTestStore(join(folder, 'new'))).close()
  })
})

const few = smallDisk(temp('few files'), 16, 100)

describe.skipIf(few === undefined)('a disk that takes no more files', () => {
  test('refuses a content, also where its folder cannot be made', async () => {
    const store = await openTestStore(join(few ?? '', 'store'), { writer: thread })
    let left = 0
    // the content, its folder, and its name in the folder need a file each
    for (;;) {
      try {
        writeFileSync(join(few ?? '', `f${left}`), '')
        left++
      } catch {
        break
      }
    }
    const outcomes: (number | 'stored')[] = []
    while (outcomes.at(-1) !== 'stored' && outcomes.length < 8) {
      rmSync(join(few ?? '', `f${(left -= 1)}`))
      const content = pieces(madeBytes(20_000))
      const stored = addContent(store, `t${left}`, content).then(() => 'stored' as const)
      outcomes.push(await stored.catch((error: StorageFailure) => error.status))
    }
    expect(outcomes.length).toBeGreaterThan(2)
    expect(outcomes).toEqual([...outcomes.slice(0, -1).map(() => 503), 'stored'])
    await store.close()
  })
})

describe.skipIf(frozen === undefined)('a disk that cannot be written to', () => {
  test('is refused in words', async () => {
    await (await openTestStore(join(temp('writable'), 'store'))).close()
    const message: unknown = expect.stringContaining('it cannot be written to')
    await expect(openTestStore(join(frozen ?? '', 'store'))).rejects.toMatchObject({ code: 'io', message })
    await expect(openTestStore(join(frozen ?? '', 'new'))).rejects.toMatchObject({ code: 'io', message })
  })
})

describe('a folder that is none', () => {
  test('is refused in words', async () => {
    writeFileSync(temp('file'), '')
    await expect(openTestStore(temp('file'))).rejects.toThrow('it is not a folder')
    mkdirSync(join(temp('folder'), 'store.db'), { recursive: true })
    await expect(openTestStore(temp('folder'))).rejects.toMatchObject({ code: 'io' })
  })
})
