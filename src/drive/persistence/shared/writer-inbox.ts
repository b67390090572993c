/** What the writer thread of a shared store is asked, as it comes: this thread has an event loop, which waits for the log as well.  [threads] */
import type { MessagePort } from 'node:worker_threads'
import type { CommandRequest } from '../writer/command.ts'
import type { ToWriter } from '../writer/writer-messages.ts'

export interface Inbox {
  readonly commands: CommandRequest[]
  readonly isClosing: () => boolean
  /** Whether somebody has asked for it since the last call. */
  readonly takeFollow: () => boolean
  /** Resolves with the next message, or after so many milliseconds, when the log is to be followed. */
  readonly more: (milliseconds: number) => Promise<void>
  readonly close: () => void
}

export function makeInbox(port: MessagePort, signal: Int32Array): Inbox {
  const commands: CommandRequest[] = []
  let [isClosing, mustFollow] = [false, true]
  let wake: () => void = () => undefined
  port.on('message', (message: ToWriter) => {
    if (message === 'close') isClosing = true
    else if (message === 'follow') mustFollow = true
    else commands.push(...message.asked)
    wake()
  })
  return {
    commands,
    isClosing: () => isClosing,
    takeFollow() {
      const taken = mustFollow
      mustFollow = false
      return taken
    },
    async more(milliseconds) {
      if (commands.length > 0 || isClosing || mustFollow) return
      // the other side sends at once while this one waits
      Atomics.store(signal, 1, 1)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => {
          mustFollow = true
          resolve()
        }, milliseconds)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      wake = () => undefined
      Atomics.store(signal, 1, 0)
    },
    close: () => port.close(),
  }
}
