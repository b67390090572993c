/** `hla drive fsck` of a shared store: checks its rows in the database and its contents in their place.  [disk, network] */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'pg'
import { openForReading, openServerCopy, withConnection } from '../database/open-database.ts'
import type { StoreFolder } from '../folder.ts'
import { encodeEntry } from '../shared/commit-entry.ts'
import { type Recorder, statementRecorder } from '../shared/recorder.ts'
import { withLog } from '../shared/commit-log.ts'
import { lockSharedContents, withClient } from '../shared/postgres.ts'
import type { WantedSums } from '../shared/server-copy.ts'
import { type RunningCopy, askServers } from '../shared/running-copies.ts'
import type { Finding, FsckReport, StoreProblem } from '../upkeep/row-checks.ts'
import { type FsckOptions, checkConnection } from '../upkeep/fsck.ts'
import {
  fetchDatabase,
  findDatabaseStore,
  lockOutServers,
  separateDatabase,
  withContents,
} from './database-store.ts'
import { storeInUse } from './copy-source.ts'
import { type BackupReport, makeBeside, withDatabase, writeManifest } from '../upkeep/backup.ts'
import { contentsIn } from '../contents/places/folder-place.ts'
import { type Copying, copyContents } from '../upkeep/contents/copy-content.ts'

/** Runs beside the servers. Repairs need all servers stopped and are written as a log entry. @throws {HlaError} not-found, io */
export async function checkDatabase(
  { url, contents }: { readonly url: string; readonly contents: string },
  options: FsckOptions,
): Promise<FsckReport> {
  const path = await mkdtemp(join(tmpdir(), 'hla-fsck-'))
  try {
    return await withClient(url, async (client) => {
      const { identity: store } = await findDatabaseStore(client)
      return withContents({ path, contents, store }, ({ folder, place }) =>
        checkFound(client, { folder, url }, { ...options, place }),
      )
    })
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}

async function checkFound(
  client: Client,
  { folder, url }: { readonly folder: StoreFolder; readonly url: string },
  options: FsckOptions,
): Promise<FsckReport> {
  const { isRepairing } = options
  if (isRepairing) await lockOutServers(client)
  await lockSharedContents(client)
  const copies = isRepairing ? [] : await askServers(client)
  const sums: WantedSums = new Map(copies.map(({ answer }) => [answer?.number ?? 0, undefined]))
  const passed: Finding[] = []
  const warn = (what: string) => passed.push({ problem: 'damaged-database', what, isRepaired: false })
  const last = await fetchDatabase(client, { url, database: folder.database }, warn, sums)
  const compared = copies.map((copy) => compareCopy(copy, sums))
  const open = isRepairing ? openServerCopy : openForReading
  const report = await withConnection(open(folder.database), (connection) => {
    if (!isRepairing) return checkConnection(folder, connection, options)
    const recorder = statementRecorder(connection)
    const keep = () => appendRecorded(recorder, url, last)
    return checkConnection(folder, recorder.connection, { ...options, keep })
  })
  const findings = [...passed, ...compared.flatMap(({ finding }) => finding ?? []), ...report.findings]
  return { ...report, findings, servers: compared.map(({ line }) => line) }
}

interface ComparedCopy {
  readonly line: string
  /** Undefined if the copy matches the store. */
  readonly finding?: Finding
}

function compareCopy({ server, answer }: RunningCopy, sums: WantedSums): ComparedCopy {
  const found = (state: string, problem: StoreProblem, what: string) => ({
    line: `server ${server}: ${state}`,
    finding: { problem, what, isRepaired: false },
  })
  const { number = 0, sum, problem, failed = 'it did not answer' } = answer ?? {}
  const expected = sums.get(number)
  if (problem !== undefined) return found('differs', 'damaged-copy', `server ${server}: ${problem}`)
  if (sum === undefined) return found('no answer', 'unchecked-copy', `server ${server}: ${failed}`)
  if (expected === undefined) {
    const what = `server ${server} is at entry ${number}, which is not in the log after its snapshot`
    return found('not compared', 'unchecked-copy', what)
  }
  if (sum === expected) return { line: `server ${server}: same (entry ${number})` }
  const what = `server ${server}: after entry ${number} its rows have the digest ${sum}, those of the log ${expected}`
  return found('differs', 'damaged-copy', what)
}

/**
 * Appends the repairs to the log, so that all copies get them. `last` is the entry that they were made on.
 * @throws if the entry is not known to be in the log
 */
async function appendRecorded(recorder: Recorder, url: string, last: number): Promise<void> {
  const statements = recorder.statements()
  if (statements.length === 0) return
  await withLog(url, async (log) => {
    const turn = await log.takeTurn()
    if (turn.last !== last) {
      await turn.giveBack()
      throw storeInUse('the store in this database has changed')
    }
    await turn.append(encodeEntry(statements))
  })
}

/** Backs up the state of one moment. @throws {HlaError} not-found; io — `to` is not empty; data-differs — a content is damaged */
export function backupDatabase(
  { url, contents }: { readonly url: string; readonly contents: string },
  to: string,
  copying: Copying,
): Promise<BackupReport> {
  return withClient(url, async (client) => {
    const { identity: store } = await findDatabaseStore(client)
    // the folder of the rows does not exist yet
    return withContents({ path: to, contents, store }, async ({ place: { contents: from } }) => {
      await lockSharedContents(client)
      return makeBeside(to, async (made) => {
        await fetchDatabase(client, { url, database: made.database })
        await separateDatabase(made.database)
        const copied = await withDatabase(made, (rows) => copyContents(from, contentsIn(made), rows, copying))
        await writeManifest(made, copied)
        return copied
      })
    })
  })
}
