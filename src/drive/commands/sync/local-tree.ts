/** Reads a local folder: every file with its digest, reused for files that are unchanged.  [disk] */
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { createReadStream, lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { errorReason } from '../../../errors.ts'
import { isSystemError } from '../../../io/system-error.ts'
import type { Entry } from './plan.ts'

/** Attributes that identify an unchanged file; numbers are text where a number would be inexact. */
export interface Stamp {
  readonly size: number
  /** Times in ns since 1970. Programs can set that of the content, not that of the file's last change. */
  readonly modified: string
  readonly changed: string
  readonly ino: string
}

export interface StampedDigest extends Stamp {
  readonly md5: string
}

/**
 * Names of part files, which are in the folder of the files they become. They hold a word that only the state folder of this
 * user knows: no title of a store is mistaken for one.
 */
export interface PartNames {
  /** A name not used before. */
  readonly next: () => string
  /** `own` is of this sync, whose lock proves that no run uses it; `other` is of another sync of this user. */
  readonly kind: (name: string) => 'own' | 'other' | 'none'
}

export interface LocalTree {
  readonly entries: ReadonlyMap<string, Entry>
  readonly digests: ReadonlyMap<string, StampedDigest>
  /** Path that is not synchronised -> reason. Nothing below it is read. */
  readonly left: ReadonlyMap<string, string>
}

/** `known` are digests from earlier runs. Removes part files of interrupted runs. */
export async function readLocalTree(
  root: string,
  known: ReadonlyMap<string, StampedDigest>,
  parts: PartNames,
): Promise<LocalTree> {
  const entries = new Map<string, Entry>()
  const digests = new Map<string, StampedDigest>()
  const left = new Map<string, string>()
  const walk = async (below: string): Promise<void> => {
    for (const found of readdirSync(join(root, below), { withFileTypes: true, encoding: 'buffer' })) {
      const name = found.name.toString()
      const path = below === '' ? name : `${below}/${name}`
      const part = parts.kind(name)
      if (part === 'own') rmSync(join(root, path), { force: true })
      if (part !== 'none') continue
      if (!isUtf8(found.name)) left.set(path, 'its name is not UTF-8')
      else if (found.isDirectory()) {
        entries.set(path, { kind: 'folder' })
        await leaving(path, () => walk(path))
      } else if (found.isFile()) {
        await leaving(path, async () => {
          const digest = await digestFile(join(root, path), known.get(path))
          entries.set(path, { kind: 'file', md5: digest.md5 })
          digests.set(path, digest)
        })
      } else if (found.isSymbolicLink()) left.set(path, 'links are not followed')
      else left.set(path, 'it is neither a file nor a folder')
    }
  }
  const leaving = async (path: string, read: () => Promise<void>) => {
    const reason = await failureOf(read)
    if (reason !== undefined) left.set(path, reason)
  }
  await walk('')
  return { entries, digests, left }
}

/** Runs `work`. Returns why the system refused it, undefined when it did not. @throws other errors */
async function failureOf(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof ChangingFile) return error.message
    if (!isSystemError(error)) throw error
    return localReason(error)
  }
}

/** Why a local file or folder cannot be used, in words. */
export function localReason(error: NodeJS.ErrnoException): string {
  return error.code === 'ENOENT' ? 'it was removed meanwhile' : errorReason(error)
}

/** Returns undefined for a missing file. */
export function stampFile(file: string): Stamp | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false, bigint: true })
  if (found === undefined) return undefined
  const { size, mtimeNs, ctimeNs, ino } = found
  return { size: Number(size), modified: String(mtimeNs), changed: String(ctimeNs), ino: String(ino) }
}

export function isSameStamp(a: Stamp | undefined, b: Stamp | undefined): boolean {
  return a?.size === b?.size && a?.modified === b?.modified && a?.changed === b?.changed && a?.ino === b?.ino
}

class ChangingFile extends Error {}

const MAX_READINGS = 3

/** Reads the file unless it has the stamp of a known digest. */
export async function digestFile(file: string, known: StampedDigest | undefined): Promise<StampedDigest> {
  let before = stampFile(file)
  if (known !== undefined && isSameStamp(before, known)) return known
  for (let reading = 0; reading < MAX_READINGS; reading += 1) {
    const hash = createHash('md5')
    // a stream without encoding yields buffers
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
    const after = stampFile(file)
    if (after !== undefined && isSameStamp(before, after))
      return { ...trusted(after), md5: hash.digest('hex') }
    before = after
  }
  throw new ChangingFile('it changes while it is read')
}

/** ms, longer than a step of the clock by which file systems date changes: of most, and of those that count seconds. */
const FINE_STEP_MS = 20
const COARSE_STEP_MS = 2000

/**
 * A file that was changed in this step of the clock may change again without another date: its stamp is made one that
 * no file has, so that it is read again.
 */
function trusted(stamp: Stamp): Stamp {
  const changed = BigInt(stamp.changed)
  const isFine = changed % 1_000_000_000n !== 0n
  const age = Date.now() - Number(changed / 1_000_000n)
  return age > (isFine ? FINE_STEP_MS : COARSE_STEP_MS) ? stamp : { ...stamp, changed: '' }
}
