/** What is bound to a statement: as many values as it has places, each of a kind that arrives as it was. */
import { invalid } from '../../contract/failure.ts'
import type { Value } from './database.ts'
import type { Bound } from './sqlite.ts'

/** Text, names and remarks, in which a `?` is none; then the places themselves. */
const PIECES =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\/|\?(?<number>\d*)|[:@$][A-Za-z_]/g

/** The libraries bind NULL to places that got no value, so they are counted here. */
export function parameterCount(sql: string): number {
  let highest = 0
  for (const { 0: piece, groups } of sql.matchAll(PIECES)) {
    if (/^[:@$]/.test(piece)) throw new TypeError(`a statement has places by name: ${sql}`)
    if (!piece.startsWith('?')) continue
    // SQLite numbers a bare ? one above the highest so far
    highest = groups?.['number'] ? Math.max(highest, Number(groups['number'])) : highest + 1
  }
  return highest
}

/**
 * Whole numbers as 64-bit integers: what is bound as a floating-point number finds no row of a full-text table.
 * Changes `values`, which the caller made for this call.
 */
export function bound(values: readonly Value[], count: number, sql: string): readonly Bound[] {
  if (values.length !== count)
    throw new TypeError(`a statement has ${count} places but got ${values.length} values: ${sql}`)
  // its members become what they are bound as
  const made = values as Bound[]
  for (let at = 0; at < count; at++) {
    const value = values[at]
    if (typeof value === 'string') checkText(value)
    else if (typeof value === 'number') made[at] = boundNumber(value, sql)
    else if (value instanceof Uint8Array) made[at] = value.length === 0 ? NO_BYTES : value
    else if (value !== null)
      throw new TypeError(`place ${at + 1} of a statement cannot take ${typeof value}: ${sql}`)
  }
  return made
}

/** Of a memory of its own: bytes that have none, as those from another thread, Node's SQLite binds as NULL. */
const NO_BYTES = new Uint8Array(1).subarray(1)

function boundNumber(value: number, sql: string): number | bigint {
  if (Number.isSafeInteger(value)) return BigInt(value)
  if (Number.isFinite(value) && !Number.isInteger(value)) return value
  throw new TypeError(`a statement cannot take the number ${value}: ${sql}`)
}

/** SQLite ends a text at U+0000, and half a surrogate pair would come back as another character. */
function checkText(text: string): void {
  if (text.includes('\0')) throw invalid('Text must not contain the character U+0000.')
  if (!text.isWellFormed()) throw invalid('Text must not contain half of a surrogate pair.')
}
