/** A group of commands of a shared store: run on this server's copy, put into the log, and on disk here when it is there; or none of it.  [disk, network] */
import type { MessagePort } from 'node:worker_threads'
import type { Checkpoint } from '../database/connection.ts'
import { setPosition } from '../database/log-position.ts'
import { type StateDigest, sumText } from '../database/state-digest.ts'
import type { CommandRequest } from '../database/database.ts'
import { isDiskFull } from '../writer/not-writing.ts'
import type { CommandGroup } from '../writer/command-group.ts'
import { type FromWriter, sendAnswers, sentError } from '../writer/writer-messages.ts'
import { encodeEntry, type LoggedStatement } from './commit-entry.ts'
import { databaseAway, type Turn } from './commit-log.ts'
import { LONGEST_TURN } from './postgres.ts'
import type { Recorder } from './recorder.ts'
import { type Log, type Outcome, put, takeTurn } from './turns.ts'
import type { Before, Inbox } from './writer-inbox.ts'

/** Of the writer. */
export interface Writing extends Log {
  readonly recorder: Recorder
  readonly group: CommandGroup
  /** Of the copy with the group that is under way, where its entry has a sum. */
  next: StateDigest | undefined
  readonly checkpoint: Checkpoint
  readonly port: MessagePort
  before: Before
  /** A turn could not be had: perhaps because what others did takes longer to come than a turn lasts. */
  mustFollow: boolean
}

/** Commands of one group at most, and ms that it may take. */
const MOST_COMMANDS = 256
const LONGEST = 20
/** Of the time that the commit before took: to wait as long for more commands costs less than to commit them apart. */
const PATIENCE = 0.5

/** Of what waits: whoever asked is answered by its end. @throws what ends this server: what is in the log is not in its copy */
export async function runGroup(state: Writing, inbox: Inbox): Promise<void> {
  if (state.isContended) await inbox.assemble(state.before, state.number)
  const turn = state.isContended ? await takeTurn(state) : undefined
  if (turn instanceof Error) return refuseAll(state, inbox, turn)
  state.guard.checkAll()
  const began = performance.now()
  const asked = await gather(state, inbox, turn)
  const statements = finish(state)
  // what others did was followed in the turn, too
  const took = performance.now() - (turn?.since ?? began)
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
  state: Writing,
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
function finish({ port, group, recorder }: Writing): readonly LoggedStatement[] {
  // they are made ready on the other side while the log is written
  sendAnswers(port, group.answers())
  return group.isLost() ? [] : recorder.statements()
}

/** ms between entries with a sum: SQLite takes half a millisecond to tell what has changed, however little. */
const SUM_EVERY = 250

/** What the group has run goes to the log. */
async function written(
  state: Writing,
  turn: Turn | undefined,
  statements: readonly LoggedStatement[],
): Promise<Outcome> {
  // what others wrote before this transaction is in what the group has read
  state.guard.check()
  if (statements.length === 0) return put(state, turn, undefined)
  const isDue = performance.now() - state.summed > SUM_EVERY
  state.next = isDue ? state.tracker.digest(state.digest) : undefined
  const entry = encodeEntry(statements, state.next && sumText(state.next.rows))
  const putting = put(state, turn, entry)
  // told when it is awaited
  putting.catch(() => undefined)
  // the copy's position is noted while the entry is on its way
  await new Promise(setImmediate)
  setPosition(state.connection, state.number + 1, entry, state.next)
  return putting
}

/** Another server has changed the store before, or could have: the same on top of that. `took`: ms, the first time. */
async function runAgain(
  state: Writing,
  inbox: Inbox,
  asked: readonly CommandRequest[],
  took: number,
): Promise<void> {
  const { group, port } = state
  group.abandon(databaseAway(undefined))
  group.commit()
  state.guard.wrote()
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

function end(state: Writing, outcome: Exclude<Outcome, 'late'>): void {
  const { group, port } = state
  if (outcome instanceof Error) group.abandon(outcome)
  const lost = group.commit()
  state.guard.wrote()
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
    if (state.next !== undefined) {
      state.tracker.begin()
      Object.assign(state, { digest: state.next, summed: performance.now() })
    }
    state.author = state.log.server
    state.told(outcome, true)
  }
  tell(port, 'committed')
  if (lost !== undefined) {
    if (!isDiskFull(lost)) throw lost
    // its reserve is given up by now: the copy comes to the entry as to those of others
    group.changedElsewhere()
    state.mustFollow = true
  }
  state.checkpoint('between')
}

/** What waits is told at once; what comes next tries again. */
function refuseAll(state: Writing, inbox: Inbox, why: Error): void {
  const { port } = state
  state.mustFollow = true
  const error = sentError(why)
  tell(port, { answers: inbox.commands.splice(0).map(() => ({ error })) })
  tell(port, 'committed')
  tell(port, 'away')
}

export function tell(port: MessagePort, message: FromWriter): void {
  port.postMessage(message)
}
