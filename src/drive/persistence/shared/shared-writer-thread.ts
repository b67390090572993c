/** The writer thread of a shared store: it follows the log, and appends to it what its commands do, a group in a turn.  [disk, network] */
import type { MessagePort } from 'node:worker_threads'
import { type Checkpoint, checkpointer } from '../database/checkpoint.ts'
import { setPosition } from '../database/log-position.ts'
import { openReplica } from '../database/open-database.ts'
import type { Connection } from '../database/connection.ts'
import type { CommandRequest, Commands } from '../writer/command.ts'
import { type CommandGroup, commandGroup } from '../writer/command-group.ts'
import {
  type FromWriter,
  sendAnswers,
  sentError,
  type SharedData,
  type WriterData,
} from '../writer/writer-messages.ts'
import { encodeEntry, type LoggedStatement, type Recorder, recording } from './commit-entry.ts'
import { databaseAway, openCommitLog, type Turn } from './commit-log.ts'
import { LONGEST_TURN } from './postgres.ts'
import { CopyDiffers } from './replica.ts'
import { beginIn, catchUp, type Log, type Outcome, put, takeTurn } from './turns.ts'
import { type Before, type Inbox, makeInbox } from './writer-inbox.ts'

/** Commands of one group at most, and ms that it may take. */
const MOST_COMMANDS = 256
const LONGEST = 20
/** Of the time that the commit before took: to wait as long for more commands costs less than to commit them apart. */
const PATIENCE = 0.5
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
    checkpoint: checkpointer(connection, rowCounter(connection), (text) => tell(port, { warning: text })),
    port,
    ...(await beginIn(openCommitLog({ url, server }), connection)),
    isContended: false,
    before: { size: 0, patience: 0 },
    followed(hasMoved) {
      if (hasMoved) group.changedElsewhere()
      tell(port, hasMoved ? 'followed' : 'unchanged')
    },
    away: () => tell(port, 'away'),
    told(number, isOwn) {
      const shown = new BigInt64Array(position)
      Atomics.add(new Int32Array(commits), 0, 1)
      // before it is seen how far the copy has come
      if (!isOwn) Atomics.add(shown, 1, 1n)
      Atomics.store(shown, 0, BigInt(number))
    },
  }
  const inbox = makeInbox(port, new Int32Array(wakeUp))
  state.told(state.number, true)
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

interface State extends Log {
  readonly recorder: Recorder
  readonly group: CommandGroup
  readonly checkpoint: Checkpoint
  readonly port: MessagePort
  before: Before
}

async function serve(state: State, inbox: Inbox): Promise<void> {
  for (;;) {
    if (inbox.commands.length > 0) await runGroup(state, inbox)
    else if (inbox.isClosing()) return
    else if (inbox.wanted() > state.number) {
      inbox.forgetWanted()
      await catchUp(state).catch((error: unknown) => followFailed(state, error))
      state.checkpoint('between')
    } else {
      if (await inbox.more(OFTEN)) continue
      state.checkpoint('idle')
      inbox.want(Infinity)
    }
  }
}

/** A copy that cannot follow is of no use; a log that cannot be reached may be there again soon. */
function followFailed(state: State, error: unknown): void {
  if (error instanceof CopyDiffers) throw error
  tell(state.port, 'away')
}

async function runGroup(state: State, inbox: Inbox): Promise<void> {
  if (state.isContended) await inbox.assemble(state.before, state.number)
  const turn = state.isContended ? await takeTurn(state) : undefined
  if (turn instanceof Error) return refuseAll(state, inbox, turn)
  const began = performance.now()
  const asked = await gather(state, inbox, turn)
  const statements = finish(state)
  const took = performance.now() - began
  if (turn !== undefined && took > SAFE_IN_TURN) {
    await turn.giveBack()
    return runAgain(state, inbox, asked, took)
  }
  const since = performance.now()
  const outcome = await written(state, turn, statements)
  if (outcome === 'late') return runAgain(state, inbox, asked, took)
  end(state, outcome)
  // those who wait now, and those who were answered and may ask again
  const size = asked.length + inbox.commands.length
  state.before = { size, patience: Math.min(LONGEST, PATIENCE * (performance.now() - since)) }
  return undefined
}

/**
 * Runs what waits, and what comes before the group is complete: when there are as many as were in the group before and came during it,
 * or they do not come. Else two groups would take turns for good, each of half of those who ask.
 * Whoever has a turn keeps nobody waiting: then they have been waited for before.
 */
async function gather(
  state: State,
  inbox: Inbox,
  turn: Turn | undefined,
): Promise<readonly CommandRequest[]> {
  const { group, before } = state
  const asked: CommandRequest[] = []
  const began = performance.now()
  let { patience } = before
  while (asked.length < MOST_COMMANDS && performance.now() - began < LONGEST) {
    const next = inbox.commands.shift()
    if (next !== undefined) {
      asked.push(next)
      group.run(next)
      continue
    }
    if (turn !== undefined || asked.length >= before.size || patience < 1) break
    const since = performance.now()
    group.catchUp()
    await inbox.more(patience)
    patience -= performance.now() - since
    if (inbox.isClosing() || inbox.wanted() > state.number) patience = 0
  }
  return asked
}

/** ms of work after which a turn may be another's. */
const SAFE_IN_TURN = 0.8 * LONGEST_TURN

/** What the group has left for the end is done. @returns what goes to the log: nothing of a group that is lost */
function finish({ port, group, recorder }: State): readonly LoggedStatement[] {
  // they are made ready on the other side while the log is written
  sendAnswers(port, group.answers())
  return group.isLost() ? [] : recorder.statements()
}

/** What the group has run goes to the log. */
async function written(
  state: State,
  turn: Turn | undefined,
  statements: readonly LoggedStatement[],
): Promise<Outcome> {
  const entry = statements.length === 0 ? undefined : encodeEntry(statements)
  if (entry === undefined) return put(state, turn, entry)
  const putting = put(state, turn, entry)
  // told when it is awaited
  putting.catch(() => undefined)
  // the copy's position is noted while the entry is on its way
  await new Promise(setImmediate)
  setPosition(state.connection, state.number + 1, entry)
  return putting
}

/** Another server has changed the store before, or could have: the same on top of that. `took`: ms, the first time. */
async function runAgain(
  state: State,
  inbox: Inbox,
  asked: readonly CommandRequest[],
  took: number,
): Promise<void> {
  const { group, port } = state
  group.abandon(databaseAway(undefined))
  group.commit()
  group.changedElsewhere()
  tell(port, 'again')
  // a change of many thousand files takes longer than a server that stands still may keep others waiting
  const turn = await takeTurn(state, took > LONGEST_TURN / 4 ? LONGEST_TURN + 4 * Math.ceil(took) : undefined)
  if (turn instanceof Error) {
    inbox.commands.unshift(...asked)
    return refuseAll(state, inbox, turn)
  }
  for (const one of asked) group.run(one)
  const outcome = await written(state, turn, finish(state))
  if (outcome === 'late') throw new Error('another server has appended to the log in the turn of this one')
  return end(state, outcome)
}

function end(state: State, outcome: Exclude<Outcome, 'late'>): void {
  const { group, port } = state
  if (outcome instanceof Error) group.abandon(outcome)
  const lost = group.commit()
  // what was remembered of the database is of changes that are not there
  if (outcome instanceof Error) group.changedElsewhere()
  if (outcome instanceof Error || outcome === undefined) {
    state.told(state.number, true)
    tell(port, lost === undefined ? 'committed' : { lost: sentError(lost) })
    const broken = group.broken()
    if (broken !== undefined) throw broken
    return
  }
  // it is in the log, whatever became of this copy
  if (lost === undefined) {
    state.number = outcome
    state.author = state.log.server
    state.told(outcome, true)
  }
  tell(port, 'committed')
  if (lost !== undefined) throw lost
  state.checkpoint('between')
}

/** What waits is told at once; what comes next tries again. */
function refuseAll({ port }: State, inbox: Inbox, why: Error): void {
  const error = sentError(why)
  tell(port, { answers: inbox.commands.splice(0).map(() => ({ error })) })
  tell(port, 'committed')
  tell(port, 'away')
}

/** Rows that were written since the last call, whether by commands or from the log. */
function rowCounter({ get }: Connection): () => number {
  let before = 0
  return () => {
    const { rows } = get<{ rows: number }>('SELECT total_changes() AS rows') ?? { rows: 0 }
    const written = rows - before
    before = rows
    return written
  }
}

function tell(port: MessagePort, message: FromWriter): void {
  port.postMessage(message)
}
