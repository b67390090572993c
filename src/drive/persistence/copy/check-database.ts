/** `hla drive fsck` of a shared store: checks its rows in the database and its contents in their place.  [disk, network] */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'pg'
import { openForReading, openServerCopy } from '../database/open-database.ts'
import type { StoreFolder } from '../folder.ts'
import { encodeEntry } from '../shared/commit-entry.ts'
import { type Recorder, statementRecorder } from '../shared/recorder.ts'
import { openCommitLog } from '../shared/commit-log.ts'
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
    return await checkIn({ path, contents }, url, options)
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}

interface Checking {
  /** Temporary folder of this check. */
  readonly path: string
  readonly contents: string
}

function checkIn({ path, contents }: Checking, url: string, asked: FsckOptions): Promise<FsckReport> {
  return withClient(url, async (client) => {
    const { identity: store } = await findDatabaseStore(client)
    return withContents({ path, contents, store }, ({ folder, place }) =>
      checkFound(client, { folder, url }, { ...asked, place }),
    )
  })
}

interface CheckedDatabase {
  readonly folder: StoreFolder
  readonly url: string
}

async function checkFound(
  client: Client,
  { folder, url }: CheckedDatabase,
  options: FsckOptions,
): Promise<FsckReport> {
  if (options.isRepairing) await lockOutServers(client)
  await lockSharedContents(client)
  const copies = options.isRepairing ? [] : await askServers(client)
  const sums: WantedSums = new Map(copies.map(({ answer }) => [answer?.number ?? 0, undefined]))
  const passed: Finding[] = []
  const warn = (what: string) => passed.push({ problem: 'damaged-database', what, isRepaired: false })
  const last = await fetchDatabase(client, { url, database: folder.database }, warn, sums)
  const compared = copies.map((copy) => compareCopy(copy, sums))
  const report = await (options.isRepairing
    ? repaired(folder, options, { url, last })
    : checked(folder, options))
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

async function checked(folder: StoreFolder, options: FsckOptions): Promise<FsckReport> {
  const connection = await openForReading(folder.database)
  try {
    return await checkConnection(folder, connection, options)
  } finally {
    connection.close()
  }
}

interface Fetched {
  readonly url: string
  /** Entry that the copy is at. */
  readonly last: number
}

async function repaired(folder: StoreFolder, options: FsckOptions, fetched: Fetched): Promise<FsckReport> {
  const connection = await openServerCopy(folder.database)
  const recorder = statementRecorder(connection)
  try {
    return await checkConnection(folder, recorder.connection, {
      ...options,
      keep: () => appendRecorded(recorder, fetched),
    })
  } finally {
    connection.close()
  }
}

/** Appends the repairs to the log, so that all copies get them. @throws if the entry is not known to be in the log */
async function appendRecorded(recorder: Recorder, { url, last }: Fetched): Promise<void> {
  const statements = recorder.statements()
  if (statements.length === 0) return
  const log = openCommitLog({ url, server: randomUUID() })
  try {
    const turn = await log.takeTurn()
    if (turn.last !== last) {
      await turn.giveBack()
      throw storeInUse('the store in this database has changed')
    }
    await turn.append(encodeEntry(statements))
  } finally {
    await log.close()
  }
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
