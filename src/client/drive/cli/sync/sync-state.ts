/** What two folders were when they last were alike: kept after each step, so that a run that ends early has lost nothing.  [disk] */
import { mkdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { holdLock } from '../../../../drive/persistence/lock.ts'
import { HlaError } from '../../../../errors.ts'
import { writeAtomically } from '../../../../io/atomic-write.ts'
import { isRecord } from '../../../../operations/http-face.ts'
import type { StampedDigest } from './local-tree.ts'
import type { Entry } from './plan.ts'

export interface SyncState {
  readonly base: Map<string, Entry>
  readonly digests: Map<string, StampedDigest>
  readonly save: () => void
  readonly release: () => void
}

const FORMAT = 'hla-drive-sync/1'

/** @throws {HlaError} io — another process is at it; usage — the file is not one of ours */
export async function openSyncState(path: string): Promise<SyncState> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const lock = await holdLock(
    { path: dirname(path) },
    `${basename(path)}.lock`,
    'another hla drive sync of the same folders is under way:',
  )
  const state = readState(path)
  if (state === undefined) {
    lock.release()
    throw new HlaError('usage', `${path} is not as hla drive sync writes it`, {
      offending: path,
      hint: 'remove it: the folders are then compared as if for the first time, and nothing is removed',
    })
  }
  const { base, digests } = state
  const save = () =>
    writeAtomically(
      path,
      JSON.stringify({
        format: FORMAT,
        base: [...base].map(([name, entry]) => [name, entry.kind === 'file' ? entry.md5 : null]),
        digests: [...digests],
      }),
    )
  return { base, digests, save, release: lock.release }
}

/** Undefined: it is none. */
function readState(path: string): Pick<SyncState, 'base' | 'digests'> | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { base: new Map(), digests: new Map() }
    throw error
  }
  const said = parseJson(text)
  if (!isRecord(said) || said['format'] !== FORMAT) return undefined
  // as `save` wrote them
  const base = said['base'] as readonly (readonly [string, string | null])[]
  const digests = said['digests'] as readonly (readonly [string, StampedDigest])[]
  const entries = base.map(([name, md5]): [string, Entry] => [
    name,
    md5 === null ? { kind: 'folder' } : { kind: 'file', md5 },
  ])
  return { base: new Map(entries), digests: new Map(digests) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
