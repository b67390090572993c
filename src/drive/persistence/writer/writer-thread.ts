/** The writer thread: the one connection that writes, and the groups in which commands are committed.  [disk] */
import type { MessagePort } from 'node:worker_threads'
import { type Checkpoint, checkpointer } from '../database/connection.ts'
import type { Commands } from '../database/database.ts'
import { type CommandGroup, commandGroup } from './command-group.ts'
import { openForWriting } from '../database/open-database.ts'
import { diskReserve } from '../disk-reserve.ts'
import { type Frees, roomIn } from './room.ts'
import { type FromWriter, sendAnswers, sentError, type ToWriter, type WriterData } from './writer-messages.ts'

/** Does nothing in the main thread. Returns when it is told to close, or when nothing may be written any more. */
export async function serveWrites(commands: Commands, frees?: Frees): Promise<void> {
  const { parentPort, receiveMessageOnPort, workerData } = await import('node:worker_threads')
  if (parentPort === null) return
  // given by startWriter
  const data = workerData as WriterData
  if (data.task !== undefined) {
    const { serveCopyTask } = await import('../shared/copy-task.ts')
    return serveCopyTask(data.task, parentPort)
  }
  const { path, wakeUp, commits, shared } = data
  const reserve = data.reserve && diskReserve(data.reserve)
  if (shared !== undefined) {
    const { serveSharedWrites } = await import('../shared/shared-writer-thread.ts')
    return serveSharedWrites({ commands, reserve, frees }, parentPort, data, shared)
  }
  const connection = await openForWriting(path)
  const room = roomIn(connection, reserve, frees)
  const group = commandGroup(connection, commands, room)
  const checkpoint = checkpointer(connection, group.takeWritten, {
    warn: (text) => tell(parentPort, { warning: text }),
    isShort: room.isShort,
  })
  tell(parentPort, 'ready')
  const committed = new Int32Array(commits)
  const inbox = makeInbox(() => receiveMessageOnPort(parentPort)?.message, wakeUp)
  try {
    const commit = () => {
      const lost = group.commit()
      Atomics.add(committed, 0, 1)
      return lost
    }
    serve(inbox, { ...group, commit }, checkpoint, parentPort)
    checkpoint('end')
    connection.close()
    tell(parentPort, 'closed')
  } catch (error) {
    tell(parentPort, { broken: sentError(error) })
  }
}

/** A group is committed when so many commands have run in it, or it has taken so long (milliseconds). */
const MOST_COMMANDS = 256
const LONGEST = 20
/** Of the time that the commit before took: to wait as long for more commands costs less than to commit them apart. */
const PATIENCE = 0.5

function serve(inbox: Inbox, group: CommandGroup, checkpoint: Checkpoint, port: MessagePort): void {
  let before: Before = { size: 0, patience: 0 }
  for (;;) {
    const message = inbox.next(checkpoint('between') ?? Infinity)
    if (message === 'close') return
    if (message === undefined) {
      checkpoint('idle')
      continue
    }
    if ('follow' in message) continue
    const isClosing = gather(message, inbox, group, before)
    const size = group.size()
    // they are made ready on the other side while this thread waits for the disk
    sendAnswers(port, group.answers())
    const since = performance.now()
    const lost = group.commit()
    before = { size, patience: Math.min(LONGEST, PATIENCE * (performance.now() - since)) }
    tell(port, lost === undefined ? 'committed' : { lost: sentError(lost) })
    const broken = group.broken()
    if (broken !== undefined) throw broken
    if (isClosing) return
  }
}

interface Before {
  readonly size: number
  /** ms for which those who were answered with it are waited for, all in all. */
  readonly patience: number
}

/**
 * Runs the commands of a message and of those that follow before the group is complete: when there are as many as in the group
 * before, or they do not come. True when told to close.
 */
function gather(first: ToWriter, inbox: Inbox, group: CommandGroup, before: Before): boolean {
  const began = performance.now()
  let { patience } = before
  for (let message: ToWriter | undefined = first; message !== undefined;) {
    if (message === 'close') return true
    if ('follow' in message) throw new Error('there is no log to follow')
    for (const asked of message.asked) group.run(asked)
    if (group.size() >= MOST_COMMANDS || performance.now() - began > LONGEST) return false
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
  /** undefined: none came within so many milliseconds. */
  readonly next: (milliseconds: number) => ToWriter | undefined
}

/** Without an event loop: this thread waits for nothing but its messages and the disk. */
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

function tell(port: MessagePort, message: FromWriter): void {
  port.postMessage(message)
}
