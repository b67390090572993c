/** A scalar of a JSON body -> a value of its type. */
import { invalid, StorageFailure } from '../../contract/failure.ts'
import type { Scalar } from '../../contract/schemas.ts'
import { parseDate } from '../dates.ts'

const MAX_INT32 = 2 ** 31 - 1
const LONE_SURROGATE = /\p{Surrogate}/u

/**
 * Whole numbers may stand as strings; dates become milliseconds since 1970; `date` stays as it is written.
 * @throws {StorageFailure} 400 parseError — another JSON type; invalid — a text that is no such value, or cannot be stored
 */
export function readScalar(value: unknown, scalar: Scalar, path: string): string | number | boolean {
  switch (scalar) {
    case 'boolean':
      if (typeof value !== 'boolean') throw wrongType(path, 'true or false')
      return value
    case 'string':
    case 'bytes':
      return readText(value, path)
    case 'date':
    case 'date-time':
      return readDate(readText(value, path), scalar, path)
    case 'int32':
    case 'int64':
      return readInteger(value, scalar, path)
    case 'float':
    case 'double':
      if (typeof value !== 'number') throw wrongType(path, 'a number')
      return value
  }
}

export function wrongType(path: string, wanted: string): StorageFailure {
  const subject = path === '' ? 'the body' : path
  return new StorageFailure(400, 'parseError', `Parse Error: ${subject} must be ${wanted}`)
}

function readText(value: unknown, path: string): string {
  if (typeof value !== 'string') throw wrongType(path, 'a string')
  if (value.includes('\u0000')) throw invalid(`Invalid value for ${path}: it has the character U+0000`, path)
  if (LONE_SURROGATE.test(value)) throw invalid(`Invalid value for ${path}: it is not Unicode text`, path)
  return value
}

function readDate(text: string, scalar: 'date' | 'date-time', path: string): string | number {
  const date = parseDate(text)
  const isForm = scalar === 'date-time' || text.length === 'YYYY-MM-DD'.length
  if (date === undefined || !isForm) throw invalid(`Invalid value for ${path}: it is not a ${scalar}`, path)
  return scalar === 'date' ? text : date
}

function readInteger(value: unknown, scalar: 'int32' | 'int64', path: string): number {
  if (typeof value !== 'number' && typeof value !== 'string') throw wrongType(path, 'a whole number')
  const number = typeof value === 'string' && !/^[+-]?\d{1,30}$/.test(value) ? Number.NaN : Number(value)
  const most = scalar === 'int32' ? MAX_INT32 : Number.MAX_SAFE_INTEGER
  if (!Number.isInteger(number) || Math.abs(number) > most) {
    throw invalid(`Invalid value for ${path}: it is not an ${scalar}`, path)
  }
  return number
}
