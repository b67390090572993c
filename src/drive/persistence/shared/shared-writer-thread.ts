/**
 * The writer thread of a shared store. It follows the log. A group of commands runs on this server's copy, is appended
 * to the log, then committed in the copy; otherwise nothing of it remains.  [disk, network]
 */
import type { MessagePort } from 'node:worker_threads'
import { errorMessage, isHlaError } from '../../../errors.ts'
import { type Checkpoint, type Connection, checkpointer } from '../database/connection.ts'
import type { CommandRequest, Commands } from '../database/database.ts'
import { readProof, setPosition } from '../database/log-position.ts'
import { openServerCopy } from '../database/open-database.ts'
import { isDamage } from '../database/sqlite.ts'
import { type StateDigest, sumText, trackChanges } from '../database/state-digest.ts'
import { type DiskReserve, type FreesSpace, openRoom } from '../disk-reserve.ts'
import {
  type CommandGroup,
  commandGroup,
  expectNext,
  type GroupExpectation,
  LONGEST,
  MAX_COMMANDS,
} from '../writer/command-group.ts'
import { isDiskFull } from '../writer/not-writing.ts'
import {
  encodeError,
  sendAnswers,
  sendToCaller,
  type SharedData,
  type WriterData,
} from '../writer/writer-messages.ts'
import { encodeEntry, type LoggedStatement } from './commit-entry.ts'
import { databaseAway, openCommitLog, type Turn } from './commit-log.ts'
import { guardCopy } from './foreign-writes.ts'
import { MAX_TURN } from './postgres.ts'
import { type Recorder, statementRecorder } from './recorder.ts'
import { CopyDiffers, proveNow } from './server-copy.ts'
import { type AppendOutcome, appendEntry, catchUp, type LogState, readLogState, takeTurn } from './turns.ts'
import { type Inbox, makeInbox } from './writer-inbox.ts'

/** ms between looks at the log when there is no request. */
const OFTEN = 500

interface SharedWriterState extends LogState {
  readonly recorder: Recorder
  readonly group: CommandGroup
  /** Digest of the copy including the current group, if its entry has a sum. */
  next: StateDigest | undefined
  readonly checkpoint: Checkpoint
  readonly port: MessagePort
  before: GroupExpectation
  /** Set when no turn was available, perhaps because following other servers' entries takes longer than a turn. */
  mustFollow: boolean
}

interface Running {
  readonly commands: Commands
  readonly reserve: DiskReserve | undefined
  readonly frees: FreesSpace | undefined
}

export async function serveSharedWrites(
  running: Running,
  port: MessagePort,
  data: WriterData,
  shared: SharedData,
): Promise<void> {
  const state = await openWriting(running, port, data, shared)
  const inbox = makeInbox(port, new Int32Array(data.wakeUp))
  state.told(state.number, true)
  sendToCaller(port, 'ready')
  try {
    await serve(state, inbox)
    proveIdle(state)
    state.checkpoint('end')
    state.tracker.end()
    state.connection.close()
    sendToCaller(port, 'closed')
  } catch (error) {
    const broken = isDamage(error)
      ? new CopyDiffers(`the copy of the store is damaged (${errorMessage(error)})`)
      : error
    sendToCaller(port, { broken: encodeError(broken) })
  } finally {
    await state.log.close().catch(() => undefined)
    inbox.close()
  }
}

async function openWriting(
  { commands, reserve, frees }: Running,
  port: MessagePort,
  { path }: WriterData,
  { url, server, position }: SharedData,
): Promise<SharedWriterState> {
  const connection = await openServerCopy(path)
  const recorder = statementRecorder(connection)
  const room = openRoom(connection, reserve, frees)
  const group = commandGroup(recorder.connection, commands, room)
  const guard = guardCopy(connection, path)
  const checkpoint = checkpointer(connection, rowCounter(connection), {
    warn: (text) => sendToCaller(port, { warning: text }),
    isShort: room.isShort,
    guard: guard.during,
  })
  return {
    connection,
    recorder,
    group,
    guard,
    tracker: trackChanges(connection),
    checkpoint,
    port,
    ...(await readLogState(openCommitLog({ url, server }), connection)),
    next: undefined,
    summed: performance.now(),
    isContended: false,
    before: { size: 0, patience: 0 },
    mustFollow: false,
    followed(hasMoved) {
      if (hasMoved) group.changedElsewhere()
      sendToCaller(port, hasMoved ? 'followed' : 'unchanged')
    },
    away: () => sendToCaller(port, 'away'),
    exhausted: room.exhausted,
    told(number, isOwn) {
      const shown = new BigInt64Array(position)
      // counted before the new position becomes visible
      if (!isOwn) Atomics.add(shown, 1, 1n)
      Atomics.store(shown, 0, BigInt(number))
    },
  }
}

async function serve(state: SharedWriterState, inbox: Inbox): Promise<void> {
  for (;;) {
    const isAsked = inbox.commands.length > 0
    if (isAsked && !state.mustFollow) await runGroup(state, inbox)
    else if (!isAsked && inbox.isClosing()) return
    else if (state.mustFollow || inbox.wanted() > state.number) {
      state.mustFollow = false
      inbox.forgetWanted()
      checkCopy(state)
      await catchUp(state).catch((error: unknown) => followFailed(state, error))
      state.checkpoint('between')
    } else {
      if (await inbox.more(OFTEN)) continue
      proveIdle(state)
      state.checkpoint('idle')
      inbox.want(Infinity)
    }
  }
}

function checkCopy({ guard }: SharedWriterState): void {
  guard.check()
  guard.checkLog()
}

/** Records the digest when idle, because the server may end next. */
function proveIdle(state: SharedWriterState): void {
  const { connection, guard } = state
  if (readProof(connection) !== undefined) return
  checkCopy(state)
  Object.assign(state, proveNow(connection, state))
  guard.wrote()
}

/** A copy that cannot follow stops the server. An unreachable log or a full disk may recover, so they are only reported. */
function followFailed(state: SharedWriterState, error: unknown): void {
  if (error instanceof CopyDiffers || isHlaError(error)) throw error
  sendToCaller(state.port, 'away')
}

/** Counts rows written since the last call, by commands or from the log. */
function rowCounter({ get }: Connection): () => number {
  let before = 0
  return () => {
    const { rows } = get<{ rows: number }>('SELECT total_changes() AS rows') ?? { rows: 0 }
    const written = rows - before
    before = rows
    return written
  }
}

/**
 * Runs waiting commands as one group and answers each of them.
 * @throws errors that stop this server: the log has an entry that its copy lacks
 */
async function runGroup(state: SharedWriterState, inbox: Inbox): Promise<void> {
  if (state.isContended) await inbox.assemble(state.before, state.number)
  const turn = state.isContended ? await takeTurn(state) : undefined
  if (turn instanceof Error) return refuseAll(state, inbox, turn)
  state.guard.checkLog()
  const began = performance.now()
  const asked = await gather(state, inbox, turn)
  const statements = finishGroup(state)
  // includes time spent following other servers in the turn
  const took = performance.now() - (turn?.since ?? began)
  if (turn !== undefined && took > SAFE_IN_TURN) {
    await turn.giveBack()
    return runAgain(state, inbox, asked, took)
  }
  const since = performance.now()
  const outcome = await written(state, turn, statements)
  if (outcome === 'late') return runAgain(state, inbox, asked, took)
  endGroup(state, outcome)
  // commands that wait now, and those answered, whose clients may send more
  const size = asked.length + inbox.commands.length
  state.before = expectNext(size, since)
  return undefined
}

/**
 * Runs waiting commands, and waits for more until the group is complete. It is complete when it is as large as the
 * previous group and the commands that arrived during it, or when no more arrive. Otherwise two half-size groups would
 * alternate forever. With a turn it does not wait: that was done before the turn.
 */
async function gather(
  state: SharedWriterState,
  inbox: Inbox,
  turn: Turn | undefined,
): Promise<readonly CommandRequest[]> {
  const { group, before } = state
  const asked: CommandRequest[] = []
  const began = performance.now()
  let { patience } = before
  while (asked.length < MAX_COMMANDS && performance.now() - began < LONGEST) {
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

/** ms of work after which the turn may be lost to another server. */
const SAFE_IN_TURN = 0.8 * MAX_TURN

/** Runs the deferred statements of the group. @returns the statements for the log, none if the group is lost */
function finishGroup({ port, group, recorder }: SharedWriterState): readonly LoggedStatement[] {
  // the main thread receives the answers while the log is written
  sendAnswers(port, group.answers())
  return group.isLost() ? [] : recorder.statements()
}

/** ms between entries with a sum. SQLite takes half a millisecond to report even a small change. */
const SUM_EVERY = 250

/** Writes the statements of the group to the log. */
async function written(
  state: SharedWriterState,
  turn: Turn | undefined,
  statements: readonly LoggedStatement[],
): Promise<AppendOutcome> {
  // earlier writes by other programs would have affected the reads of the group
  state.guard.check()
  if (statements.length === 0) return appendEntry(state, turn, undefined)
  const isDue = performance.now() - state.summed > SUM_EVERY
  state.next = isDue ? state.tracker.digest(state.digest) : undefined
  const entry = encodeEntry(statements, state.next && sumText(state.next.rows))
  const putting = appendEntry(state, turn, entry)
  // rejections surface where `putting` is awaited
  putting.catch(() => undefined)
  // the copy's position is written while the entry is on its way
  await new Promise(setImmediate)
  setPosition(state.connection, state.number + 1, entry, state.next)
  return putting
}

/** Repeats the group on top of another server's commit that came first or could have. `took` is the duration of the first run in ms. */
async function runAgain(
  state: SharedWriterState,
  inbox: Inbox,
  asked: readonly CommandRequest[],
  took: number,
): Promise<void> {
  const { group, port } = state
  group.abandon(databaseAway(undefined))
  group.commit()
  state.guard.wrote()
  group.changedElsewhere()
  sendToCaller(port, 'again')
  // a change of many thousand files takes longer than the usual turn allows
  const turn = await takeTurn(state, took > MAX_TURN / 4 ? MAX_TURN + 4 * Math.ceil(took) : undefined)
  if (turn instanceof Error) {
    inbox.commands.unshift(...asked)
    return refuseAll(state, inbox, turn)
  }
  for (const one of asked) group.run(one)
  const outcome = await written(state, turn, finishGroup(state))
  if (outcome === 'late') throw new Error("another server has appended to the log during this server's turn")
  return endGroup(state, outcome)
}

function endGroup(state: SharedWriterState, outcome: Exclude<AppendOutcome, 'late'>): void {
  const { group, port } = state
  if (outcome instanceof Error) group.abandon(outcome)
  const lost = group.commit()
  state.guard.wrote()
  // cached reads contain changes that were not committed
  if (outcome instanceof Error) group.changedElsewhere()
  if (outcome instanceof Error || outcome === undefined) {
    state.told(state.number, true)
    sendToCaller(port, lost === undefined ? 'committed' : { lost: encodeError(lost) })
    const broken = group.broken()
    if (broken !== undefined) throw broken
    return
  }
  // the entry is in the log, whatever happened to this copy
  if (lost === undefined) {
    state.number = outcome
    if (state.next !== undefined) {
      state.tracker.begin()
      Object.assign(state, { digest: state.next, summed: performance.now() })
    }
    state.author = state.log.server
    state.told(outcome, true)
  }
  sendToCaller(port, 'committed')
  if (lost !== undefined) {
    if (!isDiskFull(lost)) throw lost
    // its reserve is released by now; the copy follows the entry like those of other servers
    group.changedElsewhere()
    state.mustFollow = true
  }
  state.checkpoint('between')
}

/** Refuses the waiting commands at once. Later commands try again. */
function refuseAll(state: SharedWriterState, inbox: Inbox, why: Error): void {
  const { port } = state
  state.mustFollow = true
  const error = encodeError(why)
  sendToCaller(port, { answers: inbox.commands.splice(0).map(() => ({ error })) })
  sendToCaller(port, 'committed')
  sendToCaller(port, 'away')
}
