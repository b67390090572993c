/** Commands on their way to the writer thread: those of requests that arrived together travel together. */
import type { Answers, Waiting } from './answers.ts'
import type { CommandRequest } from './command.ts'

export interface OutgoingAnswer extends Waiting {
  readonly asked: CommandRequest
}

export interface Receiver {
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
