/** Checkpoints of a conversion, and its end: complete under its name, to be resumed, or gone.  [disk] */
import {
  checkpointText,
  type DistinctKeys,
  type RunIdentity,
  type TablePosition,
} from '../../batch/checkpoint.ts'
import type { Tally } from '../../batch/tally.ts'
import { HlaError, isHlaError } from '../../errors.ts'
import { awaitInterrupt, Interrupted, onInterrupt } from '../io/interrupt.ts'
import { isSystemError } from '../io/system-error.ts'
import type { Source } from '../io/door.ts'
import type { Sink } from '../io/sink.ts'
import { readUpTo } from './input-identity.ts'
import { type CheckpointPace, removeState, resumeCommand, type Resumption, writeState } from './resume.ts'
import type { Failures } from './table-failures.ts'

export interface Checkpointed {
  readonly source: Pick<Source, 'name'>
  readonly output: string
  readonly sink: Sink
  readonly failures: Failures
  readonly tally: Tally
  /** Of the first run. */
  readonly started: Date
  /** Of the input as it is stored. */
  readonly bytesRead: () => number
  /** undefined: the run cannot be resumed. */
  readonly resumption: Resumption | undefined
  readonly isUnbroken?: boolean
}

export interface Checkpoints {
  /** Between two blocks of rows that are written. @throws {Interrupted} */
  readonly passed: (position: TablePosition, distinct: () => DistinctKeys) => void
  /** Everything gets its name, the output after `before`. Gives that of the report of failures, when there is one. */
  readonly finish: (before: (report: string | undefined) => Promise<void>) => Promise<string | undefined>
  /** The run ends otherwise. Gives what is to be thrown. */
  readonly end: (error: unknown) => Promise<unknown>
  readonly stop: () => void
}

export function openCheckpoints(run: Checkpointed): Checkpoints {
  const { output, sink, failures, tally, resumption } = run
  const abandon = () => {
    if (resumption !== undefined) removeState(output)
    const ends = [sink.abandon(), failures.abandon()].filter((end) => end !== undefined)
    // files here are gone already
    return ends.length === 0 ? undefined : Promise.all(ends)
  }
  const state = { isThere: resumption?.earlier !== undefined, rows: tally.rows, at: performance.now() }
  const interrupts =
    resumption === undefined
      ? { asked: () => undefined, stop: run.isUnbroken === true ? () => undefined : onInterrupt(abandon) }
      : // the second signal leaves what there is to resume from
        awaitInterrupt(() => (state.isThere ? undefined : void abandon()))
  return {
    passed(position, distinct) {
      if (resumption === undefined) return
      const asked = interrupts.asked()
      if (asked === undefined && !isDue(state, tally.rows, resumption.pace)) return
      writeState(output, stateOf(run, resumption.identity, position, distinct()))
      Object.assign(state, { isThere: true, rows: tally.rows, at: performance.now() })
      if (asked !== undefined) throw new Interrupted(interruption(tally.rows), asked)
    },
    async finish(before) {
      // whatever can fail does so before the first of them has its name
      await sink.complete()
      await failures.complete()
      const report = await failures.finish()
      await before(report)
      await sink.finish()
      if (resumption !== undefined) removeState(output)
      return report
    },
    async end(error) {
      const isKept = state.isThere && (error instanceof Interrupted || isPassing(error))
      // what made us give up stands in the report
      if (isHlaError(error) && error.code === 'too-many-failures') await failures.finish()
      if (!isKept) await abandon()
      sink.keep()
      failures.keep()
      return isKept && isHlaError(error) ? withAdvice(error, state.rows) : error
    },
    stop: interrupts.stop,
  }
}

function isDue(last: { rows: number; at: number }, rows: number, { rows: every, pause }: CheckpointPace) {
  return rows - last.rows >= every && performance.now() - last.at >= pause
}

function stateOf(
  { source, sink, failures, tally, bytesRead, started }: Checkpointed,
  identity: RunIdentity,
  position: TablePosition,
  distinct: DistinctKeys,
): string {
  return checkpointText({
    identity: { ...identity, input: { ...identity.input, ...readUpTo(source.name, bytesRead()) } },
    position,
    output: sink.mark(),
    report: failures.mark(),
    failures: failures.count(),
    tally,
    distinct,
    started,
  })
}

function interruption(rows: number): string {
  return `interrupted after ${rows.toLocaleString('en-US')} rows; resume with: ${ownCommand()}`
}

function ownCommand(): string {
  return resumeCommand(process.argv.slice(2))
}

/** No space, no permission, a device or a service that fails: the same run may succeed later. */
function isPassing(error: unknown): boolean {
  return (
    isSystemError(error) || (isHlaError(error) && (error.code === 'remote' || isSystemError(error.cause)))
  )
}

function withAdvice(error: HlaError, rows: number): HlaError {
  const advice = `${rows.toLocaleString('en-US')} rows are kept; resume with: ${ownCommand()}`
  const hint = error.hint === undefined ? advice : `${error.hint}\n${advice}`
  return new HlaError(error.code, error.message, { offending: error.offending, hint, cause: error.cause })
}
