/** A store that is copied to be used elsewhere is used by nobody meanwhile: what came later would be in one of the two.  [disk] */
import { HlaError } from '../../../errors.ts'
import type { StoreFolder } from '../folder.ts'
import { type Lock, lockService } from '../lock.ts'

export async function lockUnused(folder: StoreFolder): Promise<Lock> {
  try {
    return await lockService(folder)
  } catch (cause) {
    if (!(cause instanceof HlaError) || cause.code !== 'io') throw cause
    throw stillUsed(`a service uses the store ${folder.path}`, cause)
  }
}

export function stillUsed(reason: string, cause?: unknown): HlaError {
  return new HlaError('io', `${reason}: what it receives meanwhile would not be copied`, {
    hint: 'stop it first; until then a copy into the other place can be tried with a backup of the store',
    cause,
  })
}
