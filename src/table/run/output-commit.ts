/** End of a conversion: its files get their names together, or none of them is left. */
import { isHlaError } from '../../errors.ts'
import { onInterrupt } from '../../io/interrupt.ts'
import type { Sink } from '../../io/sink.ts'
import type { Failures } from './table-failures.ts'

export interface CommitRequest {
  readonly sink: Sink
  readonly failures: Failures
  /** The caller handles signals. */
  readonly isUnbroken?: boolean | undefined
}

/** Actions when all rows are converted, and no file has its final name. */
export interface CommitActions {
  /** undefined when there is no provenance, or it is written after the output has its name. */
  readonly provenance: () => Promise<Sink | undefined>
  /** Called when all files but the output have their names. */
  readonly named: () => Promise<void>
}

export interface OutputCommit {
  /** Every file gets its name, the output last. Returns the name of the report of failures, if any. */
  readonly finish: (before: CommitActions) => Promise<string | undefined>
  /** Removes all files but the report that explains too many failures. */
  readonly abandon: (error: unknown) => Promise<void>
  /** Stops handling signals. */
  readonly stop: () => void
}

export function openOutputCommit({ sink, failures, isUnbroken = false }: CommitRequest): OutputCommit {
  let provenance: Sink | undefined
  const abandon = () => {
    const ends = [sink.abandon(), failures.abandon(), provenance?.abandon()].filter(
      (end) => end !== undefined,
    )
    // local files are removed synchronously
    return ends.length === 0 ? undefined : Promise.all(ends)
  }
  return {
    async finish(before) {
      // operations that can fail precede the first rename
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
