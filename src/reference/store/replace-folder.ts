/** Puts a finished folder where another may be, or may appear at any moment. [disk] */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { nameSibling } from '../../io/atomic-write.ts'
import { isMissing } from './manifest.ts'

/**
 * A folder is never renamed onto another, so the old one goes first. `isDone` says whether what is there will do:
 * of installations at the same time the first then stays.
 */
export function replaceFolder(part: string, folder: string, isDone: () => boolean): void {
  for (let tries = 0; ; tries += 1) {
    const old = nameSibling(folder, 'old')
    if (existsSync(folder) && isDone()) return
    if (existsSync(folder)) moveAway(folder, old)
    try {
      renameSync(part, folder)
      return
    } catch (error) {
      // unless another process put its own copy there in between, the old one is better than none
      const isContended = isOccupied(error) || existsSync(folder)
      if (!isContended && existsSync(old)) renameSync(old, folder)
      if (!isContended || tries === MAX_TRIES) throw error
    } finally {
      rmSync(old, { recursive: true, force: true })
    }
  }
}

function moveAway(folder: string, old: string): void {
  try {
    renameSync(folder, old)
  } catch (error) {
    // by the error, not by looking again: who moved it away may have put its own copy there since
    if (!isMissing(error)) throw error
  }
}

const MAX_TRIES = 10

/** Another process's copy was there when we tried, whether or not it still is. */
function isOccupied(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOTEMPTY' || error.code === 'EEXIST')
}
