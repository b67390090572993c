/** Running conversions of tables and texts: limits their number, size and time, because their contents are in memory.  [disk] */
import { ByteBlocks } from '../../../byte-blocks.ts'
import { errorMessage, isHlaError } from '../../../errors.ts'
import { StorageFailure, badRequest } from '../../contract/failure.ts'
import { TEXT_MIME, TYPES_BY_SUFFIX } from '../../contract/kinds.ts'
import { readLimits } from '../../domain/settings.ts'
import type { BlobRow, Staged } from '../../persistence/contents/blob-rows.ts'
import type { Store } from '../../persistence/store.ts'
import type { MediaType } from '../../protocol/bodies/multipart-upload.ts'

export interface ConversionTarget {
  readonly title: string
  readonly type: string
  /** Parameter that requested the conversion. */
  readonly for: 'convert' | 'mimeType'
}

/** Stored content: of a revision, or staged for one. */
export type ConvertedContent = Pick<BlobRow, 'sha256' | 'size' | 'kind'> & {
  readonly pk?: number
  readonly bytes?: Uint8Array
}

export interface Conversions {
  readonly moreTypes: readonly string[]
  /** Checks that the content can become the wanted document. @throws 400, 413, 503 */
  check(content: ConvertedContent, wanted: WantedDocument, title: string): Promise<void>
  /** Runs `work` with the table, which stays in memory until `work` ends. @throws 400, 403, 503; failures of `work` */
  withTable<Result>(
    content: ConvertedContent,
    named: ConversionTarget,
    work: (converter: TableConverter, table: GivenTable) => Promise<Result>,
  ): Promise<Result>
  /** Checks the typings at the beginning of a table. @throws {HlaError} unreadable table; 400, 503 */
  verdicts(name: string, bytes: Uint8Array): Promise<TypingVerdicts>
  close(): Promise<void>
}

/** Maximum ms to check the beginning of a table. */
const MAX_LOOK_MS = 5000

/** Concurrent conversions; each holds its content and its output in memory. */
const MAX_CONVERSIONS = 4
const MAX_WAITING = 100

export function openConversions(store: Store, converter: TableConverter | undefined): Conversions {
  const inTurn = turns()
  const tableOf = async (
    content: ConvertedContent,
    { for: parameter, ...named }: ConversionTarget,
  ): Promise<GivenTable> => {
    const { 'table-bytes': most, 'table-milliseconds': time } = readLimits(store.read)
    if (content.size > most) throw tooLarge(parameter === 'convert' ? 413 : 403, most)
    return { name: tableName(named), pieces: await collected(store, content), most, time }
  }
  const withTable: Conversions['withTable'] = (content, named, work) => {
    if (converter === undefined) throw badRequest('This service converts no tables.', 'convert')
    return inTurn(async () => work(converter, await tableOf(content, named)))
  }
  return {
    moreTypes: converter?.moreTypes ?? [],
    withTable,
    async check(content, { native, type }, title) {
      if (native === TEXT_MIME) return checkText(store, content, title)
      await withTable(content, { title, type, for: 'convert' }, async (known, table) =>
        withRequestFailures('convert', () => known.check(table)),
      )
    },
    verdicts(name, bytes) {
      if (converter === undefined) throw badRequest('This service does not check typings.')
      const time = Math.min(MAX_LOOK_MS, readLimits(store.read)['table-milliseconds'])
      const table = { name, pieces: [bytes], most: bytes.length, time }
      return inTurn(() => converter.verdicts(table))
    },
    async close() {
      await converter?.close()
    },
  }
}

/** File name for a table; the type takes precedence over the title's suffix. */
export function tableName({ title, type }: Omit<ConversionTarget, 'for'>): string {
  const suffix = title.slice(title.lastIndexOf('.') + 1).toLowerCase()
  if (TYPES_BY_SUFFIX.get(suffix) === type) return title
  const [own] = [...TYPES_BY_SUFFIX].find(([, one]) => one === type) ?? []
  return own === undefined ? title : `${title}.${own}`
}

/** Turns the converter's errors into failures of the request. */
export async function withRequestFailures<Result>(
  parameter: ConversionTarget['for'],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (isHlaError(error)) throw badRequest(errorMessage(error).replace(/\.?$/, '.'), parameter)
    throw error
  }
}

export function tooLarge(status: 403 | 413, most: number): StorageFailure {
  const message = `A table of more than ${most} bytes is not converted.`
  return new StorageFailure(status, status === 413 ? 'uploadTooLarge' : 'exportSizeLimitExceeded', message)
}

export function stagedContent({ sha256, size, bytes }: Staged): ConvertedContent {
  return bytes === undefined ? { sha256, size, kind: 'file' } : { sha256, size, kind: 'inline', bytes }
}

export async function* contentBytes(
  { blobs }: Pick<Store, 'blobs'>,
  { pk = 0, sha256, size, kind, bytes }: ConvertedContent,
): AsyncGenerator<Uint8Array> {
  const opened = bytes ?? (await blobs.open({ pk, sha256, size, kind }))
  if (opened instanceof Uint8Array) yield opened
  else yield* opened as AsyncIterable<Uint8Array>
}

/** Reads the content into memory shared with the converting thread. */
async function collected(store: Store, content: ConvertedContent): Promise<readonly Uint8Array[]> {
  const all = new ByteBlocks(true)
  for await (const bytes of contentBytes(store, content)) all.add(bytes)
  return all.pieces()
}

/** @throws 400 */
async function checkText(store: Store, content: ConvertedContent, title: string): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const bytes of contentBytes(store, content)) {
      if (bytes.includes(0)) throw new TypeError('U+0000')
      decoder.decode(bytes, { stream: true })
    }
    decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw badRequest(`${title} is not UTF-8 text.`, 'convert')
    throw error
  }
}

/** Runs work in order of arrival; refuses it with 503 when too much is waiting. */
function turns() {
  const waiting: (() => void)[] = []
  let count = 0
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (count >= MAX_CONVERSIONS) {
      if (waiting.length >= MAX_WAITING)
        throw new StorageFailure(503, 'backendError', 'Too many tables are being converted; try again.', {
          retryAfter: 2,
        })
      await new Promise<void>((go) => waiting.push(go))
    } else count += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) count -= 1
      else next()
    }
  }
}

export interface WantedDocument {
  /** MIME type of the document. */
  readonly native: string
  /** MIME type of the content. */
  readonly type: string
}

export interface TableConverter {
  /** Further export types for tables, as `about` lists them. */
  readonly moreTypes: readonly string[]
  /** @throws {HlaError} unreadable, or more than one table */
  check(table: GivenTable): Promise<void>
  /** @throws {HlaError} no writer for the type, or the table cannot be written in it */
  write(table: GivenTable, type: MediaType): Promise<WrittenTable>
  /** Finds the cells that are not typings. @throws {HlaError} no typings, or unreadable */
  verdicts(table: GivenTable): Promise<TypingVerdicts>
  close(): Promise<void>
}

/** Response body of the typing check. */
export interface TypingVerdicts {
  /** Release that defines the valid names: `3.58.0`, or its starter set. */
  readonly release: string
  /** Number of cells checked, without those that mean "not typed". */
  readonly typings: number
  /** First cells found, up to a limit. */
  readonly cells: readonly CellVerdict[]
  /** Number of cells found in all. */
  readonly found: number
}

interface CellVerdict {
  /** Line in the table, from 1. */
  readonly line: number
  /** Name in the header. */
  readonly column: string
  readonly value: string
  readonly why: string
  /** True if the installed data cannot decide whether the cell is a typing. */
  readonly isUndecided: boolean
}

export interface GivenTable {
  /** File name; its suffix may determine the format. */
  readonly name: string
  readonly pieces: readonly Uint8Array[]
  /** Maximum bytes, uncompressed. */
  readonly most: number
  /** Maximum ms. */
  readonly time: number
}

export interface WrittenTable {
  readonly contentType: string
  /** Replaces the suffix of the file name. */
  readonly suffix: string
  /** Id of the data behind the answers; undefined if none were used. */
  readonly dataId: string | undefined
  /** Iterable once. @throws {HlaError} errors found only after reading all of the table */
  readonly body: AsyncIterable<Uint8Array>
}
