/** The time that a table is worked on, without that in which it waits for its bytes, its reader or other tables. */
import type { Answers } from '../cells/answers.ts'
import type { Limit } from './table-job.ts'

export interface WorkingTime {
  /** Looks at the clock before each cell. */
  readonly limited: (answers: Answers) => Answers
  /** Counts the time of this. @throws {HlaError} the refusal of the limit */
  readonly count: (work: () => void) => void
}

export function workingTime({ most, refusal }: Limit): WorkingTime {
  let [before, since] = [0, 0]
  return {
    limited: (answers) => ({
      ...answers,
      of(text, group) {
        if (before + performance.now() - since > most) throw refusal()
        return answers.of(text, group)
      },
    }),
    count(work) {
      since = performance.now()
      work()
      before += performance.now() - since
    },
  }
}
