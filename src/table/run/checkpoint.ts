/** A checkpoint of a conversion: all that another run must know to go on where this one stopped, and for what. */
import { createHash } from 'node:crypto'
import { HlaError } from '../../errors.ts'
import type { InputIdentity, StoredIdentity } from '../../io/file-port.ts'
import type { SinkMark } from '../../io/sink.ts'
import type { Tally } from '../output/summary.ts'

/** What must be the same for a run to be resumed. */
export interface RunIdentity {
  /** Version of the program. */
  readonly hla: string
  /** The data id, or the starter set. */
  readonly data: string
  /** All that decides what is written; by name, and lists in their order. */
  readonly options: Readonly<Record<string, unknown>>
  readonly input: InputIdentity
}

/** Between two rows. */
export interface TablePosition {
  /** Of the next row: bytes before it, as byte text without the byte order mark. */
  readonly offset: number
  /** Of the next row, 1-based. */
  readonly line: number
}

export interface Checkpoint {
  readonly identity: RunIdentity
  readonly position: TablePosition
  readonly output: SinkMark
  readonly report: SinkMark | undefined
  /** All of it, once it may have its name. */
  readonly provenance?: SinkMark | undefined
  readonly failures: number
  readonly tally: Tally
  readonly distinct: DistinctKeys
  readonly started: Date
}

/** The cells that were counted, by their hashes; undefined when there are too many to count. */
export type DistinctKeys = readonly number[] | undefined

const FORMAT = 'hla-state/1'

/** One object of JSON; its checksum tells a file of ours from any other. */
export function checkpointText({ distinct, ...rest }: Checkpoint): string {
  const keys = distinct === undefined ? undefined : new Uint8Array(Float64Array.from(distinct).buffer)
  const content = JSON.stringify({ ...rest, distinct: keys }, plain)
  return `{"format":"${FORMAT}","sha256":"${digest(content)}","content":${content}}\n`
}

/** @throws {HlaError} pin — it is damaged, or was written by another version */
export function readCheckpoint(text: string, name: string): Checkpoint {
  const [, format, sha256, content = ''] = WRITTEN.exec(text) ?? []
  if (format === undefined || sha256 !== digest(content))
    throw new HlaError('pin', `${name} is not the state of an interrupted run, or is damaged`, {
      offending: name,
    })
  if (format !== FORMAT)
    throw new HlaError('pin', `${name} was written by another version of hla`, { offending: name })
  // its checksum holds: it was written above
  const { distinct, started, ...rest } = JSON.parse(content, revived) as Stored
  const keys = distinct === undefined ? undefined : [...new Float64Array(distinct.slice().buffer)]
  return { ...rest, distinct: keys, started: new Date(started) }
}

type Stored = Omit<Checkpoint, 'distinct' | 'started'> & {
  readonly distinct?: Uint8Array
  readonly started: string
}

const WRITTEN = /^\{"format":"(hla-state\/\d+)","sha256":"([\da-f]+)","content":(.*)\}\n$/s

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Maps, sets and bytes as objects with one name that nothing else has. */
function plain(_: string, value: unknown): unknown {
  if (value instanceof Map) return { '#map': [...value] }
  if (value instanceof Set) return { '#set': [...value] }
  return value instanceof Uint8Array && !Buffer.isBuffer(value)
    ? { '#bytes': Buffer.from(value).toString('base64') }
    : value
}

function revived(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  // made by `plain`
  const { '#map': map, '#set': set, '#bytes': bytes } = value as Wrapped
  if (map !== undefined) return new Map(map)
  if (set !== undefined) return new Set(set)
  return bytes === undefined ? value : new Uint8Array(Buffer.from(bytes, 'base64'))
}

interface Wrapped {
  readonly '#map'?: [unknown, unknown][]
  readonly '#set'?: unknown[]
  readonly '#bytes'?: string
}

/** The identity of the same input when more of it was read. */
export function readFurther(then: InputIdentity, now: InputIdentity): InputIdentity {
  if ('id' in then || 'id' in now) return { ...then, read: now.read }
  return { ...then, read: now.read, last: now.last }
}

/** Of what a table begins with, or of all of it. */
export function contentDigest(identity: InputIdentity): string {
  return 'id' in identity ? identity.md5 : identity.head
}

/** What is no longer as it was, one line each; nothing when the run can go on. */
export function findDifferences(then: RunIdentity, now: RunIdentity): string[] {
  return [
    ...(then.hla === now.hla ? [] : [changed('the version of hla', then.hla, now.hla)]),
    ...(then.data === now.data ? [] : [changed('the data', then.data, now.data)]),
    ...inputDifferences(then.input, now.input),
    ...optionDifferences(then.options, now.options),
  ]
}

/** `option into was after, is append` */
export function optionDifferences(then: unknown, now: unknown): string[] {
  return leaves(then, now).map(([name, a, b]) => changed(`option ${name}`, a, b))
}

function changed(name: string, a: unknown, b: unknown): string {
  return `${name} was ${shown(a)}, is ${shown(b)}`
}

function inputDifferences(then: InputIdentity, now: InputIdentity): string[] {
  if ('id' in then || 'id' in now) {
    if (!('id' in then && 'id' in now)) return ['the input was of a file store, or is, and not both']
    return storedDifferences(then, now)
  }
  if (then.name !== now.name) return [`the input was ${then.name}, is ${now.name}`]
  if (then.bytes !== now.bytes) return [`the input had ${then.bytes} bytes, has ${now.bytes}`]
  if (then.modified !== now.modified)
    return [`the input was changed at ${now.modified}; it was of ${then.modified}`]
  return then.head === now.head && then.last === now.last ? [] : ['the input holds other bytes than before']
}

function storedDifferences(then: StoredIdentity, now: StoredIdentity): string[] {
  if (then.id !== now.id) return [`the input was the file ${then.id} of the store, is ${now.id}`]
  if (then.revision !== now.revision)
    return [`the input was revision ${then.revision}, there is ${now.revision} by now`]
  return then.md5 === now.md5 ? [] : ['the input holds other bytes than before']
}

/** Values that differ, by their path. */
function leaves(a: unknown, b: unknown, path = ''): [path: string, a: unknown, b: unknown][] {
  if (JSON.stringify(a) === JSON.stringify(b)) return []
  if (!isObject(a) || !isObject(b)) return [[path, a, b]]
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  return names.flatMap((name) =>
    leaves(ownValue(a, name), ownValue(b, name), path === '' ? name : `${path}.${name}`),
  )
}

function ownValue(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shown(value: unknown): string {
  return value === undefined ? 'not given' : typeof value === 'string' ? value : JSON.stringify(value)
}
