/** Tidies a store up while it is in use: what goes in time, and contents that nothing names.  [disk] */
import type { Keeping } from './purge-step.ts'
import { errorMessage } from '../../../errors.ts'
import { collectGarbage, USUAL_GRACE, type GarbageReport } from '../../persistence/upkeep/collect-garbage.ts'
import type { Store } from '../../persistence/store.ts'
import { command, OPERATOR } from '../commands.ts'
import { purgeAll } from './purge.ts'
import { uploadLife } from '../uploads/upload-sessions.ts'

/** ms */
const OFTEN = 3_600_000

export interface TidyOptions {
  /** ms: what is younger may be of a request under way. */
  readonly grace?: number | undefined
  /** What it does not name stays. */
  readonly keeping?: Keeping
}

export function tidy(
  store: Store,
  { grace = USUAL_GRACE, keeping }: TidyOptions = {},
): Promise<GarbageReport> {
  const purge = () => purgeAll((step) => command(store, 'purge', OPERATOR, { ...step, ...keeping }))
  return collectGarbage(store, { grace, uploadLife: uploadLife(store.read), purge })
}

/** Every hour; what stands in the way of one time does not in that of the next. @returns what ends it */
export function tidyRegularly(store: Store, options: TidyOptions, warn: (text: string) => void): () => void {
  const timer = setInterval(() => {
    // one server does it for all
    if (store.sharing?.isLeader() === false) return
    tidy(store, options).catch((error: unknown) => warn(`not tidied up: ${errorMessage(error)}`))
  }, OFTEN)
  return () => clearInterval(timer)
}
