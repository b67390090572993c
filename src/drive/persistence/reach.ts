/** Whether what a store needs can be reached now: told apart, asked with patience of a moment, and once for all who ask.  [disk, network] */
import { stat } from 'node:fs/promises'
import type { Store } from './store.ts'

export interface Reach {
  /** undefined: the store has none but its own. */
  readonly database: boolean | undefined
  readonly contents: boolean
}

/** ms */
const PATIENCE = 2000

export function watchReach({
  sharing,
  folder,
  place,
}: Pick<Store, 'sharing' | 'folder' | 'place'>): () => Promise<Reach> {
  // a look that hangs is not begun again: each may hold a thread for good
  const database = sharing && looking(sharing.current)
  const isBucket = place !== undefined && place.contents.pathOf === undefined
  const contents = looking(isBucket ? place.confirm : () => stat(folder.blobs))
  return async () => {
    const [isReached, isThere] = await Promise.all([database?.(), contents()])
    return { database: isReached, contents: isThere }
  }
}

function looking(look: () => Promise<unknown>): () => Promise<boolean> {
  let running: Promise<boolean> | undefined
  return async () => {
    running ??= look()
      .then(
        () => true,
        () => false,
      )
      .finally(() => (running = undefined))
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), PATIENCE)
    })
    return Promise.race([running, late]).finally(() => clearTimeout(timer))
  }
}
