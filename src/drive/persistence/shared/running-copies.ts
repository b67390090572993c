/** Check of the copies of all running servers. The check asks through PostgreSQL; each server reads its rows and answers.  [network] */
import type { Client, Notification } from 'pg'
import { randomUUID } from 'node:crypto'
import { errorMessage } from '../../../errors.ts'
import type { CheckedCopy } from './copy-task.ts'
import { DATABASE_LOCKS } from './postgres.ts'

/** Notification channels of PostgreSQL. */
const [QUESTION, ANSWER] = ['hla_check', 'hla_checked']

export interface CopyAnswer extends Partial<CheckedCopy> {
  /** Folder of its copy. */
  readonly folder: string
  /** Reason for which the copy could not be read. */
  readonly failed?: string
}

export interface RunningCopy {
  /** Folder of the server. Without an answer, its process in PostgreSQL. */
  readonly server: string
  /** Undefined if no answer came in time. */
  readonly answer: CopyAnswer | undefined
}

/** `check` reads the rows. `told` receives the result after it was sent. */
export interface CopyChecker {
  readonly folder: string
  readonly check: () => Promise<CheckedCopy | undefined>
  readonly told: (checked: CheckedCopy | undefined) => void
}

/** Answers checks on the connection that registers the server as running. */
export async function answerChecks(client: Client, { folder, check, told }: CopyChecker): Promise<void> {
  client.on('notification', ({ channel, payload }: Notification) => {
    if (channel !== QUESTION) return
    const answer = async () => {
      const checked = await check().catch((error: unknown) => ({ failed: errorMessage(error) }))
      const text = JSON.stringify({ round: payload, folder: folder.slice(0, MAX_CHARACTERS), ...checked })
      await client.query(ANSWERING, [text])
      if (checked !== undefined && 'sum' in checked) told(checked)
    }
    // the asking process notices the missing answer
    answer().catch(() => undefined)
  })
  await client.query(`LISTEN ${QUESTION}`)
}

/** PostgreSQL notifications carry at most 8000 bytes. */
const MAX_CHARACTERS = 1000
const ANSWERING = `SELECT pg_notify('${ANSWER}', ($1::jsonb || jsonb_build_object('process', pg_backend_pid()))::text)`

/** ms. Reading a million files takes half a minute. */
const PATIENCE = 120_000
/** ms between queries for running servers. */
const OFTEN = 500

/** Asks all servers that run, also those that come while others answer. Returns them in the order of their folders. */
export async function askServers(client: Client, patience = PATIENCE): Promise<readonly RunningCopy[]> {
  const round = randomUUID()
  const answers = new Map<number, CopyAnswer>()
  const hear = ({ channel, payload }: Notification) => {
    if (channel !== ANSWER || payload === undefined) return
    // JSON made by `answerChecks`
    const answer = JSON.parse(payload) as CopyAnswer & { readonly round: string; readonly process: number }
    if (answer.round === round) answers.set(answer.process, answer)
  }
  client.on('notification', hear)
  try {
    await client.query(`LISTEN ${ANSWER}`)
    let asked: readonly number[] = []
    let silent: number[] = []
    for (const until = performance.now() + patience; performance.now() < until;) {
      // a server that has ended has no copy to check; one that lost its connection comes back as another process
      const running = await serverProcesses(client)
      if (running.some((one) => !asked.includes(one))) {
        asked = running
        await client.query('SELECT pg_notify($1, $2)', [QUESTION, round])
      }
      silent = running.filter((one) => !answers.has(one))
      if (silent.length === 0) break
      await new Promise((resolve) => setTimeout(resolve, OFTEN))
    }
    const told = [...answers.values()].map((answer) => ({ server: answer.folder, answer }))
    const others = silent.map((one) => ({ server: `of PostgreSQL process ${one}`, answer: undefined }))
    return [...told.toSorted((a, b) => (a.server < b.server ? -1 : 1)), ...others]
  } finally {
    client.off('notification', hear)
    await client.query(`UNLISTEN ${ANSWER}`)
  }
}

/** Processes in PostgreSQL of the running servers. */
export async function serverProcesses(client: Client): Promise<readonly number[]> {
  const { rows } = await client.query<{ pid: number }>(SERVERS)
  return rows.map(({ pid }) => pid)
}

const SERVERS = `SELECT DISTINCT pid FROM pg_locks
  WHERE locktype = 'advisory' AND mode = 'ShareLock' AND granted AND objid = ${DATABASE_LOCKS.serving}
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) ORDER BY pid`
