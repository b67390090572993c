/** Conversions of tables and texts under way: so many at once, each of bounded length and time; their contents are in memory meanwhile.  [disk] */
import { ByteBlocks } from '../../../byte-blocks.ts'
import { errorMessage, isHlaError } from '../../../errors.ts'
import { StorageFailure, badRequest } from '../../contract/failure.ts'
import { TEXT_MIME, TYPES_BY_SUFFIX } from '../../contract/kinds.ts'
import { readLimits } from '../../domain/settings.ts'
import type { BlobRow, Staged } from '../../persistence/contents/blob-rows.ts'
import type { Store } from '../../persistence/store.ts'
import type { MediaType } from '../../protocol/bodies/multipart-upload.ts'

export interface Named {
  readonly title: string
  readonly type: string
  /** The parameter that asks for it. */
  readonly for: 'convert' | 'mimeType'
}

/** A content on disk: of a revision, or one that is none yet. */
export type ConvertedContent = Pick<BlobRow, 'sha256' | 'size' | 'place'> & {
  readonly pk?: number
  readonly bytes?: Uint8Array
}

export interface Conversions {
  readonly moreTypes: readonly string[]
  /** Whether the content is what it is to become. @throws 400, 413, 503 */
  check(content: ConvertedContent, wanted: WantedDocument, title: string): Promise<void>
  /** `work` has the table until it ends. @throws 400, 403, 503; whatever `work` throws */
  withTable<Result>(
    content: ConvertedContent,
    named: Named,
    work: (converter: TableConverter, table: GivenTable) => Promise<Result>,
  ): Promise<Result>
  /** Of the beginning of a table, as it was sent. @throws {HlaError} it cannot be read; 400, 503 */
  verdicts(name: string, bytes: Uint8Array): Promise<TypingVerdicts>
  close(): Promise<void>
}

/** ms that the beginning of a table may take. */
const LONGEST_LOOK = 5000

/** Each has its content and what is made of it in memory. */
const MOST_AT_ONCE = 4
const MOST_WAITING = 100

export function openConversions(store: Store, converter: TableConverter | undefined): Conversions {
  const inTurn = turns()
  const tableOf = async (
    content: ConvertedContent,
    { for: parameter, ...named }: Named,
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
        inWordsOf('convert', () => known.check(table)),
      )
    },
    verdicts(name, bytes) {
      if (converter === undefined) throw badRequest('This service looks at no typings.')
      const time = Math.min(LONGEST_LOOK, readLimits(store.read)['table-milliseconds'])
      const table = { name, pieces: [bytes], most: bytes.length, time }
      return inTurn(() => converter.verdicts(table))
    },
    async close() {
      await converter?.close()
    },
  }
}

/** Its type says more than its title. */
function tableName({ title, type }: Omit<Named, 'for'>): string {
  const suffix = title.slice(title.lastIndexOf('.') + 1).toLowerCase()
  if (TYPES_BY_SUFFIX.get(suffix) === type) return title
  const [own] = [...TYPES_BY_SUFFIX].find(([, one]) => one === type) ?? []
  return own === undefined ? title : `${title}.${own}`
}

/** What is wrong with a table, as a refusal of the request. */
export async function inWordsOf<Result>(
  parameter: Named['for'],
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

/** As it is staged, or kept. */
export function stagedContent({ sha256, size, bytes }: Staged): ConvertedContent {
  return bytes === undefined ? { sha256, size, place: 'file' } : { sha256, size, place: 'inline', bytes }
}

export async function* contentBytes(
  { blobs }: Pick<Store, 'blobs'>,
  { pk = 0, sha256, size, place, bytes }: ConvertedContent,
): AsyncGenerator<Uint8Array> {
  const opened = bytes ?? (await blobs.open({ pk, sha256, size, place }))
  if (opened instanceof Uint8Array) yield opened
  else yield* opened as AsyncIterable<Uint8Array>
}

/** In memory that the thread which converts it reads, too. */
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
    if (error instanceof TypeError) throw badRequest(`${title} is not a text in UTF-8.`, 'convert')
    throw error
  }
}

/** The first come is the first served; too many are told to come again. */
function turns() {
  const waiting: (() => void)[] = []
  let count = 0
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (count >= MOST_AT_ONCE) {
      if (waiting.length >= MOST_WAITING)
        throw new StorageFailure(503, 'backendError', 'Other tables are being converted.', { retryAfter: 2 })
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

/** What a content is to become. */
export interface WantedDocument {
  /** The type of the document. */
  readonly native: string
  /** Of the content. */
  readonly type: string
}

export interface TableConverter {
  /** Types that tables are exported as besides those of every document, as `about` lists them. */
  readonly moreTypes: readonly string[]
  /** @throws {HlaError} it is not one table that can be read */
  check(table: GivenTable): Promise<void>
  /** @throws {HlaError} nobody writes that type, or the table cannot be written so */
  write(table: GivenTable, type: MediaType): Promise<WrittenTable>
  /** Which of its cells are no typings. @throws {HlaError} it has none, or cannot be read */
  verdicts(table: GivenTable): Promise<TypingVerdicts>
  close(): Promise<void>
}

/** As they are answered. */
export interface TypingVerdicts {
  /** Whose names count: `3.58.0`, or the starter set of it. */
  readonly release: string
  /** Cells that were looked at, without those that say that nothing was typed. */
  readonly typings: number
  /** The first so many of them. */
  readonly cells: readonly CellVerdict[]
  /** All of them. */
  readonly found: number
}

interface CellVerdict {
  /** 1-based, of the table. */
  readonly line: number
  /** Of the header. */
  readonly column: string
  readonly value: string
  readonly why: string
  /** Whether it is a typing cannot be said with the data that are installed. */
  readonly isUndecided: boolean
}

export interface GivenTable {
  /** Of the file: its ending may say how it is written. */
  readonly name: string
  readonly pieces: readonly Uint8Array[]
  /** Bytes of it, unpacked. */
  readonly most: number
  /** ms that it may take. */
  readonly time: number
}

export interface WrittenTable {
  readonly contentType: string
  /** In place of the ending of the file's name. */
  readonly suffix: string
  /** Which data its answers are from; undefined: there are none. */
  readonly dataId: string | undefined
  /** To be read once. @throws {HlaError} what shows only when all is read */
  readonly body: AsyncIterable<Uint8Array>
}
