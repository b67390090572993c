/** The time that a table is worked on, in turns: without that in which it waits for its bytes, its reader, or a processor.  [disk] */
import { readFileSync } from 'node:fs'
import type { Executor } from '../../operations/executor.ts'
import type { Turn } from '../fast/put-row.ts'
import type { TableLimits } from './table-job.ts'

export interface WorkingTime extends Turn {
  /** Looks at the clock before each question. */
  readonly limited: (executor: Executor) => Executor
  /** One turn, whose time is counted. @throws {HlaError} the refusal of the limit, between turns or when the clock is looked at */
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

function lookingExecutor(executor: Executor, look: () => void): Executor {
  const { execute, codes, withoutAdvice } = executor
  return {
    ...executor,
    execute(operation, input) {
      look()
      return execute(operation, input)
    },
    codes(operation, input) {
      const known = codes?.(operation, input)
      if (known === undefined) return undefined
      return (family, code) => {
        look()
        return known(family, code)
      }
    },
    ...(withoutAdvice === undefined ? {} : { withoutAdvice: lookingExecutor(withoutAdvice, look) }),
  }
}

/** ms without those in which this thread was ready and the machine ran something else; Linux says so, elsewhere they count. */
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
