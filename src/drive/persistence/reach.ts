/**
 * Probes whether a store's contents are reachable, and its disks have space. Each probe has a time limit; concurrent
 * callers share it.  [disk, network]
 */
import { statfsSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { freeBytes } from './disk-reserve.ts'
import type { Store } from './store.ts'

export interface Reach {
  readonly contents: boolean
  /** Free bytes on the disks of the database and the contents. Undefined for a bucket, or after the time limit. */
  readonly free: { readonly database: number; readonly contents: number | undefined }
  /** The reserve has been released, or a disk has almost no free space. */
  readonly isFull: boolean
}

/** Time limit of a probe in ms. */
const PROBE_TIMEOUT_MS = 2000

/** Bytes below which a disk counts as full. */
const FULL_BYTES = 1 << 20

export function watchReach({
  folder,
  place,
  reserve,
}: Pick<Store, 'folder' | 'place' | 'reserve'>): () => Promise<Reach> {
  // a hanging probe is never started again, because each may block a thread forever
  const isBucket = place.contents.pathOf === undefined
  const contents = probe(() => (isBucket ? place.claim() : stat(folder.blobs)).then(() => true))
  const room = isBucket ? undefined : probe(async () => freeBytes(await statfs(folder.blobs)))
  return async () => {
    const [isThere, ofContents] = await Promise.all([contents(), room?.()])
    const free = { database: freeBytes(statfsSync(folder.path)), contents: ofContents }
    const isLow = Math.min(free.database, free.contents ?? Infinity) < FULL_BYTES
    return {
      contents: isThere === true,
      free,
      isFull: isLow || reserve?.isFull() === true,
    }
  }
}

/** Resolves to undefined if the probe fails or exceeds the time limit. */
function probe<Found>(look: () => Promise<Found>): () => Promise<Found | undefined> {
  let running: Promise<Found | undefined> | undefined
  return async () => {
    running ??= look()
      .catch(() => undefined)
      .finally(() => (running = undefined))
    return Promise.race([running, sleep(PROBE_TIMEOUT_MS, undefined, { ref: false })])
  }
}
