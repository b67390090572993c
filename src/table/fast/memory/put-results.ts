/** Writes what a typing becomes into its record. */
import {
  BY_TEXT,
  type EntryResult,
  RANK,
  resultOffset,
  TEXT,
  TEXT_SIZE,
  type TypingEntry,
} from './typing-record.ts'

/** Where records stand: three views of the same memory. */
export interface RecordMemory {
  readonly methods: number
  readonly records: Int32Array
  readonly ranks: Float64Array
  readonly bytes: Buffer
}

/** Of a record's texts, each counted once a method. */
export function countTextBytes({ results }: TypingEntry): number {
  let size = 0
  for (const { parts } of results) size += countPartBytes(parts)
  return size
}

function countPartBytes(parts: EntryResult['parts']): number {
  let size = parts.length
  for (let at = 0; at < parts.length; at += 1) size += parts[at]?.text.length ?? 0
  return Math.max(0, size - 1)
}

/** Gives where the texts end. */
export function putResults(
  table: RecordMemory,
  record: number,
  { results }: TypingEntry,
  start: number,
): number {
  const { records, ranks, bytes, methods } = table
  let at = start
  for (let method = 0; method < methods; method += 1) {
    const { parts, rank } = results[method] ?? NOTHING
    const result = resultOffset(record, method)
    const same = findSameText(results, method, parts)
    records[result + TEXT] = same < 0 ? at : (records[resultOffset(record, same) + TEXT] ?? 0)
    records[result + TEXT_SIZE] = countPartBytes(parts)
    ranks[(result + RANK) >> 1] = rank
    if (same < 0) at = putParts(bytes, at, parts)
  }
  return at
}

/** Gives where they end. */
function putParts(bytes: Buffer, start: number, parts: EntryResult['parts']): number {
  let at = start
  for (let part = 0; part < parts.length; part += 1) {
    const text = parts[part]?.text ?? ''
    if (part > 0) bytes[at++] = SLASH
    if (text.length > LONG) at += bytes.write(text, at, 'latin1')
    else for (let unit = 0; unit < text.length; unit += 1) bytes[at++] = text.charCodeAt(unit)
  }
  return at
}

const SLASH = 47
/** From here on a native copy is worth its call. */
const LONG = 40

/** The method before that has the same text, which then stands once; -1: none. */
function findSameText(results: TypingEntry['results'], method: number, parts: EntryResult['parts']): number {
  for (let before = 0; before < method; before += 1) {
    const others = results[before]?.parts
    if (others !== undefined && areAlike(others, parts)) return before
  }
  return -1
}

function areAlike(one: EntryResult['parts'], other: EntryResult['parts']): boolean {
  return one.length === other.length && one.every(({ text }, at) => text === other[at]?.text)
}

const NOTHING: EntryResult = { parts: [], rank: BY_TEXT }
