/** Sends commands to a writer: the writer thread, or the calling thread for tests and administration.  [disk] */
import type { Worker } from 'node:worker_threads'
import { threadOptions } from '../../../package-root.ts'
import { type Connection, checkpointer } from '../database/connection.ts'
import type { CommandRequest, Commands } from '../database/database.ts'
import { commandGroup } from './command-group.ts'
import { type DiskReserve, type ReserveData, type FreesSpace, openRoom } from '../disk-reserve.ts'
import { notWriting } from './not-writing.ts'
import {
  type FromWriter,
  type ToWriter,
  type WriterData,
  decodeError,
  type SentAnswer,
} from './writer-messages.ts'

export interface Writer {
  /** Resolves when the change is on disk. Rejects with a StorageFailure, or with another error after a programming error. */
  readonly write: (asked: CommandRequest) => Promise<unknown>
  /** Waits for pending answers and runs `rest` before the database is closed. */
  readonly close: (rest: () => void) => Promise<void>
}

/** A script that calls `serveWrites`. */
export interface WriterEntry {
  readonly file: string
  readonly argv?: readonly string[]
  /** `file` is the source text of a program. */
  readonly eval?: boolean
}

export interface WriterEvents {
  /** The disk failed. Nothing more is written and the process should end. */
  readonly onBroken: (error: Error) => void
  readonly onWarning: (text: string) => void
  /** Called before the answers of a group that left contents to remove. */
  readonly onRemovals?: () => void
}

export async function startWriter(
  entry: WriterEntry,
  path: string,
  events: WriterEvents,
  reserve?: ReserveData,
): Promise<Writer> {
  const { Worker } = await import('node:worker_threads')
  const wakeUp = new SharedArrayBuffer(8)
  const signal = new Int32Array(wakeUp)
  const workerData: WriterData = { path, wakeUp, reserve }
  const worker = new Worker(entry.file, { ...threadOptions(entry), workerData })
  const answers = pendingAnswers()
  const state: WriterState = { broken: undefined, isClosing: false }
  const send = makeSender(worker, signal)
  const outbox = makeOutbox(answers, {
    isIdle: () => Atomics.load(signal, 1) === 1,
    send(asked) {
      if (state.broken !== undefined) throw notWriting(state.broken)
      send({ asked })
    },
  })
  await listen(worker, answers, state, events)
  let last: Promise<unknown> = Promise.resolve()
  return {
    write(asked) {
      if (state.broken !== undefined || state.isClosing) return Promise.reject<unknown>(notWriting())
      const answer = new Promise<unknown>((resolve, reject) => outbox({ asked, resolve, reject }))
      last = answer
      return answer
    },
    async close(rest) {
      state.isClosing = true
      // answers come in order, so the last one suffices
      await Promise.allSettled([last])
      rest()
      if (state.broken !== undefined) return
      const ended = new Promise((resolve) => worker.once('exit', resolve))
      send('close')
      await ended
    },
  }
}

interface WriterState {
  broken: Error | undefined
  isClosing: boolean
}

type Send = (message: ToWriter) => void

function makeSender(worker: Worker, wakeUp: Int32Array): Send {
  return (message) => {
    worker.postMessage(message, [])
    Atomics.add(wakeUp, 0, 1)
    Atomics.notify(wakeUp, 0)
  }
}

/** Resolves when the thread is ready to write. */
function listen(worker: Worker, answers: Answers, state: WriterState, events: WriterEvents): Promise<void> {
  return new Promise((resolve, reject) => {
    let isReady = false
    const fail = (error: Error) => {
      if (state.broken !== undefined) return
      state.broken = error
      answers.end(error)
      if (isReady) events.onBroken(error)
      else reject(error)
    }
    worker.on('message', (message: FromWriter) => {
      if (message === 'ready') {
        isReady = true
        resolve()
      } else if ('answers' in message) {
        if (message.hasRemovals) events.onRemovals?.()
        answers.give(message.answers)
      } else if ('warning' in message) events.onWarning(message.warning)
      else fail(decodeError(message.broken))
    })
    worker.on('error', fail)
    worker.on('exit', () => {
      if (!state.isClosing || answers.open() > 0) fail(new Error('the writer thread ended'))
    })
  })
}

interface InlineOptions extends WriterEvents {
  readonly reserve: DiskReserve | undefined
  readonly frees?: FreesSpace | undefined
}

/** Runs in the calling thread. Every command is a group of its own. */
export function inlineWriter(connection: Connection, commands: Commands, given: InlineOptions): Writer {
  const room = openRoom(connection, given.reserve, given.frees)
  const group = commandGroup(connection, commands, room)
  const checkpoint = checkpointer(connection, group.takeWritten, {
    warn: given.onWarning,
    isShort: room.isShort,
  })
  return {
    write: (asked) =>
      new Promise((resolve, reject) => {
        group.run(asked)
        const [answer] = group.answers()
        const lost = group.commit()
        checkpoint('between')
        if (group.hasRemovals()) given.onRemovals?.()
        if (lost !== undefined) reject(lost)
        else if (answer === undefined || 'error' in answer) reject(answer?.error)
        else resolve(answer.result)
      }),
    close(rest) {
      rest()
      checkpoint('end')
      connection.close()
      return Promise.resolve()
    },
  }
}

interface PendingCommand {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

export interface Answers {
  /** Adds commands, in the order sent. */
  readonly await: (sent: readonly PendingCommand[]) => void
  /** Gives the answers to the longest-waiting commands. */
  readonly give: (answers: readonly SentAnswer[]) => void
  /** Rejects all waiting commands, because the thread has ended. */
  readonly end: (error: Error) => void
  /** Number of commands without a final answer. */
  readonly open: () => number
}

export function pendingAnswers(): Answers {
  const waiting: PendingCommand[] = []
  const due: (() => void)[] = []
  const giveSome = () => {
    for (const settle of due.splice(0, ANSWERS_AT_ONCE)) settle()
    // lets the sockets send these answers before the next ones are delivered
    if (due.length > 0) setImmediate(setImmediate, giveSome)
  }
  return {
    await: (sent) => void waiting.push(...sent),
    give(answers) {
      const isGiving = due.length > 0
      for (const [at, asked] of waiting.splice(0, answers.length).entries())
        due.push(() => settleCommand(asked, answers[at]))
      if (!isGiving) giveSome()
    },
    end(error) {
      // their group was already committed or lost
      for (const settle of due.splice(0)) settle()
      for (const { reject } of waiting.splice(0)) reject(notWriting(error))
    },
    open: () => waiting.length,
  }
}

/** Answers delivered at a time, so that new requests are read before a whole group is answered. */
const ANSWERS_AT_ONCE = 8

function settleCommand({ resolve, reject }: PendingCommand, answer: SentAnswer | undefined): void {
  if (answer === undefined) reject(new Error('a command has no answer'))
  else if ('error' in answer) reject(decodeError(answer.error))
  else resolve(answer.result)
}

interface OutgoingAnswer extends PendingCommand {
  readonly asked: CommandRequest
}

interface Receiver {
  /** True if the thread waits for commands. */
  readonly isIdle: () => boolean
  readonly send: (asked: readonly CommandRequest[]) => void
}

/**
 * Commands sent to the writer thread. Their answers are delivered once the group is on disk. Commands that `send` accepts are awaited in the same order.
 */
function makeOutbox(answers: Answers, { isIdle, send }: Receiver): (leaving: OutgoingAnswer) => void {
  let out: OutgoingAnswer[] = []
  const flush = () => {
    const group = out
    out = []
    if (group.length === 0) return
    try {
      // an array made by `map` is cloned member by member with its index, which is slower
      send(Array.from(group, ({ asked }) => asked))
      answers.await(group)
    } catch (error) {
      for (const { reject } of group) reject(error instanceof Error ? error : new Error(String(error)))
    }
  }
  return (leaving) => {
    if (out.push(leaving) === 1) setImmediate(flush)
    if (isIdle() || out.length === MESSAGE_COMMANDS) flush()
  }
}

/** Commands of one message. The thread runs them while the next requests are read. */
const MESSAGE_COMMANDS = 8
