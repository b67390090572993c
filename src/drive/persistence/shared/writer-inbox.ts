/**
 * Incoming messages of the writer thread of a shared store. Unlike the plain writer it has an event loop, because it
 * waits for the log too.  [threads]
 */
import type { MessagePort } from 'node:worker_threads'
import type { CommandRequest } from '../database/database.ts'
import type { GroupExpectation } from '../writer/command-group.ts'
import type { ToWriter } from '../writer/writer-messages.ts'

export interface Inbox {
  readonly commands: CommandRequest[]
  readonly isClosing: () => boolean
  /** Number of the entry up to which the log is to be followed, or 0. */
  readonly wanted: () => number
  readonly want: (number: number) => void
  readonly forgetWanted: () => void
  /** Resolves to true with the next message, or to false after the timeout. */
  readonly more: (milliseconds: number) => Promise<boolean>
  /** Resolves when the commands of a group have arrived or the wait is over, or when the log must be followed beyond `number`. */
  readonly assemble: (before: GroupExpectation, number: number) => Promise<void>
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
    // makes the other side send at once while this one waits
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
        // shorter timers last a millisecond
        if (commands.length >= size || left < 1 || wanted > number || isClosing) return
        await more(left)
      }
    },
    close: () => port.close(),
  }
}
