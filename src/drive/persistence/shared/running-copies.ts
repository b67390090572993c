/** Whether the copies of the servers that run are the store: a check asks them all by PostgreSQL, and each reads its rows and answers.  [network] */
import type { Client, Notification } from 'pg'
import { randomUUID } from 'node:crypto'
import { errorMessage } from '../../../errors.ts'
import type { CheckedCopy } from './copy-task.ts'
import { DATABASE_LOCKS } from './postgres.ts'

/** Channels of PostgreSQL. */
const [QUESTION, ANSWER] = ['hla_check', 'hla_checked']

/** Of a server that runs. */
export interface CopyAnswer extends Partial<CheckedCopy> {
  /** Of its copy. */
  readonly folder: string
  /** Why it could not be read. */
  readonly failed?: string
}

export interface RunningCopy {
  /** Its folder; without an answer, the process of PostgreSQL that serves it. */
  readonly server: string
  /** undefined: there was none in time. */
  readonly answer: CopyAnswer | undefined
}

/** `check` reads the rows. `told` gets what was answered. */
export interface CopyChecker {
  readonly folder: string
  readonly check: () => Promise<CheckedCopy | undefined>
  readonly told: (checked: CheckedCopy | undefined) => void
}

/** With the connection that says that the server runs. */
export async function answerChecks(client: Client, { folder, check, told }: CopyChecker): Promise<void> {
  client.on('notification', ({ channel, payload }: Notification) => {
    if (channel !== QUESTION) return
    const answer = async () => {
      const checked = await check().catch((error: unknown) => ({ failed: errorMessage(error) }))
      const text = JSON.stringify({ round: payload, folder: folder.slice(0, MOST_CHARACTERS), ...checked })
      await client.query(ANSWERING, [text])
      if (checked !== undefined && 'sum' in checked) told(checked)
    }
    // who asked finds that there is no answer
    answer().catch(() => undefined)
  })
  await client.query(`LISTEN ${QUESTION}`)
}

/** PostgreSQL passes on 8000 bytes. */
const MOST_CHARACTERS = 1000
const ANSWERING = `SELECT pg_notify('${ANSWER}', ($1::jsonb || jsonb_build_object('process', pg_backend_pid()))::text)`

/** ms: a million files are read in half a minute. */
const PATIENCE = 120_000
/** ms between looks which servers run. */
const OFTEN = 500

/** All that run when it begins, in the order of their folders. */
export async function askServers(client: Client, patience = PATIENCE): Promise<readonly RunningCopy[]> {
  const round = randomUUID()
  const answers = new Map<number, CopyAnswer>()
  const hear = ({ channel, payload }: Notification) => {
    if (channel !== ANSWER || payload === undefined) return
    // as `answerChecks` makes it
    const answer = JSON.parse(payload) as CopyAnswer & { readonly round: string; readonly process: number }
    if (answer.round === round) answers.set(answer.process, answer)
  }
  client.on('notification', hear)
  try {
    await client.query(`LISTEN ${ANSWER}`)
    const asked = await processes(client)
    await client.query('SELECT pg_notify($1, $2)', [QUESTION, round])
    let silent = asked
    for (const until = performance.now() + patience; performance.now() < until;) {
      // one that has ended meanwhile has no copy to check
      const running = new Set(await processes(client))
      silent = asked.filter((one) => !answers.has(one) && running.has(one))
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

async function processes(client: Client): Promise<readonly number[]> {
  const { rows } = await client.query<{ pid: number }>(SERVERS)
  return rows.map(({ pid }) => pid)
}

const SERVERS = `SELECT DISTINCT pid FROM pg_locks
  WHERE locktype = 'advisory' AND mode = 'ShareLock' AND granted AND objid = ${DATABASE_LOCKS.serving}
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) ORDER BY pid`
