/**
 * Checks that a store kept its acknowledged changes; a separate process, so that no other has the store open.  [disk]
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestBytes } from '../../src/drive/persistence/contents/digest.ts'
import { fsck } from '../../src/drive/persistence/upkeep/fsck.ts'
import type { Store } from '../../src/drive/persistence/store.ts'
import type { Told } from './crash.ts'
import { madeBytes, openTestStore } from './store.ts'

const [folder = ''] = process.argv.slice(2)
// input from crash.ts
const told = JSON.parse(readFileSync(0, 'utf8')) as Told
// the power may fail before the store or all of its tables exist: the next start creates the rest
const isNew = told.files.length === 0 && told.uploads.length === 0
if (isNew) await (await openTestStore(folder)).close()
const { findings } = await fsck(folder, { isDeep: true, isRepairing: false })
const store = await openTestStore(folder)
const problems = [...findings.map(({ what }) => what), ...lostFiles(store), ...(await lostUploads(store))]
await store.close()
process.stdout.write(JSON.stringify(problems))

function lostFiles({ read }: Store): string[] {
  const sql =
    'SELECT b.sha256 FROM files f JOIN revisions r ON r.pk = f.head JOIN blobs b ON b.pk = r.blob WHERE f.id = ?'
  return told.files.flatMap(([title, size, seed]) => {
    const found = read.get<{ sha256: string }>(sql, title)?.sha256
    if (found === undefined) return [`lost: ${title}`]
    // fsck compares bytes with their digests
    return seed === null || found === digestBytes(madeBytes(size, seed)).sha256
      ? []
      : [`other bytes: ${title}`]
  })
}

async function lostUploads({ read, blobs, folder: { staging } }: Store): Promise<string[]> {
  const lost: string[] = []
  for (const [name, received, seed] of told.uploads) {
    const row = read.get<{ received: number }>('SELECT received FROM uploads WHERE digest = ?', name)
    const held = await blobs.uploads.held(name, row?.received ?? 0)
    if (held < received) lost.push(`upload ${name} told ${received} bytes and holds ${held}`)
    const bytes = readFileSync(join(staging, name)).subarray(0, received)
    const made = madeBytes(262_144 * 4, seed).subarray(0, received)
    if (Buffer.compare(bytes, made) !== 0) lost.push(`upload ${name} has other bytes`)
  }
  return lost
}
