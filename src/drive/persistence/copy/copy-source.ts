/** Identity and row digest of a store to be copied.  [disk] */
import { type Hash, createHash } from 'node:crypto'
import { HlaError } from '../../../errors.ts'
import type { Connection } from '../database/connection.ts'
import type { CopiedContents } from '../upkeep/contents/copy-content.ts'
import type { StoreFolder } from '../folder.ts'
import { type Lock, lockService } from '../lock.ts'

export interface CopySource {
  /** Equal for a store and its copies. */
  readonly identity: string
  readonly rows: RowDigest
  readonly largestChange: number
}

export interface CopyReport extends CopiedContents, RowDigest {
  readonly largestChange: number
}

/** @throws {HlaError} not-found — the store was never served */
export function readSource(connection: Connection): CopySource {
  const key = connection.get<{ value: string }>(`SELECT value FROM settings WHERE name = 'id-key'`)?.value
  if (key === undefined)
    throw new HlaError('not-found', 'the store was never served: there is nothing to copy', {
      hint: 'hla drive serve sets a store up',
    })
  return {
    // a hash, because the key itself is secret
    identity: createHash('sha256').update(`copy of ${key}`).digest('hex'),
    rows: digestRows(connection),
    largestChange: connection.get<{ seq: number | null }>('SELECT max(seq) AS seq FROM changes')?.seq ?? 0,
  }
}

/** @throws {HlaError} data-differs */
export function compareRows(connection: Connection, { rows: { rows, sha256 } }: CopySource): void {
  const found = digestRows(connection)
  if (found.sha256 === sha256) return
  throw new HlaError(
    'data-differs',
    `the copy has ${found.rows} rows, which differ from the ${rows} rows of the original store`,
  )
}

export async function lockUnused(folder: StoreFolder): Promise<Lock> {
  try {
    return await lockService(folder)
  } catch (cause) {
    if (!(cause instanceof HlaError) || cause.code !== 'io') throw cause
    throw storeInUse(`a service uses the store ${folder.path}`, cause)
  }
}

export function storeInUse(reason: string, cause?: unknown): HlaError {
  return new HlaError('io', `${reason}: files it receives during the copy would be missing from it`, {
    hint: 'stop it first; to rehearse the copy while it runs, copy a backup of the store',
    cause,
  })
}

interface RowDigest {
  readonly rows: number
  readonly sha256: string
}

/** Digests all tables by name, including those of the word index, and their rows by key. */
function digestRows(connection: Connection): RowDigest {
  const digest = createHash('sha256')
  let rows = 0
  for (const { name, sql } of connection.all<Table>(TABLES)) {
    const write = gathering(digest)
    write(`\n${name}\n`)
    for (const row of readRows(connection, name, keyOrder(connection, name, sql))) {
      rows += 1
      for (const value of Object.values(row)) write(valueText(value), value)
    }
    write('', undefined, true)
  }
  return { rows, sha256: digest.digest('hex') }
}

interface Table {
  readonly name: string
  readonly sql: string
}

/** Excludes virtual tables, whose rows are in tables of their own, and the position in a log. */
const TABLES = `SELECT name, sql FROM sqlite_schema
  WHERE type = 'table' AND rootpage > 0 AND name <> 'log_position' ORDER BY name`

/** Excludes the address of the store, which is not part of it. */
const BUT_ADDRESS = `WHERE name <> 'address'`

function keyOrder(connection: Connection, table: string, sql: string): string {
  if (!/\bWITHOUT ROWID\b/i.test(sql)) return 'rowid'
  const columns = connection.all<{ name: string }>(
    'SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk',
    table,
  )
  return columns.map(({ name }) => `"${name}"`).join()
}

type RowValue = null | bigint | number | string | Uint8Array

/** Keys of the word index may exceed a safe integer, so numbers are read as bigint. */
function readRows(
  { raw }: Connection,
  table: string,
  order: string,
): Iterable<Readonly<Record<string, RowValue>>> {
  const statement = raw.prepare(
    `SELECT * FROM "${table}" ${table === 'settings' ? BUT_ADDRESS : ''} ORDER BY ${order}`,
  )
  statement.setReadBigInts(true)
  // row type as SQLite returns it
  return statement.iterate() as Iterable<Readonly<Record<string, RowValue>>>
}

/** Writes the type and length too, so that different rows never have the same text. */
function valueText(value: RowValue): string {
  if (value === null) return 'n;'
  if (typeof value === 'bigint') return `i${value};`
  if (typeof value === 'number') return `f${value};`
  return typeof value === 'string' ? `t${value.length}:${value}` : `b${value.length}:`
}

/** Characters digested at once: one call for each value would take longer than the digest. */
const MUCH = 1 << 16

function gathering(digest: Hash): (text: string, value?: RowValue, isLast?: boolean) => void {
  let waiting = ''
  return (text, value, isLast = false) => {
    waiting += text
    const isBytes = value instanceof Uint8Array
    if (waiting.length < MUCH && !isBytes && !isLast) return
    digest.update(waiting)
    waiting = ''
    if (isBytes) digest.update(value)
  }
}
