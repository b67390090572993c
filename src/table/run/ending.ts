/** The end of a conversion: its files get their names together, or none of them is left. */
import { isHlaError } from '../../errors.ts'
import { onInterrupt } from '../../io/interrupt.ts'
import type { Sink } from '../../io/sink.ts'
import type { Failures } from './table-failures.ts'

export interface EndingRun {
  readonly sink: Sink
  readonly failures: Failures
  /** The caller handles signals. */
  readonly isUnbroken?: boolean | undefined
}

/** What happens when all is converted, and nothing has its name. */
export interface BeforeEnd {
  /** Undefined: there is no provenance, or it is written when the output has its name. */
  readonly provenance: () => Promise<Sink | undefined>
  /** All but the output have their names. */
  readonly named: () => Promise<void>
}

export interface Ending {
  /** Every file gets its name, the output last. Gives the name of the report of failures, when there is one. */
  readonly finish: (before: BeforeEnd) => Promise<string | undefined>
  /** Nothing is left but the report that says why there were too many failures. */
  readonly abandon: (error: unknown) => Promise<void>
  /** Signals end the run no longer. */
  readonly stop: () => void
}

export function openEnding({ sink, failures, isUnbroken = false }: EndingRun): Ending {
  let provenance: Sink | undefined
  const abandon = () => {
    const ends = [sink.abandon(), failures.abandon(), provenance?.abandon()].filter(
      (end) => end !== undefined,
    )
    // local files are removed synchronously: there is nothing to wait for
    return ends.length === 0 ? undefined : Promise.all(ends)
  }
  return {
    async finish(before) {
      // what can fail does so before the first file has its name
      await sink.complete()
      await failures.complete()
      provenance = await before.provenance()
      const report = await failures.finish()
      await provenance?.finish()
      await before.named()
      await sink.finish()
      return report
    },
    async abandon(error) {
      if (isHlaError(error) && error.code === 'too-many-failures') await failures.finish()
      await abandon()
    },
    stop: isUnbroken ? () => undefined : onInterrupt(abandon),
  }
}
