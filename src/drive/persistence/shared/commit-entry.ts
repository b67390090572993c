/** A commit as the shared log has it: the statements that wrote something, in order, with what each is known to have done. */
import { hash } from 'node:crypto'
import { deserialize } from 'node:v8'
import type { Connection } from '../database/connection.ts'
import type { Value } from '../database/database.ts'

export interface LoggedStatement {
  readonly sql: string
  readonly values: readonly Value[]
  /** Rows it changed, where it was run first: another number elsewhere is another database. */
  readonly changes: number
  /** Key of the row that it inserted; -1: it is not known to have made one. */
  readonly key: number
}

/** What a group has done. */
export interface CommitEntry {
  readonly statements: readonly LoggedStatement[]
  /** Sum of all rows with this entry (`sumText`); undefined: whoever wrote it did not know. */
  readonly sum: string | undefined
}

/**
 * Form 2: MAGIC, SHA-256 of the rest, length of the JSON text (32 bits, little-endian), the text, and the bytes of all byte values one
 * after another. The text is an `EntryText`.
 */
const MAGIC = Buffer.from('hla2')
const [DIGEST_AT, LENGTH_AT, TEXT_AT] = [4, 36, 40]

interface EntryText {
  readonly sum?: string
  /** Statements repeat: each is written once. */
  readonly sql: readonly string[]
  /** Index of the statement, rows that it changed, key that it made, values; a byte value is its length in a list. */
  readonly rows: readonly (readonly [number, number, number, readonly EntryValue[]])[]
}

type EntryValue = Exclude<Value, Uint8Array> | readonly [number]

export function encodeEntry(statements: readonly LoggedStatement[], sum?: string): Buffer {
  const known = new Map<string, number>()
  const parts: Uint8Array[] = []
  const toEntryValue = (value: Value): EntryValue => {
    if (!(value instanceof Uint8Array)) return value
    parts.push(value)
    return [value.length]
  }
  const rows = statements.map(({ sql, values, changes, key }) => {
    const at = known.get(sql) ?? known.size
    known.set(sql, at)
    return [at, changes, key, values.map(toEntryValue)] as const
  })
  const text: EntryText = { ...(sum === undefined ? {} : { sum }), sql: [...known.keys()], rows }
  const json = Buffer.from(JSON.stringify(text))
  const length = Buffer.alloc(TEXT_AT - LENGTH_AT)
  length.writeUInt32LE(json.length)
  const entry = Buffer.concat([MAGIC, Buffer.alloc(LENGTH_AT - DIGEST_AT), length, json, ...parts])
  digestOf(entry).copy(entry, DIGEST_AT)
  return entry
}

function digestOf(entry: Uint8Array): Buffer {
  return hash('sha256', entry.subarray(LENGTH_AT), 'buffer')
}

/** @throws it is damaged, or of a later version of this program */
export function decodeEntry(bytes: Uint8Array): CommitEntry {
  if (bytes[0] === OLD) return { statements: decodeOld(bytes), sum: undefined }
  const entry = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (!entry.subarray(0, DIGEST_AT).equals(MAGIC))
    throw new Error('it has a form that this program does not read')
  if (!digestOf(entry).equals(entry.subarray(DIGEST_AT, LENGTH_AT))) throw new Error('its bytes are damaged')
  let at = TEXT_AT + entry.readUInt32LE(LENGTH_AT)
  // as `encodeEntry` wrote it
  const { sum, sql: texts, rows } = JSON.parse(entry.toString('utf8', TEXT_AT, at)) as EntryText
  const toValue = (value: EntryValue): Value =>
    typeof value === 'object' && value !== null ? entry.subarray(at, (at += value[0])) : value
  const statements = rows.map(([index, changes, key, values]) => ({
    sql: textAt(texts, index),
    values: values.map(toValue),
    changes,
    key,
  }))
  return { statements, sum }
}

function textAt(texts: readonly string[], index: number): string {
  const sql = texts[index]
  if (sql === undefined) throw new Error('it names a statement that it has not')
  return sql
}

/** First byte of what `v8.serialize` writes: form 1, which versions up to 1.0 wrote. */
const OLD = 0xff

function decodeOld(bytes: Uint8Array): readonly LoggedStatement[] {
  // as version 1.0 wrote it
  const [form, texts, rows] = deserialize(bytes) as [
    number,
    readonly string[],
    readonly [number, number, number, readonly Value[]][],
  ]
  if (form !== 1) throw new Error(`it has form ${form}, this program reads 1 and 2`)
  return rows.map(([index, changes, key, values]) => ({ sql: textAt(texts, index), values, changes, key }))
}

/** In place of the number of rows: several statements without values, as a migration has them. */
export const SCRIPT = -1

/** Within a transaction of `connection`. @throws what it does here is not what it did there */
export function replay(connection: Connection, statements: readonly LoggedStatement[]): void {
  for (const { sql, values, changes, key } of statements) {
    if (changes === SCRIPT) {
      connection.exec(sql)
      continue
    }
    const done = connection.run(sql, ...values)
    if (done.changes !== changes || (key >= 0 && done.lastKey !== key))
      throw new Error(
        `a statement of the log changed ${done.changes} rows and made key ${done.lastKey}, where it changed ${changes} and made ${key}: ${sql}`,
      )
  }
}
