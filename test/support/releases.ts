/** Real releases compiled from the published files, and the real MAC list, for tests. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import { compileRelease, type ReleaseTexts } from '../../src/reference/compile/compile.ts'
import { readFixedTables } from '../../src/reference/compile/fixed-tables.ts'
import { encodeRelease } from '../../src/reference/compile/encode.ts'
import { encodeMacTable, readMacTable, type MacTable } from '../../src/reference/mac-table.ts'
import { type Release, readRelease } from '../../src/reference/release.ts'
import { parseNumer } from '../../src/reference/sources/numer.ts'
import { publishedTexts } from './published-texts.ts'
import { hasPreview, texts2026 } from './release-2026.ts'
import { sharedPath } from './shared.ts'

/** Of what is in the shared folder, the oldest first. */
export const PUBLISHED = ['3290', '3440', '3530', '3580'] as const

/** Those, a release of today, and published ones since 3640 where they are. A test of more than numbers takes them all. */
export function releasesAtHand(): string[] {
  return [...PUBLISHED, ...releasesOfToday()]
}

/** 3640 as test/support/release-2026.ts makes it, where the published one is not at hand; and those published since. */
export function releasesOfToday(): string[] {
  const newer = newerReleases()
  return hasPreview && !newer.includes('3640') ? ['3640', ...newer] : newer
}

export function newerReleases(): string[] {
  const folder = sharedPath('upstream/IMGTHLA')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => /^\d{4}$/.test(name) && Number(name) >= 3640)
    .sort()
}

const releases = new Map<string, Release>()

/** `'3580'` -> that release, compiled once per process. */
export function realRelease(compact: string): Release {
  const known = releases.get(compact)
  if (known !== undefined) return known
  const label = `${compact[0]}.${Number(compact.slice(1, 3))}.${compact[3]}`
  const tables = compileRelease(
    readTexts(compact),
    { label, compact, date: '', sources: [] },
    readFixedTables(),
  )
  const release = readRelease(encodeRelease(tables))
  releases.set(compact, release)
  return release
}

export function readTexts(compact: string): ReleaseTexts {
  const isMade = compact === '3640' && !newerReleases().includes(compact)
  return isMade ? texts2026() : publishedTexts(compact)
}

let macs: MacTable | undefined

/** The 12,527 real codes of the shared list. */
export function realMacs(): MacTable {
  if (macs !== undefined) return macs
  const text = firstOfZip(readFileSync(sharedPath('upstream/mac/numer.v3.zip')))
  macs = readMacTable(encodeMacTable(parseNumer(text), createHash('sha256').update(text).digest('hex')))
  return macs
}

/** The first member of a zip file whose sizes stand in its central directory. */
export function firstOfZip(zip: Buffer): string {
  const central = zip.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  const size = zip.readUInt32LE(central + 20)
  const start = 30 + zip.readUInt16LE(26) + zip.readUInt16LE(28)
  return inflateRawSync(zip.subarray(start, start + size)).toString('latin1')
}
