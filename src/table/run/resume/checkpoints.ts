/** Checkpoints of a conversion, and its end: complete under its name, to be resumed, or gone.  [disk] */
import {
  checkpointText,
  type DistinctKeys,
  readFurther,
  type RunIdentity,
  type TablePosition,
} from '../checkpoint.ts'
import type { Tally } from '../../output/summary.ts'
import { HlaError, isHlaError } from '../../../errors.ts'
import { awaitInterrupt, Interrupted, onInterrupt } from '../../../io/interrupt.ts'
import { isSystemError } from '../../../io/system-error.ts'
import type { ByteInput } from '../../../io/file-port.ts'
import type { Sink, SinkMark } from '../../../io/sink.ts'
import { removeState, type Resumption, type StateFiles, writeState } from './resume.ts'
import type { Failures } from '../table-failures.ts'
import type { CheckpointPace } from '../table-job.ts'

export interface Checkpointed {
  readonly source: Pick<ByteInput, 'identity'>
  readonly kept: StateFiles
  readonly sink: Sink
  readonly failures: Failures
  readonly tally: Tally
  /** Of the first run. */
  readonly started: Date
  /** Of the input as it is stored. */
  readonly bytesRead: () => number
  /** undefined: the run cannot be resumed. */
  readonly resumption: Resumption | undefined
  readonly isUnbroken?: boolean | undefined
}

/** When all is converted, and nothing has its name. */
export interface BeforeEnd {
  /** Undefined: there is none, or it has its name already, or will get it when the output has. */
  readonly provenance: () => Promise<Sink | undefined>
  /** All but the output have their names. */
  readonly named: (report: string | undefined) => Promise<void>
}

export interface Checkpoints {
  /** Between two blocks of rows that are written. @throws {Interrupted} */
  readonly passed: (position: TablePosition, distinct: () => DistinctKeys) => void
  /** Who is asked does not answer; nothing was written since `passed`: what it answered is kept. */
  readonly unanswered: () => void
  /** Everything gets its name, the output last. Gives that of the report of failures, when there is one. */
  readonly finish: (before: BeforeEnd) => Promise<string | undefined>
  /** Nothing is gone on with any more. */
  readonly forget: () => void
  /** The run ends otherwise. Gives what is to be thrown. */
  readonly end: (error: unknown) => Promise<unknown>
  readonly stop: () => void
}

export function openCheckpoints(run: Checkpointed): Checkpoints {
  const { kept, sink, failures, resumption } = run
  let provenance: Sink | undefined
  const state = runStateFile(run)
  const abandon = () => {
    state.forget()
    const ends = [sink.abandon(), failures.abandon(), provenance?.abandon()].filter(
      (end) => end !== undefined,
    )
    // files here are gone already
    return ends.length === 0 ? undefined : Promise.all(ends)
  }
  const interrupts =
    resumption === undefined
      ? { asked: () => undefined, stop: run.isUnbroken === true ? () => undefined : onInterrupt(abandon) }
      : // the second signal leaves what there is to resume from
        awaitInterrupt(() => (state.isThere() ? undefined : void abandon()))
  return {
    passed: (position, distinct) => state.passed({ position, distinct }, interrupts.asked()),
    unanswered: () => state.save(),
    async finish(before) {
      // whatever can fail does so before the first of them has its name
      await sink.complete()
      await failures.complete()
      provenance = await before.provenance()
      // a name in a store is seen: another run must know that it was given
      if (kept.copies.length > 0) state.save(provenance)
      const report = await failures.finish()
      await provenance?.finish()
      await before.named(report)
      await sink.finish()
      return report
    },
    async end(error) {
      const isKept =
        resumption !== undefined && state.isThere() && (error instanceof Interrupted || isPassing(error))
      // what made us give up stands in the report
      if (isHlaError(error) && error.code === 'too-many-failures') await failures.finish()
      if (!isKept) await abandon()
      for (const one of [sink, failures, provenance]) one?.keep()
      return isKept && isHlaError(error) ? withAdvice(error, state.rows(), resumption) : error
    },
    forget: state.forget,
    stop: interrupts.stop,
  }
}

/** What is kept for another run. */
function runStateFile(run: Checkpointed) {
  const { kept, tally, resumption } = run
  const { earlier } = resumption ?? {}
  const at = { isThere: earlier !== undefined, rows: tally.rows, at: milliseconds() }
  let last: StatePlace | undefined = earlier && { ...earlier, distinct: () => earlier.distinct }
  const save = (provenance?: Sink) => {
    if (resumption === undefined || last === undefined) return
    const written = provenance?.mark() ?? earlier?.provenance
    writeState(kept.output, stateText(run, resumption.identity, last, written))
    Object.assign(at, { isThere: true, rows: tally.rows, at: milliseconds() })
  }
  return {
    isThere: () => at.isThere,
    rows: () => at.rows,
    forget: () => (resumption === undefined ? undefined : removeState(kept)),
    save,
    passed(place: StatePlace, asked: number | undefined) {
      if (resumption === undefined) return
      last = place
      if (asked === undefined && !isDue(at, tally.rows, resumption.pace)) return
      save()
      if (asked !== undefined) throw new Interrupted(interruption(tally.rows, resumption), asked)
    },
  }
}

interface StatePlace {
  readonly position: TablePosition
  readonly distinct: () => DistinctKeys
}

/** By the clock of the process: `performance` takes Node a dozen parts to load. */
function milliseconds(): number {
  return process.uptime() * 1000
}

function isDue(last: { rows: number; at: number }, rows: number, { rows: every, pause }: CheckpointPace) {
  return rows - last.rows >= every && milliseconds() - last.at >= pause
}

function stateText(
  { source, sink, failures, tally, bytesRead, started }: Checkpointed,
  identity: RunIdentity,
  { position, distinct }: StatePlace,
  provenance: SinkMark | undefined,
): string {
  return checkpointText({
    identity: { ...identity, input: readFurther(identity.input, source.identity(bytesRead())) },
    position,
    output: sink.mark(),
    report: failures.mark(),
    provenance,
    failures: failures.count(),
    tally,
    distinct: distinct(),
    started,
  })
}

function interruption(rows: number, { command }: Resumption): string {
  return `interrupted after ${rows.toLocaleString('en-US')} rows; resume with: ${command}`
}

/** No space, no permission, a device or a service that fails: the same run may succeed later. */
function isPassing(error: unknown): boolean {
  return (
    isSystemError(error) || (isHlaError(error) && (error.code === 'remote' || isSystemError(error.cause)))
  )
}

function withAdvice(error: HlaError, rows: number, { command }: Resumption): HlaError {
  const advice = `${rows.toLocaleString('en-US')} rows are kept; resume with: ${command}`
  const hint = error.hint === undefined ? advice : `${error.hint}\n${advice}`
  return new HlaError(error.code, error.message, { offending: error.offending, hint, cause: error.cause })
}
