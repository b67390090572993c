/** Checks a store, and makes the repairs that need no decision of the operator.  [disk] */
import { type Transaction, countRows } from '../database/database.ts'
import { existsSync } from 'node:fs'
import { HlaError, errorMessage } from '../../../errors.ts'
import { FUTURE_TIMES } from '../database/clock.ts'
import { checkContents, countLeftovers, repairContents } from './contents/content-check.ts'
import { withStorePlace } from '../contents/places/store-place.ts'
import type { ContentPlace } from '../contents/places/place.ts'
import type { Connection } from '../database/connection.ts'
import {
  type Finding,
  type FsckReport,
  ROW_CHECKS,
  type RowCheck,
  type WrongRow,
  cycleEdges,
} from './row-checks.ts'
import { type StoreFolder, refuseBackup, storeFolder } from '../folder.ts'
import { immediateStatements } from '../database/group-transaction.ts'
import { lockContents, lockService } from '../lock.ts'
import { findDamage, openForReading, openForWriting } from '../database/open-database.ts'
import { checkTables, readSchemaVersion } from '../database/tables/migrate.ts'
import { NEWEST_VERSION } from '../database/tables/schema.ts'
import { sqliteCode } from '../database/sqlite.ts'

export interface FsckOptions {
  /** Reads every byte. */
  readonly isDeep: boolean
  /** Needs exclusive use of the store. A plain check can run beside a service. */
  readonly isRepairing: boolean
  /** Further row checks, by the domain. */
  readonly checks?: readonly RowCheck[]
  /** A backup from which lost contents are restored. */
  readonly from?: string | undefined
}

/** @throws {HlaError} not-found; io — a service, a backup or a clean-up is at work */
export async function fsck(path: string, options: FsckOptions): Promise<FsckReport> {
  const folder = storeFolder(path)
  if (!existsSync(folder.database))
    throw new HlaError('not-found', `there is no store in ${folder.path}`, { offending: folder.path })
  const locks = [await lockContents(folder)]
  try {
    if (options.isRepairing) refuseBackup(folder)
    if (options.isRepairing) locks.push(await lockService(folder))
    return await checked(folder, options)
  } finally {
    for (const lock of locks) lock.release()
  }
}

/** ms: younger contents may belong to a request that has not written its row yet. */
const GRACE_MS = 86_400_000

async function checked(folder: StoreFolder, options: FsckOptions): Promise<FsckReport> {
  const open = options.isRepairing ? openForWriting : openForReading
  let connection: Connection | undefined
  try {
    connection = await open(folder.database)
    return await checkConnection(folder, connection, options)
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error
    return {
      ...NOTHING,
      findings: [{ problem: 'damaged-database', what: errorMessage(error), isRepaired: false }],
    }
  } finally {
    connection?.close()
  }
}

async function checkConnection(
  folder: StoreFolder,
  connection: Connection,
  options: FsckOptions,
): Promise<FsckReport> {
  const damage = checkDatabase(connection, options.isRepairing)
  const isSound = () => damage.every(({ isRepaired }) => isRepaired)
  if (isSound()) damage.push(...checkVersion(connection))
  if (!isSound()) return { ...NOTHING, findings: damage }
  const report = await withStorePlace(folder, connection, (place) =>
    checkAll(folder, connection, { ...options, place }),
  )
  return { ...report, findings: [...damage, ...report.findings] }
}

const NOTHING = { files: 0, contents: 0, bytes: 0, leftovers: 0 } as const

/** A damaged index is rebuilt from its table, which can show other damage. */
function checkDatabase(connection: Connection, isRepairing: boolean): Finding[] {
  const before = findDamage(connection)
  if (before.length === 0 || !isRepairing) return before.map((what) => damaged(what, false))
  connection.exec('REINDEX')
  const after = findDamage(connection)
  return [
    ...before.filter((what) => !after.includes(what)).map((what) => damaged(what, true)),
    ...after.map((what) => damaged(what, false)),
  ]
}

/** A database without tables is left by a power failure during creation, or by truncation of the file. */
function checkVersion(connection: Connection): Finding[] {
  const version = readSchemaVersion(connection)
  if (version === 0) return [damaged(NO_TABLES, false)]
  checkTables(connection)
  if (version === NEWEST_VERSION) return []
  throw new HlaError(
    'data-differs',
    `the store has tables of version ${version}, this program works with ${NEWEST_VERSION}`,
    {
      hint: 'hla drive serve or hla drive fsck --repair upgrades the tables to this version',
    },
  )
}

const NO_TABLES = 'the database has no tables: nothing was stored, or all of it is lost'

function damaged(what: string, isRepaired: boolean): Finding {
  return { problem: 'damaged-database', what, isRepaired }
}

async function checkAll(
  folder: StoreFolder,
  connection: Connection,
  options: FsckOptions & { readonly place: ContentPlace },
): Promise<FsckReport> {
  // one state of the rows, however long the check takes
  connection.exec(options.isRepairing ? 'BEGIN IMMEDIATE' : 'BEGIN')
  const { isDeep, isRepairing, place, checks = [] } = options
  // cycles first, because rights follow from the folders
  const cycles = checkCycles(connection, isRepairing)
  const rows = [...ROW_CHECKS, FUTURE_TIMES, ...checks].flatMap((check) =>
    checkRows(connection, check, isRepairing),
  )
  const { bad, ...contents } = await checkContents(place, connection, isDeep)
  const repairing = isRepairing ? { from: options.from, isDeep, place } : undefined
  const lost = await repairContents(folder, connection, bad, repairing)
  const leftovers = await countLeftovers(place.contents, connection, GRACE_MS)
  const files = countRows(connection, 'SELECT count(*) AS count FROM files')
  connection.exec('COMMIT')
  return { ...contents, findings: [...rows, ...cycles, ...lost], files, leftovers }
}

function checkRows(connection: Connection, check: RowCheck, isRepairing: boolean): Finding[] {
  const { mend, isLoss } = check
  const wrong = wrongRows(connection, check)
  const isMending = isRepairing && mend !== undefined && wrong.length > 0
  if (isMending) {
    const transaction = { ...connection, ...immediateStatements(connection), now: Date.now() }
    for (const { key } of wrong) mendRow(transaction, mend, key)
  }
  // checks again, because a repair may not fix every row
  const left = new Set(isMending ? wrongRows(connection, check).map(({ what }) => what) : [])
  return wrong.map(({ what }) => ({
    problem: isLoss ? 'lost-content' : 'inconsistent',
    what,
    isRepaired: isMending && !left.has(what),
  }))
}

function wrongRows(connection: Connection, { find }: RowCheck): readonly WrongRow[] {
  return typeof find === 'string' ? connection.all<WrongRow>(find) : find(connection)
}

function mendRow(transaction: Transaction, mend: NonNullable<RowCheck['mend']>, key: number): void {
  if (typeof mend === 'string') transaction.run(mend, key)
  else mend(transaction, key)
}

/** Removes an edge of each cycle. The folder moves to its owner's root, or that of its shared drive. */
function checkCycles(connection: Connection, isRepairing: boolean): Finding[] {
  return cycleEdges(connection).map(({ parent, child }) => {
    if (isRepairing) {
      connection.run('DELETE FROM parents WHERE parent = ? AND child = ?', parent, child)
      connection.run(TO_ROOT, child)
    }
    const id = connection.get<{ id: string }>('SELECT id FROM files WHERE pk = ?', child)?.id
    return { problem: 'inconsistent', what: `folder ${id} is inside itself`, isRepaired: isRepairing }
  })
}

const TO_ROOT = `INSERT OR IGNORE INTO parents(parent, child)
SELECT coalesce(drive, root), files.pk FROM files LEFT JOIN principals ON principals.pk = owner
WHERE files.pk = ? AND coalesce(drive, root) IS NOT NULL`
