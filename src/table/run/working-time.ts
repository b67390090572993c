/** Working time of a table, in turns; waiting for bytes, the reader or a processor does not count.  [disk] */
import { readFileSync } from 'node:fs'
import type { Executor } from '../../operations/executor.ts'
import type { TimeSlice } from '../rows/row-converter.ts'
import type { Limit, TableLimits } from './table-job.ts'

export interface WorkingTime extends TimeSlice {
  /** Checks the clock before each question. */
  readonly limited: (executor: Executor) => Executor
  /**
   * Runs one turn and counts its time.
   * @throws {HlaError} the limit's refusal, between turns or when the clock is checked
   */
  readonly inTurn: <T>(work: () => T) => T
}

export function workingTime({ time, turn }: Pick<TableLimits, 'time' | 'turn'>): WorkingTime {
  const most = time.most === 0 ? Infinity : time.most
  let [before, since, taken] = [0, 0, 0]
  const working: WorkingTime = {
    isOver: false,
    look() {
      const past = performance.now() - since
      if (before + past > most && before + threadTime() - taken > most) throw time.refusal()
      working.isOver = past >= turn
    },
    limited: (executor) => lookingExecutor(executor, working.look),
    inTurn(work) {
      if (before > most) throw time.refusal()
      working.isOver = false
      since = performance.now()
      taken = threadTime()
      try {
        return work()
      } finally {
        before += threadTime() - taken
      }
    },
  }
  return working
}

/** Function for work that checks it now and then. It throws when more processor time than the limit has passed. */
export function processorLimit({ most, refusal }: Limit): () => void {
  const [since, before] = [performance.now(), threadTime()]
  return () => {
    if (performance.now() - since > most && threadTime() - before > most) throw refusal()
  }
}

function lookingExecutor(executor: Executor, look: () => void): Executor {
  const { execute, withoutAdvice } = executor
  return {
    ...executor,
    execute(operation, input) {
      look()
      return execute(operation, input)
    },
    ...(withoutAdvice === undefined ? {} : { withoutAdvice: lookingExecutor(withoutAdvice, look) }),
  }
}

/** Milliseconds, without those in which this thread was ready but the machine ran others; only Linux reports these. */
function threadTime(): number {
  return performance.now() - waitedForProcessor()
}

function waitedForProcessor(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}
