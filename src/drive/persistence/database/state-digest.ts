/**
 * An incremental digest of all rows of a database: the sum of one hash for each cell. A sum does not depend on order,
 * so a transaction's changes are subtracted and added without reading other rows
 * (docs/adr/shared-store.md#proven-copies). It finds damage, not forgery.
 */
import type { Connection } from './connection.ts'

/** Two sums, each modulo 2^32. */
export type CellSum = readonly [number, number]

export interface StateDigest {
  /** Tables and their rows: the same on every server at an entry of the log. */
  readonly rows: CellSum
  /** Tables of the full-text index. Their layout depends on the version of SQLite, so this sum is never compared between servers. */
  readonly index: CellSum
}

export const NOTHING: StateDigest = { rows: [0, 0], index: [0, 0] }

/** Sixteen hexadecimal digits. */
export function sumText([one, other]: CellSum): string {
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}

export function stateText({ rows, index }: StateDigest): string {
  return `${sumText(rows)} ${sumText(index)}`
}

/** Returns undefined if `stateText` did not write the text. */
export function parseState(text: string): StateDigest | undefined {
  const halves = /^([\da-f]{8})([\da-f]{8}) ([\da-f]{8})([\da-f]{8})$/.exec(text)
  if (halves === null) return undefined
  const [a = 0, b = 0, c = 0, d = 0] = halves.slice(1).map((half) => Number.parseInt(half, 16) | 0)
  return { rows: [a, b], index: [c, d] }
}

/** Tracks a connection's changes, including rolled-back ones: sessions compare with the rows as they are. */
export interface ChangeTracker {
  /** Restarts tracking at the current state. */
  readonly begin: () => void
  /**
   * Returns the digest after the changes since `begin`, where `before` is the digest at `begin`. Invalid after a change
   * of the schema.
   */
  readonly digest: (before: StateDigest) => StateDigest
  readonly end: () => void
}

/** Tracking begins at once. */
export function trackChanges({ raw }: Connection): ChangeTracker {
  let session = raw.createSession()
  return {
    begin() {
      session.close()
      session = raw.createSession()
    },
    digest: (before) => digestAfter(before, session.changeset()),
    end: () => session.close(),
  }
}

/** Reads every row. @throws a row has a value that the program never writes */
export function digestState(connection: Connection): StateDigest {
  const sums = cellSums(NOTHING)
  for (const row of connection.all<SchemaRow>(SCHEMA)) sums.schema(row.name, `${row.type} ${row.sql}`)
  const tables = connection.all<{ name: string }>(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0`,
  )
  for (const { name } of tables) if (!EXCLUDED.test(name)) addTable(connection, name, sums)
  return sums.digest()
}

/** `changes` is a changeset of SQLite's session extension, with all changes since `before`. */
export function digestAfter(before: StateDigest, changes: Uint8Array): StateDigest {
  if (changes.length === 0) return before
  const sums = cellSums(before)
  readChanges(changes, sums)
  return sums.digest()
}

interface SchemaRow {
  readonly type: string
  readonly name: string
  readonly sql: string
}

const SCHEMA = `SELECT type, name, sql FROM sqlite_schema
  WHERE sql IS NOT NULL AND name <> 'log_position' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`

/** SQLite's own tables, and the position of this copy. */
const EXCLUDED = /^(?:sqlite_|log_position$)/
/** Tables of the virtual table `words`. */
const INDEX = /^words_/

function addTable({ all, raw }: Connection, name: string, sums: CellSums): void {
  const columns = all<{ name: string; pk: number }>('SELECT name, pk FROM pragma_table_info(?)', name)
  const statement = raw.prepare(`SELECT * FROM "${name}"`)
  // keys of the index may exceed a safe integer
  statement.setReadBigInts(INDEX.test(name))
  const table = sums.table(name)
  const values: CellValue[] = []
  // row type as SQLite returns it
  for (const row of statement.iterate() as Iterable<Readonly<Record<string, CellValue>>>) {
    table.begin()
    for (const [at, column] of columns.entries()) {
      const value = row[column.name] ?? null
      values[at] = value
      if (column.pk > 0) table.key(value)
    }
    for (let at = 0; at < columns.length; at += 1) table.cell(at, values[at] ?? null)
  }
}

/** https://www.sqlite.org/session/c_changeset_conflict.html; operation codes as in https://www.sqlite.org/c3ref/c_alter_table.html */
const [TABLE, INSERT, DELETE, UPDATE] = [0x54, 18, 9, 23]

function readChanges(bytes: Uint8Array, sums: CellSums): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const changes = { bytes, view }
  let at = 0
  let table: TableSums | undefined
  let keys: boolean[] = []
  let [before, after] = [new Int32Array(0), new Int32Array(0)]
  const locate = (into: Offsets) => {
    for (let column = 0; column < keys.length; column += 1) {
      into[column] = at
      at = endOfValue(bytes, at)
    }
    return into
  }
  while (at < bytes.length) {
    const operation = view.getUint8(at)
    if (operation === TABLE) {
      // tables have fewer than 128 columns, so the count is one byte
      const columns = view.getUint8(at + 1)
      keys = Array.from(bytes.subarray(at + 2, at + 2 + columns), (key) => key !== 0)
      const end = bytes.indexOf(0, at + 2 + columns)
      const name = Buffer.from(bytes.subarray(at + 2 + columns, end)).toString()
      table = EXCLUDED.test(name) ? undefined : sums.table(name)
      ;[before, after] = [new Int32Array(columns), new Int32Array(columns)]
      at = end + 1
      continue
    }
    if (operation !== INSERT && operation !== DELETE && operation !== UPDATE)
      throw new Error(`a changeset of SQLite has operation ${operation}`)
    // operation, then a flag for changes made by a trigger
    at += 2
    locate(before)
    if (operation === UPDATE) locate(after)
    if (table === undefined) continue
    if (operation === UPDATE) addCells(table, keys, changes, { at: before, sign: -1, after })
    else addCells(table, keys, changes, { at: before, sign: operation === INSERT ? 1 : -1 })
  }
}

/** Start offsets of a record's values. A value of type 0 did not change. */
type Offsets = Int32Array

interface ChangedRow {
  /** Values of an inserted (`sign` 1) or deleted (-1) row, or those that an update replaced (-1). */
  readonly at: Offsets
  readonly sign: 1 | -1
  /** New values of an update. */
  readonly after?: Offsets
}

function addCells(
  table: TableSums,
  keys: readonly boolean[],
  changes: Changes,
  { at, sign, after }: ChangedRow,
): void {
  table.begin()
  for (let column = 0; column < keys.length; column += 1)
    if (keys[column] === true) table.storedKey(changes, at[column] ?? 0)
  for (let column = 0; column < keys.length; column += 1) {
    // an update's record includes the key, which does not change
    if (after !== undefined && keys[column] === true) continue
    table.stored(column, changes, at[column] ?? 0, sign)
    if (after !== undefined) table.stored(column, changes, after[column] ?? 0, 1)
  }
}

interface CellSums {
  readonly schema: (name: string, text: string) => void
  readonly table: (name: string) => TableSums
  readonly digest: () => StateDigest
}

/** Adds the cells of a row. Pass the key columns first, column by column. */
interface TableSums {
  readonly begin: () => void
  readonly key: (value: CellValue) => void
  readonly cell: (column: number, value: CellValue) => void
  /** Equivalents of `key` and `cell` for values of a changeset. */
  readonly storedKey: (changes: Changes, at: number) => void
  readonly stored: (column: number, changes: Changes, at: number, sign: 1 | -1) => void
}

function cellSums(before: StateDigest): CellSums {
  const [rows, index] = [Int32Array.from(before.rows), Int32Array.from(before.index)]
  const hash = makeHash()
  const table = (name: string): TableSums => {
    const sums = INDEX.test(name) ? index : rows
    const [start, row] = [new Int32Array(2), new Int32Array(2)]
    hash.from(start)
    hash.value(name)
    hash.to(start)
    return {
      begin: () => row.set(start),
      key(value) {
        hash.from(row)
        hash.value(value)
        hash.to(row)
      },
      cell(column, value) {
        // NULL adds nothing, so a column added by a later version does not change the sum
        if (value === null) return
        hash.from(row)
        hash.word(column)
        hash.value(value)
        hash.add(sums, 1)
      },
      storedKey(changes, at) {
        hash.from(row)
        hash.stored(changes, at)
        hash.to(row)
      },
      stored(column, changes, at, sign) {
        const type = changes.bytes[at]
        if (type === STORED.none || type === STORED.null) return
        hash.from(row)
        hash.word(column)
        hash.stored(changes, at)
        hash.add(sums, sign)
      },
    }
  }
  return {
    table,
    schema(name, text) {
      const one = table('sqlite_schema')
      one.begin()
      one.key(name)
      one.cell(0, text)
    },
    digest: () => ({ rows: [rows[0] ?? 0, rows[1] ?? 0], index: [index[0] ?? 0, index[1] ?? 0] }),
  }
}

type CellValue = null | bigint | number | string | Uint8Array

/** A changeset of SQLite's session extension. */
interface Changes {
  readonly bytes: Uint8Array
  readonly view: DataView
}

/** End of a changeset value: https://www.sqlite.org/session/sqlite3changeset_new.html, its format in ext/session/sqlite3session.c. */
function endOfValue(bytes: Uint8Array, at: number): number {
  const type = bytes[at]
  if (type === STORED.none || type === STORED.null) return at + 1
  if (type === STORED.integer || type === STORED.real) return at + 9
  return textStart(bytes, at) + textLength(bytes, at)
}

const STORED = { none: 0, integer: 1, real: 2, text: 3, bytes: 4, null: 5 } as const

/** SQLite varint: seven bits a byte, the highest first. At most five bytes here. */
function textLength(bytes: Uint8Array, at: number): number {
  let length = 0
  for (let next = at + 1; ; next += 1) {
    const byte = bytes[next] ?? 0
    length = length * 128 + (byte & 0x7f)
    if (byte < 0x80) return length
  }
}

function textStart(bytes: Uint8Array, at: number): number {
  let next = at + 1
  while ((bytes[next] ?? 0) >= 0x80) next += 1
  return next + 1
}

const [INTEGER, REAL, TEXT, BYTES, BIG] = [1, 2, 3, 4, 5]

/** Two independent multiplicative hashes of 32 bits, after MurmurHash3: https://github.com/aappleby/smhasher */
function makeLanes() {
  let [one, other] = [0, 0]
  const word = (value: number) => {
    one = Math.imul(one ^ Math.imul(value, 0xcc9e2d51), 0x85ebca6b)
    one ^= one >>> 13
    other = Math.imul(other ^ Math.imul(value, 0x1b873593), 0xc2b2ae35)
    other ^= other >>> 16
  }
  const bytes = (type: number, from: Uint8Array, start: number, length: number) => {
    word(type)
    word(length)
    const end = start + length
    const whole = end - (length & 3)
    let at = start
    for (; at < whole; at += 4)
      word(
        (from[at] ?? 0) |
          ((from[at + 1] ?? 0) << 8) |
          ((from[at + 2] ?? 0) << 16) |
          ((from[at + 3] ?? 0) << 24),
      )
    for (; at < end; at += 1) word(from[at] ?? 0)
  }
  return {
    from(state: Int32Array): void {
      one = state[0] ?? 0
      other = state[1] ?? 0
    },
    to(state: Int32Array): void {
      state[0] = one
      state[1] = other
    },
    add(sums: Int32Array, sign: number): void {
      // Int32Array elements wrap modulo 2^32
      sums[0] = (sums[0] ?? 0) + sign * one
      sums[1] = (sums[1] ?? 0) + sign * other
    },
    word,
    bytes,
  }
}

/** Hash of a cell. A whole number has the same hash whether SQLite stores it as integer or real. */
function makeHash() {
  const lanes = makeLanes()
  const { word, bytes } = lanes
  const pair = (type: number, high: number, low: number) => {
    word(type)
    word(high)
    word(low)
  }
  const whole = (value: number) => pair(INTEGER, Math.floor(value / 2 ** 32), value | 0)
  const isWhole = (high: number, low: number) => Number.isSafeInteger(high * 2 ** 32 + (low >>> 0))
  const double = new DataView(new ArrayBuffer(8))
  const real = (value: number) => {
    if (Number.isSafeInteger(value)) return whole(value)
    double.setFloat64(0, value)
    pair(REAL, double.getInt32(0), double.getInt32(4))
  }
  return {
    ...lanes,
    value(value: CellValue): void {
      if (value === null) word(0)
      else if (typeof value === 'number') real(value)
      else if (typeof value === 'bigint') {
        const [high, low] = [Number(BigInt.asIntN(32, value >> 32n)), Number(BigInt.asIntN(32, value))]
        pair(isWhole(high, low) ? INTEGER : BIG, high, low)
      } else if (typeof value === 'string') {
        const text = Buffer.from(value)
        bytes(TEXT, text, 0, text.length)
      } else bytes(BYTES, value, 0, value.length)
    },
    /** Hashes a value of a changeset. */
    stored({ bytes: from, view }: Changes, at: number): void {
      const type = from[at]
      if (type === STORED.none || type === STORED.null) word(0)
      else if (type === STORED.real) real(view.getFloat64(at + 1))
      else if (type === STORED.integer) {
        const [high, low] = [view.getInt32(at + 1), view.getInt32(at + 5)]
        pair(isWhole(high, low) ? INTEGER : BIG, high, low)
      } else bytes(type === STORED.text ? TEXT : BYTES, from, textStart(from, at), textLength(from, at))
    },
  }
}
