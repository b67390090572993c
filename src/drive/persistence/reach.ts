/** Whether what a store needs can be reached now, and has room: told apart, asked with patience of a moment, and once for all who ask.  [disk, network] */
import { statfsSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { freeBytes } from './disk-reserve.ts'
import type { Store } from './store.ts'

export interface Reach {
  /** undefined: the store has none but its own. */
  readonly database: boolean | undefined
  readonly contents: boolean
  /** Bytes free on the disk of the database, and on that of the contents: undefined — a bucket, or it does not answer. */
  readonly free: { readonly database: number; readonly contents: number | undefined }
  /** The reserve of the disk is given up, or one of the disks has next to nothing free. */
  readonly isFull: boolean
}

/** ms */
const PATIENCE = 2000

/** Bytes. */
const NEXT_TO_NOTHING = 1 << 20

export function watchReach({
  sharing,
  folder,
  place,
  reserve,
}: Pick<Store, 'sharing' | 'folder' | 'place' | 'reserve'>): () => Promise<Reach> {
  // a look that hangs is not begun again: each may hold a thread for good
  const database = sharing && looking(() => sharing.current().then(() => true))
  const isBucket = place !== undefined && place.contents.pathOf === undefined
  const contents = looking(() => (isBucket ? place.confirm() : stat(folder.blobs)).then(() => true))
  const room = isBucket ? undefined : looking(async () => freeBytes(await statfs(folder.blobs)))
  return async () => {
    const [isReached, isThere, ofContents] = await Promise.all([database?.(), contents(), room?.()])
    const free = { database: freeBytes(statfsSync(folder.path)), contents: ofContents }
    const isLow = Math.min(free.database, free.contents ?? Infinity) < NEXT_TO_NOTHING
    return {
      database: sharing && isReached === true,
      contents: isThere === true,
      free,
      isFull: isLow || reserve?.isFull() === true,
    }
  }
}

/** undefined: it fails, or does not answer in time. */
function looking<Found>(look: () => Promise<Found>): () => Promise<Found | undefined> {
  let running: Promise<Found | undefined> | undefined
  return async () => {
    running ??= look()
      .catch(() => undefined)
      .finally(() => (running = undefined))
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), PATIENCE)
    })
    return Promise.race([running, late]).finally(() => clearTimeout(timer))
  }
}
