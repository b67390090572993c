/** Commands on their way to the writer thread, and their answers: made ready while the group is written to disk, given when it is there. */
import type { CommandRequest } from '../database/database.ts'
import { notWriting } from './not-writing.ts'
import { type SentAnswer, type SentError, revivedError } from './writer-messages.ts'

/** A command whose answer is to come. */
interface Waiting {
  /** What the answer is to be, made of the result before that is on disk: it must tell nobody. */
  readonly prepare: (result: unknown) => unknown
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

export interface Answers {
  /** In the order sent. */
  readonly await: (sent: readonly Waiting[]) => void
  /** Of the commands that have waited longest: they form a group, which is being written. */
  readonly prepare: (answers: readonly SentAnswer[]) => void
  /** That group is run once more: what was made ready is forgotten. */
  readonly again: () => void
  /** That group is on disk, or `lost`. Answers are given in the order asked. */
  readonly settle: (lost?: SentError) => void
  /** Nothing more will come: who waits is told why. */
  readonly end: (error: Error) => void
  /** How many commands the thread has not done with. */
  readonly open: () => number
}

export function pendingAnswers(): Answers {
  const waiting: Waiting[] = []
  let group: Waiting[] = []
  let prepared: Prepared[] = []
  const due: (() => void)[] = []
  const give = () => {
    for (const settle of due.splice(0, PIECE)) settle()
    // what was given leaves in the next turn, before the next are given
    if (due.length > 0) setImmediate(setImmediate, give)
  }
  return {
    await: (sent) => void waiting.push(...sent),
    prepare(answers) {
      group = waiting.splice(0, answers.length)
      prepared = group.map((one, at) => prepareAnswer(one, answers[at]))
    },
    again() {
      waiting.unshift(...group.splice(0))
      prepared = []
    },
    settle(lost) {
      const isGiving = due.length > 0
      for (const { settle, reject } of prepared)
        due.push(lost === undefined ? settle : () => reject(revivedError(lost)))
      prepared = []
      if (!isGiving) give()
    },
    end(error) {
      // what became of those is known
      for (const settle of due.splice(0)) settle()
      for (const { reject } of [...prepared.splice(0), ...waiting.splice(0)]) reject(notWriting(error))
    },
    open: () => waiting.length + prepared.length,
  }
}

/** Answers given at a time: the next requests are read before all of a group have been answered. */
const PIECE = 8

interface Prepared {
  readonly settle: () => void
  readonly reject: (error: Error) => void
}

function prepareAnswer({ prepare, resolve, reject }: Waiting, answer: SentAnswer | undefined): Prepared {
  if (answer === undefined) throw new Error('a command has no answer')
  if ('error' in answer) return { settle: () => reject(revivedError(answer.error)), reject }
  try {
    const result = prepare(answer.result)
    return { settle: () => resolve(result), reject }
  } catch (error) {
    // whoever asked made the function
    return { settle: () => reject(error as Error), reject }
  }
}

interface OutgoingAnswer extends Waiting {
  readonly asked: CommandRequest
}

interface Receiver {
  /** It waits for commands. */
  readonly isIdle: () => boolean
  readonly send: (asked: readonly CommandRequest[]) => void
}

/** What `send` did not refuse is awaited, in the same order. */
export function makeOutbox(answers: Answers, { isIdle, send }: Receiver): (leaving: OutgoingAnswer) => void {
  let out: OutgoingAnswer[] = []
  const leave = (group: readonly OutgoingAnswer[]) => {
    // an array that is made by map travels member by member, each with its index
    send(Array.from(group, ({ asked }) => asked))
    answers.await(group)
  }
  const flush = () => {
    const group = out
    out = []
    try {
      if (group.length > 0) leave(group)
    } catch {
      // an input that cannot travel; which one must be found, so that the others do
      for (const one of group) attempt(() => leave([one]), one.reject)
    }
  }
  return (leaving) => {
    if (out.push(leaving) === 1) setImmediate(flush)
    if (isIdle() || out.length === MOST_TOGETHER) flush()
  }
}

/** Commands of one message: the thread begins with them while the next requests are read. */
const MOST_TOGETHER = 8

function attempt(step: () => void, failed: (error: Error) => void): void {
  try {
    step()
  } catch (error) {
    failed(error instanceof Error ? error : new Error(String(error)))
  }
}

export interface Followers {
  /** Number of the entry that the copy has come to. */
  readonly reached: () => number
  /** Another number when it has followed what others did. It is told here before it can be seen by `reached`. */
  readonly follows: () => bigint
  readonly followed: (number: number) => Promise<void>
  /** The copy may have come further; `why`: it does not. */
  readonly settle: (why?: Error) => void
}

/** `position`: number of the entry that it has come to, and how often it has followed others; `ask`: has it go on. */
export function followers(position: BigInt64Array, ask: (number: number) => void): Followers {
  let waiting: {
    readonly number: number
    readonly resolve: () => void
    readonly reject: (why: Error) => void
  }[] = []
  const reached = () => Number(Atomics.load(position, 0))
  return {
    reached,
    follows: () => Atomics.load(position, 1),
    followed(number) {
      if (reached() >= number) return Promise.resolve()
      return new Promise((resolve, reject) => {
        waiting.push({ number, resolve, reject })
        ask(number)
      })
    },
    settle(why) {
      if (waiting.length === 0) return
      const number = reached()
      const due = waiting.filter((one) => why !== undefined || one.number <= number)
      waiting = waiting.filter((one) => !due.includes(one))
      for (const one of due) {
        if (one.number <= number || why === undefined) one.resolve()
        else one.reject(notWriting(why, 'The database of the service is out of reach.'))
      }
    },
  }
}
