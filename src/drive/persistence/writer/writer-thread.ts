/** The writer thread, with the only writing connection. It commits commands in groups.  [disk] */
import type { MessagePort } from 'node:worker_threads'
import { type Checkpoint, checkpointer } from '../database/connection.ts'
import type { Commands } from '../database/database.ts'
import {
  type CommandGroup,
  commandGroup,
  expectNext,
  type GroupExpectation,
  MAX_GROUP_MS,
  MAX_COMMANDS,
} from './command-group.ts'
import { openForWriting } from '../database/open-database.ts'
import { diskReserve, type FreesSpace, openRoom } from '../disk-reserve.ts'
import { encodeError, sendAnswers, sendToCaller, type ToWriter, type WriterData } from './writer-messages.ts'

/** Does nothing in the main thread. Returns after `close`, or after a failure of the disk. */
export async function serveWrites(commands: Commands, frees?: FreesSpace): Promise<void> {
  const { parentPort, receiveMessageOnPort, workerData } = await import('node:worker_threads')
  if (parentPort === null) return
  // data passed by `startWriter`
  const { path, wakeUp, reserve: data } = workerData as WriterData
  const reserve = data && diskReserve(data)
  const connection = await openForWriting(path)
  const room = openRoom(connection, reserve, frees)
  const group = commandGroup(connection, commands, room)
  const checkpoint = checkpointer(connection, group.takeWritten, {
    warn: (text) => sendToCaller(parentPort, { warning: text }),
    isShort: room.isShort,
  })
  sendToCaller(parentPort, 'ready')
  const inbox = makeInbox(() => receiveMessageOnPort(parentPort)?.message, wakeUp)
  try {
    serve(inbox, group, checkpoint, parentPort)
    checkpoint('end')
    connection.close()
  } catch (error) {
    sendToCaller(parentPort, { broken: encodeError(error) })
  }
}

function serve(inbox: Inbox, group: CommandGroup, checkpoint: Checkpoint, port: MessagePort): void {
  let before: GroupExpectation = { size: 0, patience: 0 }
  for (;;) {
    const message = inbox.next(checkpoint('between') ?? Infinity)
    if (message === 'close') return
    if (message === undefined) {
      checkpoint('idle')
      continue
    }
    const isClosing = gather(message, inbox, group, before)
    const size = group.size()
    const answers = group.answers()
    const since = performance.now()
    const lost = group.commit()
    before = expectNext(size, since)
    const given = lost === undefined ? answers : answers.map(() => ({ error: lost }))
    sendAnswers(port, given, group.hasRemovals())
    const broken = group.broken()
    if (broken !== undefined) throw broken
    if (isClosing) return
  }
}

/** Runs commands until the group is complete: it is as large as the previous one, or no more commands arrive. Returns true on `close`. */
function gather(first: ToWriter, inbox: Inbox, group: CommandGroup, before: GroupExpectation): boolean {
  const began = performance.now()
  let { patience } = before
  for (let message: ToWriter | undefined = first; message !== undefined;) {
    if (message === 'close') return true
    for (const asked of message.asked) group.run(asked)
    if (group.size() >= MAX_COMMANDS || performance.now() - began > MAX_GROUP_MS) return false
    message = inbox.next(0)
    if (message !== undefined || group.size() >= before.size) continue
    const since = performance.now()
    group.catchUp()
    message = inbox.next(patience)
    patience -= performance.now() - since
  }
  return false
}

interface Inbox {
  /** Returns undefined if no message came in time. */
  readonly next: (milliseconds: number) => ToWriter | undefined
}

/** Works without an event loop, because this thread waits only for messages and the disk. */
function makeInbox(receive: () => ToWriter | undefined, wakeUp: SharedArrayBuffer): Inbox {
  const signal = new Int32Array(wakeUp)
  return {
    next(milliseconds) {
      const until = performance.now() + milliseconds
      for (;;) {
        const seen = Atomics.load(signal, 0)
        const message = receive()
        if (message !== undefined) return message
        const left = until - performance.now()
        if (left <= 0) return undefined
        Atomics.store(signal, 1, 1)
        Atomics.wait(signal, 0, seen, left)
        Atomics.store(signal, 1, 0)
      }
    },
  }
}
