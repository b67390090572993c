/** Several files, a sample or some each, as one table: in the order they were given, one open at a time. */
import { advice, option } from '../../../advice.ts'
import { createHash } from 'node:crypto'
import { type ErrorCode, HlaError, isHlaError, linePrefix } from '../../../errors.ts'
import type { FileIdentity } from '../../../io/file-identity.ts'
import type { ByteInput } from '../../../io/file-port.ts'
import { encodeByteText } from '../encoding.ts'
import { type TableInput, readTableInput } from '../input.ts'
import type { RecordFile } from './gathering/record-files.ts'
import { type ShapeRequest, gatheredInput, openSource } from './open-records.ts'
import { namedByFile, personName, refuseUnplaced } from './gathering/person.ts'
import type { RecordSource, TypingRecord } from './typing-record.ts'
import { wideRows } from './wide-rows.ts'
import { gatheredDialect } from './long-table.ts'

export interface ManyRequest extends ShapeRequest {
  readonly isHashed: boolean
  /** Of workbooks. */
  readonly sheet: string | undefined
  readonly limited: (input: TableInput) => TableInput
}

/** @throws {HlaError} whatever a file is refused for, with its name */
export async function openManyFiles(
  name: string,
  parts: readonly ByteInput[],
  request: ManyRequest,
): Promise<TableInput> {
  const seen = { done: 0, open: (): number => 0 }
  const read: FileIdentity[] = []
  const files = openEach(parts, request, (input, isDone) => {
    if (!isDone) {
      seen.open = input.bytesRead
      return
    }
    seen.done += input.bytesRead()
    seen.open = () => 0
    read.push({ name: input.name, bytes: input.bytesRead(), sha256: input.sha256() ?? '' })
  })
  const all: TableInput = {
    name,
    sample: Buffer.alloc(0),
    compression: undefined,
    chunks: notThere,
    bytesRead: () => seen.done + seen.open(),
    sha256: () => (request.isHashed ? joinedDigest(read) : undefined),
    parts: parts.length === 1 ? undefined : () => read,
  }
  return gatheredInput(all, files, request)
}

/** Of one, its own; of several, that of the lines of `sha256sum`. */
function joinedDigest(files: readonly FileIdentity[]): string {
  const [only, another] = files
  if (only !== undefined && another === undefined) return only.sha256
  const lines = files.map(({ name, sha256 }) => `${sha256}  ${name}\n`)
  return createHash('sha256').update(lines.join('')).digest('hex')
}

async function* notThere(): AsyncGenerator<Buffer> {
  yield* []
}

async function* openEach(
  parts: readonly ByteInput[],
  request: ManyRequest,
  passed: (input: TableInput, isDone: boolean) => void,
): AsyncGenerator<RecordFile> {
  const from = request.records?.sampleFrom
  let format: string | undefined
  for (const part of parts) {
    const person = personName(part.name, from)
    const name = part.name
    const open = async () => request.limited(await readTableInput(name, part.bytes(), request))
    const state = { isRead: true }
    const unreadable = async () => {
      state.isRead = false
      await readThrough(open, passed)
    }
    const opened = await openPart(open, request, passed).catch((error: unknown) => {
      if (from !== 'name') throw error
      return unreadableFile(name, encodeByteText(person, 'utf8'), error)
    })
    if ('isUnreadable' in opened) {
      yield opened
      await unreadable()
      continue
    }
    const { input, source } = opened
    refuseOther(source, format, name)
    format = source.format
    const own = namedByFile(source, from)
    const held = from === 'name' ? heldSource(own, name, unreadable) : own
    yield { name, person: encodeByteText(person, source.dialect.encoding), source: held }
    if (state.isRead) passed(input, true)
  }
}

async function openPart(
  open: () => Promise<TableInput>,
  request: ManyRequest,
  passed: (input: TableInput, isDone: boolean) => void,
): Promise<{ readonly input: TableInput; readonly source: RecordSource }> {
  const input = await open()
  passed(input, false)
  return { input, source: (await openNamed(input, request)) ?? (await openNamedRows(input, request)) }
}

/** The size and digest of a file that cannot be read as what it is are told all the same; unless it cannot be unpacked. */
async function readThrough(
  open: () => Promise<TableInput>,
  passed: (input: TableInput, isDone: boolean) => void,
): Promise<void> {
  try {
    const input = await open()
    for await (const _ of input.chunks());
    passed(input, true)
  } catch (error) {
    if (!isHlaError(error)) throw error
  }
}

/** @throws {HlaError} io — it is of another format than those before it */
function refuseOther({ format }: RecordSource, before: string | undefined, name: string): void {
  if (before === undefined || format === before) return
  throw new HlaError('io', `${name} is read as ${format}, the files before it as ${before}`, {
    offending: name,
    hint: advice`files of one table are of one format; ${option('input-format')} names it`,
  })
}

async function openNamed(input: TableInput, request: ManyRequest): Promise<RecordSource | undefined> {
  try {
    return await openSource(input, request)
  } catch (error) {
    throw withName(error, input.name)
  }
}

async function openNamedRows(input: TableInput, request: ManyRequest): Promise<RecordSource> {
  try {
    return await wideRows(input, request)
  } catch (error) {
    throw withName(error, input.name)
  }
}

function withName(error: unknown, name: string): unknown {
  if (!(error instanceof HlaError) || error.message.includes(name)) return error
  const { offending, hint, suggestions } = error
  return new HlaError(error.code, advice`${name}: ${error.said}`, {
    offending,
    hint,
    suggestions,
    cause: error,
  })
}

/** Of the world, and not of what is in the file. */
const WORLD: readonly ErrorCode[] = ['not-found', 'remote', 'pin', 'internal', 'no-data']

/** Nothing of it is given on before all of it is read. @throws {HlaError} of the world, not of what is in the file */
function heldSource(source: RecordSource, name: string, unreadable: () => Promise<void>): RecordSource {
  return {
    ...source,
    async *blocks() {
      const held: (readonly TypingRecord[])[] = []
      let fault: TypingRecord | undefined
      try {
        for await (const records of source.blocks()) held.push(placed(records))
      } catch (error) {
        fault = faultOfFile(name, error)
        await unreadable()
      }
      if (fault === undefined && held.every((records) => records.length === 0))
        fault = faultOfFile(name, new HlaError('io', 'the file has no typings'))
      if (fault === undefined) yield* held
      else yield [fault]
    },
  }
}

/** @throws {HlaError} io — a typing of no locus */
function placed(records: readonly TypingRecord[]): readonly TypingRecord[] {
  for (const record of records) if (record.locus === '') refuseUnplaced(record)
  return records
}

interface UnreadableFile extends RecordFile {
  readonly isUnreadable: true
}

/** In place of a file that could not even be opened. @throws `error`, when it is of the world */
function unreadableFile(name: string, person: string, error: unknown): UnreadableFile {
  const fault = faultOfFile(name, error)
  return {
    name,
    person,
    isUnreadable: true,
    source: {
      format: '', reading: '', personName: 'sample', extras: [], ignored: [], dialect: gatheredDialect(PLAIN),
      async *blocks() {
        yield await Promise.resolve([fault])
      },
    }, // prettier-ignore
  }
}

const PLAIN = {
  encoding: 'utf8', bom: 0, delimiter: '\t', quote: '"', lazyQuotes: false, preamble: 0, comment: undefined, eol: '\n',
} as const // prettier-ignore

function faultOfFile(name: string, error: unknown): TypingRecord {
  if (!isHlaError(error) || WORLD.includes(error.code) || isOfSystem(error.cause)) throw error
  const line = lineOf(error)
  const told = error.message.replace(`${name}: `, '')
  const reason = line === undefined ? told : told.replace(linePrefix(line), '')
  const fault = new HlaError('bad-record', reason, {
    offending: error.offending,
    hint: error.hint,
    cause: error,
  })
  return {
    person: undefined,
    locus: '',
    typing: '',
    slot: undefined,
    line: line ?? 1,
    values: [],
    error: fault,
  }
}

/** An error about a file has the one about its line as its cause. */
function lineOf(error: unknown): number | undefined {
  return isHlaError(error) ? (error.line ?? lineOf(error.cause)) : undefined
}

/** It could not be read from the disk. */
function isOfSystem(cause: unknown): boolean {
  return cause instanceof Error && 'syscall' in cause
}
