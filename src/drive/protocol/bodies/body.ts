/** JSON bodies -> writable members, with their types checked (spec 1). */
import type { Bodies } from '../../contract/bodies.ts'
import { StorageFailure, invalid, required } from '../../contract/failure.ts'
import type { Method } from '../../contract/methods.ts'
import {
  type Member,
  type MemberShape,
  type Members,
  type Scalar,
  findMembers,
} from '../../contract/schemas.ts'
import { parseDate } from '../dates.ts'

interface Reading {
  /** True for PUT and PATCH, where null clears a clearable member. */
  readonly clears: boolean
}

/**
 * Unknown and read-only members are ignored, so that a client may send a resource back. Null is ignored where it clears
 * nothing. An empty body counts as `{}`.
 * @throws {StorageFailure} 400 parseError — no JSON, or a value of the wrong type; invalid — a value out of range
 */
export function readBody<Name extends keyof Bodies>(
  schema: Name,
  text: string | Uint8Array | undefined,
  reading: Reading,
): Bodies[Name] {
  return readMembers(readObject(text), findMembers(schema), '', reading)
}

/** Reads the body of an operation and checks its required members. @throws as `readBody`; 400 required */
export function readMethodBody<Name extends keyof Bodies>(
  method: Method,
  schema: Name,
  text: string | Uint8Array | undefined,
): Bodies[Name] {
  const clears = method.httpMethod === 'PUT' || method.httpMethod === 'PATCH'
  const body = readBody(schema, text, { clears })
  for (const path of method.requiredMembers) requireMember(body, path)
  return body
}

/** JSON object of a body. @throws 400 parseError */
export function readObject(text: string | Uint8Array | undefined): Record<string, unknown> {
  const body = parseJson(text)
  if (!isRecord(body)) throw wrongType('', 'an object')
  return body
}

/** An empty body is `{}`. @throws 400 parseError */
export function parseJson(text: string | Uint8Array | undefined): unknown {
  const written = (typeof text === 'string' ? text : decode(text)).replace(/^\uFEFF/, '')
  if (written.trim() === '') return {}
  try {
    return JSON.parse(written)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new StorageFailure(400, 'parseError', 'Parse Error')
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return ''
  try {
    return UTF8.decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new StorageFailure(400, 'parseError', 'Parse Error: the body is not UTF-8')
  }
}

function readMembers(
  given: Readonly<Record<string, unknown>>,
  members: Members,
  above: string,
  reading: Reading,
): Record<string, unknown> {
  const read: Record<string, unknown> = {}
  for (const [name, written] of Object.entries(given)) {
    const member = members.get(name)
    if (member?.isWritable !== true) continue
    const value = readMember(written, member, above === '' ? name : `${above}.${name}`, reading)
    if (value !== undefined) read[name] = value
  }
  return read
}

function readMember(value: unknown, member: Member, path: string, reading: Reading): unknown {
  if (value !== null) return readShape(value, member.shape, path, reading)
  return member.isClearable && reading.clears ? null : undefined
}

function readShape(value: unknown, shape: MemberShape, path: string, reading: Reading): unknown {
  switch (shape.kind) {
    case 'scalar':
      return readScalar(value, shape.scalar, path)
    case 'array':
      if (!Array.isArray(value)) throw wrongType(path, 'an array')
      return value.filter((item) => item !== null).map((item) => readShape(item, shape.of, path, reading))
    case 'map':
      if (!isRecord(value)) throw wrongType(path, 'an object')
      return Object.fromEntries(
        Object.entries(value)
          .filter(([, item]) => item !== null)
          .map(([key, item]) => [key, readShape(item, shape.of, path, reading)]),
      )
    case 'object':
    case 'schema':
      if (!isRecord(value)) throw wrongType(path, 'an object')
      return readMembers(
        value,
        shape.kind === 'object' ? shape.members : findMembers(shape.name),
        path,
        reading,
      )
  }
}

/** `labelModifications.labelId` checks each element. */
function requireMember(body: unknown, path: string): void {
  const [name = '', below] = path.split('.')
  const value = isRecord(body) ? body[name] : undefined
  if (below !== undefined) {
    if (Array.isArray(value)) for (const item of value) requireMember(item, below)
  } else if (value === undefined || value === '') {
    throw required(name)
  }
}

const LONE_SURROGATE = /\p{Surrogate}/u

/**
 * Whole numbers may be strings. A date-time becomes milliseconds since 1970; a `date` stays text.
 * @throws {StorageFailure} 400 parseError — another JSON type; invalid — a malformed value, or one that cannot be
 * stored
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
  if (!Number.isSafeInteger(number)) throw invalid(`Invalid value for ${path}: it is not an ${scalar}`, path)
  return number
}

/** Accepts objects, but neither null nor arrays. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const VALUE_TYPES = ['text', 'integer', 'dateString', 'selection', 'user'] as const

export type ValueType = (typeof VALUE_TYPES)[number]

export interface LabelField {
  readonly id: string
  readonly valueType: ValueType
  /** Allowed values of a selection. */
  readonly choices?: readonly string[]
  /** Maximum characters of a text. */
  readonly maxLength?: number
  /** Defaults to 1. */
  readonly maxValues?: number
}

const ID = /^[\w-]{1,64}$/
const MEMBERS: ReadonlySet<string> = new Set(['id', 'valueType', 'choices', 'maxLength', 'maxValues'])
const MAX_FIELDS = 50
const MAX_CHOICES = 200

export function isLabelId(id: string): boolean {
  return ID.test(id)
}

/** @throws {StorageFailure} 400 invalid */
export function readLabelFields(text: string): LabelField[] {
  const given = parsed(text)
  if (!Array.isArray(given) || given.length > MAX_FIELDS)
    throw invalid(`The fields of a label must be a JSON array of at most ${MAX_FIELDS}.`)
  const fields = given.map(readField)
  if (new Set(fields.map(({ id }) => id)).size < fields.length)
    throw invalid('Two fields of a label have the same id.')
  return fields
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw invalid('The fields of a label must be JSON.')
  }
}

function readField(given: unknown): LabelField {
  if (!isRecord(given)) throw invalid('A field of a label must be an object.')
  const { id, valueType: type, choices, maxLength, maxValues } = given
  const valueType = VALUE_TYPES.find((known) => known === type)
  const stranger = Object.keys(given).find((name) => !MEMBERS.has(name))
  if (stranger !== undefined) throw invalid(`Unknown member of a label field: ${stranger}.`)
  if (typeof id !== 'string' || !ID.test(id))
    throw invalid('A field of a label needs an id of letters, digits, _ and -.')
  if (valueType === undefined)
    throw invalid(`The valueType of ${id} must be one of ${VALUE_TYPES.join(', ')}.`)
  if (valueType === 'selection' ? !isChoices(choices) : choices !== undefined)
    throw invalid(`${id} needs choices if its type is selection, and must have none otherwise.`)
  for (const count of [maxLength, maxValues])
    if (count !== undefined && !isCount(count))
      throw invalid(`The limits of ${id} must be whole numbers from 1 on.`)
  return {
    id,
    valueType,
    ...(isChoices(choices) ? { choices } : {}),
    ...(isCount(maxLength) ? { maxLength } : {}),
    ...(isCount(maxValues) ? { maxValues } : {}),
  }
}

function isChoices(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MAX_CHOICES &&
    value.every((one) => typeof one === 'string' && ID.test(one))
  )
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}
