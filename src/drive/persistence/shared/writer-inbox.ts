/** What the writer thread of a shared store is asked, as it comes: this thread has an event loop, which waits for the log as well.  [threads] */
import type { MessagePort } from 'node:worker_threads'
import type { CommandRequest } from '../database/database.ts'
import type { ToWriter } from '../writer/writer-messages.ts'

/** What the group before tells of the next one. */
export interface Before {
  /** Commands that are awaited for it. */
  readonly size: number
  /** ms for which they are waited for, all in all. */
  readonly patience: number
}

export interface Inbox {
  readonly commands: CommandRequest[]
  readonly isClosing: () => boolean
  /** Number of the entry to which somebody wants the log followed; 0: nobody does. */
  readonly wanted: () => number
  readonly want: (number: number) => void
  readonly forgetWanted: () => void
  /** Resolves with the next message, or with false after so many milliseconds. */
  readonly more: (milliseconds: number) => Promise<boolean>
  /** Resolves when the commands of a group are there, or do not come, or somebody wants the log followed beyond that number. */
  readonly assemble: (before: Before, number: number) => Promise<void>
  readonly close: () => void
}

export function makeInbox(port: MessagePort, signal: Int32Array): Inbox {
  const commands: CommandRequest[] = []
  let [isClosing, wanted] = [false, Infinity]
  let wake: (() => void) | undefined
  const want = (number: number) => (wanted = Math.max(wanted, number))
  port.on('message', (message: ToWriter) => {
    if (message === 'close') isClosing = true
    else if ('follow' in message) want(message.follow)
    else commands.push(...message.asked)
    wake?.()
  })
  const more = async (milliseconds: number) => {
    // the other side sends at once while this one waits
    Atomics.store(signal, 1, 1)
    const hasCome = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(resolve, milliseconds, false)
      wake = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })
    wake = undefined
    Atomics.store(signal, 1, 0)
    return hasCome
  }
  return {
    commands,
    isClosing: () => isClosing,
    wanted: () => wanted,
    want,
    forgetWanted: () => void (wanted = 0),
    more,
    async assemble({ size, patience }, number) {
      const until = performance.now() + patience
      for (;;) {
        const left = until - performance.now()
        // a timer of less is one of a millisecond
        if (commands.length >= size || left < 1 || wanted > number || isClosing) return
        await more(left)
      }
    },
    close: () => port.close(),
  }
}
