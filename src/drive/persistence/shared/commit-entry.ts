/** Encoding of a commit in the shared log: its writing statements in order, each with its recorded effect. */
import { hash } from 'node:crypto'
import { deserialize } from 'node:v8'
import type { Connection } from '../database/connection.ts'
import type { Value } from '../database/database.ts'

export interface LoggedStatement {
  readonly sql: string
  readonly values: readonly Value[]
  /** Rows it changed on the server that ran it first. Another number on replay means that the databases differ. */
  readonly changes: number
  /** Key of the inserted row, or -1 if it is not known to have inserted one. */
  readonly key: number
}

/** A command group's commit. */
export interface CommitEntry {
  readonly statements: readonly LoggedStatement[]
  /** Sum of all rows after this entry (`sumText`). Undefined if the writing server did not compute it. */
  readonly sum: string | undefined
}

/**
 * Form 2: MAGIC, SHA-256 of the rest, length of the JSON text (32 bits, little-endian), the text, and the bytes of all
 * byte values one after another. The text is an `EntryText`.
 */
const MAGIC = Buffer.from('hla2')
const [DIGEST_AT, LENGTH_AT, TEXT_AT] = [4, 36, 40]

interface EntryText {
  readonly sum?: string
  /** Distinct SQL texts, because statements repeat. */
  readonly sql: readonly string[]
  /** Index into `sql`, rows changed, key made, values. A byte value is its length in an array. */
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

/** @throws the entry is damaged, or of a later version of this program */
export function decodeEntry(bytes: Uint8Array): CommitEntry {
  if (bytes[0] === OLD) return { statements: decodeOld(bytes), sum: undefined }
  const entry = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (!entry.subarray(0, DIGEST_AT).equals(MAGIC))
    throw new Error('it has a form that this program does not read')
  if (!digestOf(entry).equals(entry.subarray(DIGEST_AT, LENGTH_AT))) throw new Error('its bytes are damaged')
  let at = TEXT_AT + entry.readUInt32LE(LENGTH_AT)
  // JSON written by `encodeEntry`
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
  if (sql === undefined) throw new Error('it names a statement that it does not contain')
  return sql
}

/** First byte of `v8.serialize` output: form 1, written by versions up to 1.0. */
const OLD = 0xff

function decodeOld(bytes: Uint8Array): readonly LoggedStatement[] {
  // the tuple that version 1.0 wrote
  const [form, texts, rows] = deserialize(bytes) as [
    number,
    readonly string[],
    readonly [number, number, number, readonly Value[]][],
  ]
  if (form !== 1) throw new Error(`it has form ${form}, this program reads 1 and 2`)
  return rows.map(([index, changes, key, values]) => ({ sql: textAt(texts, index), values, changes, key }))
}

/** Replaces the number of changed rows for a script: several statements without values, as in a migration. */
export const SCRIPT = -1

/** Runs within a transaction of `connection`. @throws a statement has another effect than recorded */
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
