/** Commands on their way to the writer thread: those of requests that arrived together travel together. */
import type { Asked } from './command.ts'

export interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

export interface Leaving extends Waiting {
  readonly asked: Asked
}

/** Adds to `waiting` what `send` did not refuse, in the same order. */
export function outboxOf(
  waiting: Waiting[],
  send: (asked: readonly Asked[]) => void,
): (leaving: Leaving) => void {
  let out: Leaving[] = []
  const leave = (group: readonly Leaving[]) => {
    send(group.map(({ asked }) => asked))
    waiting.push(...group)
  }
  const flush = () => {
    const all = out
    out = []
    for (let at = 0; at < all.length; at += MOST_TOGETHER) {
      const group = all.slice(at, at + MOST_TOGETHER)
      try {
        leave(group)
      } catch {
        // an input that cannot travel; which one must be found, so that the others do
        for (const one of group) attempt(() => leave([one]), one.reject)
      }
    }
  }
  return (leaving) => {
    if (out.push(leaving) === 1) setImmediate(flush)
  }
}

/** A group ends with a message: so many commands share a commit at most, and a little more. */
const MOST_TOGETHER = 128

function attempt(step: () => void, failed: (error: Error) => void): void {
  try {
    step()
  } catch (error) {
    failed(error instanceof Error ? error : new Error(String(error)))
  }
}
