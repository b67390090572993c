/** Tidies a store up while it is in use: what goes in time, and contents that nothing names.  [disk] */
import { messageOf } from '../../errors.ts'
import { collectGarbage, GARBAGE_DEFAULTS, type GarbageReport } from '../store/collect-garbage.ts'
import type { Store } from '../store/store.ts'
import { command, OPERATOR } from './commands.ts'
import { purgeAll } from './purge.ts'

/** ms */
const OFTEN = 3_600_000

export function tidy(store: Store, grace: number = GARBAGE_DEFAULTS.grace): Promise<GarbageReport> {
  const purge = () => purgeAll((step) => command(store, 'purge', OPERATOR, step))
  return collectGarbage(store, { ...GARBAGE_DEFAULTS, grace, purge })
}

/** Every hour; what stands in the way of one time does not in that of the next. @returns what ends it */
export function tidyRegularly(store: Store, warn: (text: string) => void): () => void {
  const timer = setInterval(() => {
    tidy(store).catch((error: unknown) => warn(`not tidied up: ${messageOf(error)}`))
  }, OFTEN)
  return () => clearInterval(timer)
}
