/**
 * Commits a command group of a shared store: runs it on this server's copy, appends it to the log, then commits the
 * copy. Otherwise nothing remains.  [disk, network]
 */
import type { MessagePort } from 'node:worker_threads'
import type { Checkpoint } from '../database/connection.ts'
import { setPosition } from '../database/log-position.ts'
import { type StateDigest, sumText } from '../database/state-digest.ts'
import type { CommandRequest } from '../database/database.ts'
import { isDiskFull } from '../writer/not-writing.ts'
import type { CommandGroup } from '../writer/command-group.ts'
import { type FromWriter, sendAnswers, encodeError } from '../writer/writer-messages.ts'
import { encodeEntry, type LoggedStatement } from './commit-entry.ts'
import { databaseAway, type Turn } from './commit-log.ts'
import { MAX_TURN } from './postgres.ts'
import type { Recorder } from './recorder.ts'
import { type LogState, type AppendOutcome, appendEntry, takeTurn } from './turns.ts'
import type { GroupExpectation, Inbox } from './writer-inbox.ts'

export interface SharedWriterState extends LogState {
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

/** Maximum commands of a group, and maximum ms that it runs. */
const MAX_COMMANDS = 256
const LONGEST = 20
/** Share of the previous commit's duration. Waiting that long for more commands costs less than a commit of their own. */
const PATIENCE = 0.5

/**
 * Runs waiting commands as one group and answers each of them.
 * @throws errors that stop this server: the log has an entry that its copy lacks
 */
export async function runGroup(state: SharedWriterState, inbox: Inbox): Promise<void> {
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
  state.before = { size, patience: Math.min(LONGEST, PATIENCE * (performance.now() - since)) }
  return undefined
}

/**
 * Runs waiting commands, and waits for more until the group is complete. It is complete when it is as large as the
 * previous group and the commands that arrived during it, or when no more arrive. Otherwise two half-size groups would
 * alternate forever. With a turn there is no waiting, because it was done before the turn.
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
  // the main thread prepares the answers while the log is written
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

export function sendToCaller(port: MessagePort, message: FromWriter): void {
  port.postMessage(message)
}
