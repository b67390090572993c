/** The writer thread of a shared store: it follows the log, and appends to it what its commands do, a group in a turn.  [disk, network] */
import type { MessagePort } from 'node:worker_threads'
import { type Checkpoint, checkpointer } from '../database/checkpoint.ts'
import type { Connection } from '../database/connection.ts'
import { readPosition, setPosition } from '../database/log-position.ts'
import { openReplica } from '../database/open-database.ts'
import type { Commands } from '../writer/command.ts'
import { type CommandGroup, commandGroup } from '../writer/command-group.ts'
import {
  type FromWriter,
  sendAnswers,
  sentError,
  type SharedData,
  type WriterData,
} from '../writer/writer-messages.ts'
import { encodeEntry, type Recorder, recording } from './commit-entry.ts'
import { AppendUnknown, type CommitLog, databaseAway, openCommitLog, type Turn } from './commit-log.ts'
import { CopyDiffers, follow } from './replica.ts'
import { type Inbox, makeInbox } from './writer-inbox.ts'

/** Commands of one group at most, and ms that it may take. */
const MOST_COMMANDS = 256
const LONGEST = 20
/** ms after which the log is looked at, even if nobody asks. */
const OFTEN = 500

export async function serveSharedWrites(
  commands: Commands,
  port: MessagePort,
  { path, wakeUp, commits }: WriterData,
  { url, server, position }: SharedData,
): Promise<void> {
  const connection = await openReplica(path)
  const recorder = recording(connection)
  const group = commandGroup(recorder.connection, commands)
  const state: State = {
    connection,
    recorder,
    group,
    checkpoint: checkpointer(connection, group.takeWritten, (text) => port.postMessage({ warning: text })),
    log: openCommitLog({ url, server }),
    port,
    number: readPosition(connection)?.number ?? 0,
    told: (number) => {
      Atomics.add(new Int32Array(commits), 0, 1)
      Atomics.store(new BigInt64Array(position), 0, BigInt(number))
    },
  }
  const inbox = makeInbox(port, new Int32Array(wakeUp))
  state.told(state.number)
  tell(port, 'ready')
  try {
    await serve(state, inbox)
    state.checkpoint('end')
    connection.close()
    tell(port, 'closed')
  } catch (error) {
    tell(port, { broken: sentError(error) })
  } finally {
    await state.log.close().catch(() => undefined)
    inbox.close()
  }
}

interface State {
  readonly connection: Connection
  readonly recorder: Recorder
  readonly group: CommandGroup
  readonly checkpoint: Checkpoint
  readonly log: CommitLog
  readonly port: MessagePort
  /** Of the last entry that is in the copy. */
  number: number
  readonly told: (number: number) => void
}

async function serve(state: State, inbox: Inbox): Promise<void> {
  for (;;) {
    if (inbox.commands.length > 0) await runGroup(state, inbox)
    else if (inbox.isClosing()) return
    else if (inbox.takeFollow()) await catchUp(state).catch((error: unknown) => followFailed(state, error))
    else {
      state.checkpoint('idle')
      await inbox.more(OFTEN)
    }
  }
}

/** A copy that cannot follow is of no use; a log that cannot be reached may be there again soon. */
function followFailed(state: State, error: unknown): void {
  if (error instanceof CopyDiffers) throw error
  tell(state.port, 'away')
}

/** Up to the end of the log, as far as `last` is known. */
async function catchUp(state: State, last = Infinity): Promise<void> {
  const from = state.number
  while (state.number < last) {
    const entries = await state.log.after(state.number)
    if (entries.length === 0) break
    state.number = follow(state.connection, entries, state.number)
    state.group.changedElsewhere()
    state.told(state.number)
  }
  tell(state.port, state.number === from ? 'unchanged' : 'followed')
}

async function runGroup(state: State, inbox: Inbox): Promise<void> {
  const { group, port, recorder } = state
  const turn = await takeTurn(state)
  if (turn instanceof Error) return refuseAll(state, inbox, turn)
  const began = performance.now()
  for (let done = 0; done < MOST_COMMANDS && performance.now() - began < LONGEST; done++) {
    const next = inbox.commands.shift()
    if (next === undefined) break
    group.run(next)
  }
  // they are made ready on the other side while the log is written
  sendAnswers(port, group.answers())
  const statements = recorder.statements()
  const outcome =
    statements.length === 0 ? await turn.giveBack() : await append(state, turn, encodeEntry(statements))
  if (outcome instanceof Error) group.abandon(outcome)
  else if (outcome !== undefined) setPosition(state.connection, outcome)
  const lost = group.commit()
  // what was remembered of the database is of changes that are not there
  if (outcome instanceof Error) group.changedElsewhere()
  if (outcome instanceof Error || outcome === undefined) {
    state.told(state.number)
    return tell(port, lost === undefined ? 'committed' : { lost: sentError(lost) })
  }
  // it is in the log, whatever became of this copy
  if (lost === undefined) {
    state.number = outcome
    state.told(outcome)
  }
  tell(port, 'committed')
  if (lost !== undefined) throw lost
  state.checkpoint('between')
  return undefined
}

/** With all before it in the copy. */
async function takeTurn(state: State): Promise<Turn | Error> {
  let turn: Turn | undefined
  try {
    turn = await state.log.takeTurn()
    await catchUp(state, turn.last)
    if (state.number !== turn.last)
      throw new Error(`the log ends at ${turn.last}, this copy is at ${state.number}`)
    return turn
  } catch (error) {
    await turn?.giveBack()
    if (error instanceof CopyDiffers) throw error
    return databaseAway(error)
  }
}

/** Its number in the log; why it is not there. */
async function append(state: State, turn: Turn, bytes: Buffer): Promise<number | Error> {
  try {
    return await turn.append(bytes)
  } catch (error) {
    if (!(error instanceof AppendUnknown)) {
      await turn.giveBack()
      return databaseAway(error)
    }
    return settleUnknown(state, error, bytes)
  }
}

/** ms until what became of an entry is no longer asked for. */
const LONGEST_DOUBT = 60_000

/** Nobody is answered before it is known: the entry of that number is this one, or another, or there is none and never will be. */
async function settleUnknown(
  { log, port }: State,
  { number, cause }: AppendUnknown,
  bytes: Buffer,
): Promise<number | Error> {
  const until = performance.now() + LONGEST_DOUBT
  for (let pause = 50; performance.now() < until; pause = Math.min(2 * pause, 2000)) {
    try {
      // whoever has the turn now knows that the other transaction has ended
      const turn = await log.takeTurn()
      await turn.giveBack()
      const [found] = await log.after(number - 1)
      return found?.number === number && found.bytes.equals(bytes) ? number : databaseAway(cause)
    } catch {
      tell(port, 'away')
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  throw new Error('the log has been out of reach for too long to know what became of a commit', { cause })
}

/** What waits is told at once; what comes next tries again. */
function refuseAll({ port }: State, inbox: Inbox, why: Error): void {
  const error = sentError(why)
  tell(port, { answers: inbox.commands.splice(0).map(() => ({ error })) })
  tell(port, 'committed')
  tell(port, 'away')
}

function tell(port: MessagePort, message: FromWriter): void {
  port.postMessage(message)
}
