/** The writer thread of a shared store. It follows the log and appends the groups of its commands.  [disk, network] */
import type { MessagePort } from 'node:worker_threads'
import { type Connection, checkpointer } from '../database/connection.ts'
import { errorMessage, isHlaError } from '../../../errors.ts'
import { openServerCopy } from '../database/open-database.ts'
import { readProof } from '../database/log-position.ts'
import { isDamage } from '../database/sqlite.ts'
import { trackChanges } from '../database/state-digest.ts'
import type { Commands } from '../database/database.ts'
import { commandGroup } from '../writer/command-group.ts'
import { type FreesSpace, openRoom } from '../writer/room.ts'
import type { DiskReserve } from '../disk-reserve.ts'
import { type SharedData, type WriterData, encodeError } from '../writer/writer-messages.ts'
import { openCommitLog } from './commit-log.ts'
import { guardCopy } from './foreign-writes.ts'
import { statementRecorder } from './recorder.ts'
import { CopyDiffers, proveNow } from './server-copy.ts'
import { type SharedWriterState, runGroup, sendToCaller } from './shared-group.ts'
import { readLogState, catchUp } from './turns.ts'
import { type Inbox, makeInbox } from './writer-inbox.ts'

/** ms between looks at the log when there is no request. */
const OFTEN = 500

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
  { path, commits }: WriterData,
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
      Atomics.add(new Int32Array(commits), 0, 1)
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
