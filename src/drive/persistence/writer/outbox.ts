/**
 * Commands sent to the writer thread, and their answers. Answers are prepared while the group is written to disk, and
 * delivered once it is there.
 */
import type { CommandRequest } from '../database/database.ts'
import { notWriting } from './not-writing.ts'
import { type SentAnswer, type SentError, decodeError } from './writer-messages.ts'

interface PendingCommand {
  /** Converts the result. It runs before the change is on disk, so it must have no visible effect. */
  readonly prepare: (result: unknown) => unknown
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

export interface Answers {
  /** Adds commands, in the order sent. */
  readonly await: (sent: readonly PendingCommand[]) => void
  /** Takes the answers of the longest-waiting commands, which form the group being written. */
  readonly prepare: (answers: readonly SentAnswer[]) => void
  /** Discards prepared answers, because the group runs again. */
  readonly again: () => void
  /** Delivers the answers in order, or rejects all if the group is `lost`. */
  readonly settle: (lost?: SentError) => void
  /** Rejects all waiting commands, because the thread has ended. */
  readonly end: (error: Error) => void
  /** Number of commands without a final answer. */
  readonly open: () => number
}

export function pendingAnswers(): Answers {
  const waiting: PendingCommand[] = []
  let group: PendingCommand[] = []
  let prepared: Prepared[] = []
  const due: (() => void)[] = []
  const give = () => {
    for (const settle of due.splice(0, PIECE)) settle()
    // lets the sockets send these answers before the next ones are delivered
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
        due.push(lost === undefined ? settle : () => reject(decodeError(lost)))
      prepared = []
      if (!isGiving) give()
    },
    end(error) {
      // their group was already committed or lost
      for (const settle of due.splice(0)) settle()
      for (const { reject } of [...prepared.splice(0), ...waiting.splice(0)]) reject(notWriting(error))
    },
    open: () => waiting.length + prepared.length,
  }
}

/** Answers delivered at a time, so that new requests are read before a whole group is answered. */
const PIECE = 8

interface Prepared {
  readonly settle: () => void
  readonly reject: (error: Error) => void
}

function prepareAnswer(
  { prepare, resolve, reject }: PendingCommand,
  answer: SentAnswer | undefined,
): Prepared {
  if (answer === undefined) throw new Error('a command has no answer')
  if ('error' in answer) return { settle: () => reject(decodeError(answer.error)), reject }
  try {
    const result = prepare(answer.result)
    return { settle: () => resolve(result), reject }
  } catch (error) {
    // `prepare` is the caller's function, so the caller gets its error
    return { settle: () => reject(error as Error), reject }
  }
}

interface OutgoingAnswer extends PendingCommand {
  readonly asked: CommandRequest
}

interface Receiver {
  /** True if the thread waits for commands. */
  readonly isIdle: () => boolean
  readonly send: (asked: readonly CommandRequest[]) => void
}

/** Commands that `send` accepts are awaited in the same order. */
export function makeOutbox(answers: Answers, { isIdle, send }: Receiver): (leaving: OutgoingAnswer) => void {
  let out: OutgoingAnswer[] = []
  const leave = (group: readonly OutgoingAnswer[]) => {
    // an array made by `map` is cloned member by member with its index, which is slower
    send(Array.from(group, ({ asked }) => asked))
    answers.await(group)
  }
  const flush = () => {
    const group = out
    out = []
    try {
      if (group.length > 0) leave(group)
    } catch {
      // an input cannot be cloned; sent one by one, the others still arrive
      for (const one of group) attempt(() => leave([one]), one.reject)
    }
  }
  return (leaving) => {
    if (out.push(leaving) === 1) setImmediate(flush)
    if (isIdle() || out.length === MAX_TOGETHER) flush()
  }
}

/** Commands of one message. The thread runs them while the next requests are read. */
const MAX_TOGETHER = 8

function attempt(step: () => void, failed: (error: Error) => void): void {
  try {
    step()
  } catch (error) {
    failed(error instanceof Error ? error : new Error(String(error)))
  }
}

export interface Followers {
  /** Number of the entry that the copy has reached. */
  readonly reached: () => number
  /** Number that changes when entries of other servers were followed. It changes before `reached` shows them. */
  readonly follows: () => bigint
  readonly followed: (number: number) => Promise<void>
  /** Resolves waits for entries that the copy has reached. `why` rejects the others. */
  readonly settle: (why?: Error) => void
}

/** `position` holds the entry number of the copy and the number of times it followed the log; `ask(number)` requests that it follow up to that entry. */
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
        else one.reject(notWriting(why, 'The service cannot reach its database; try again.'))
      }
    },
  }
}
