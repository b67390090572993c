/** Reads a local folder: every file with its digest, reused for files that are unchanged.  [disk] */
import { createHash } from 'node:crypto'
import { createReadStream, lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from './plan.ts'

/** Attributes that identify an unchanged file. */
export interface Stamp {
  readonly size: number
  /** Time in ns since 1970, as text, since a number is inexact. */
  readonly modified: string
  readonly ino: string
}

export interface StampedDigest extends Stamp {
  readonly md5: string
}

export interface LocalTree {
  readonly entries: ReadonlyMap<string, Entry>
  readonly digests: ReadonlyMap<string, StampedDigest>
  /** Path that the store cannot hold -> reason. */
  readonly left: ReadonlyMap<string, string>
}

const PART = /^\.hla-sync-.*\.part$/

/** Name of a part file: hidden, so that programs which look for files skip it. */
export function partName(md5: string): string {
  return `.hla-sync-${md5}.part`
}

/** `known` are digests from earlier runs. Removes part files of interrupted runs. */
export async function readLocalTree(
  root: string,
  known: ReadonlyMap<string, StampedDigest>,
): Promise<LocalTree> {
  const entries = new Map<string, Entry>()
  const digests = new Map<string, StampedDigest>()
  const left = new Map<string, string>()
  const walk = async (below: string): Promise<void> => {
    for (const found of readdirSync(join(root, below), { withFileTypes: true })) {
      const path = below === '' ? found.name : `${below}/${found.name}`
      if (PART.test(found.name)) rmSync(join(root, path), { force: true })
      else if (found.isDirectory()) {
        entries.set(path, { kind: 'folder' })
        await walk(path)
      } else if (found.isFile()) {
        const digest = await digestFile(join(root, path), known.get(path))
        entries.set(path, { kind: 'file', md5: digest.md5 })
        digests.set(path, digest)
      } else if (found.isSymbolicLink()) left.set(path, 'links are not followed')
      else left.set(path, 'it is neither a file nor a folder')
    }
  }
  await walk('')
  return { entries, digests, left }
}

/** Returns undefined for a missing file. */
export function stampFile(file: string): Stamp | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false, bigint: true })
  if (found === undefined) return undefined
  return { size: Number(found.size), modified: String(found.mtimeNs), ino: String(found.ino) }
}

export function isSameStamp(a: Stamp | undefined, b: Stamp | undefined): boolean {
  return a?.size === b?.size && a?.modified === b?.modified && a?.ino === b?.ino
}

async function digestFile(file: string, known: StampedDigest | undefined): Promise<StampedDigest> {
  const stamp = stampFile(file)
  if (stamp === undefined) throw new Error(`${file} is gone`)
  if (known !== undefined && isSameStamp(stamp, known)) return known
  const hash = createHash('md5')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer) // a stream without encoding yields buffers
  return { ...stamp, md5: hash.digest('hex') }
}
