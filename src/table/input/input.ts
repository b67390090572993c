/** Bytes of a table, unpacked according to its content, with its identity. */
import { advice, clause, command, option } from '../../advice.ts'
import { type Hash, createHash } from 'node:crypto'
import { ByteBlocks } from '../../byte-blocks.ts'
import { HlaError, errorReason, isHlaError } from '../../errors.ts'
import type { FileIdentity } from '../../io/file-identity.ts'
import type { ByteInput } from '../../io/file-port.ts'
import { refuseBinary } from '../../io/packing/binary-content.ts'
import {
  type Packing,
  isZip,
  recognizePacking,
  refuseWorkbook,
  unpackStream,
} from '../../io/packing/packing.ts'
import { type Beginning, type LayoutNote, readBeginning } from './arrange.ts'
import type { DialectHints } from './dialect.ts'
import type { Workbook } from './workbook/workbook.ts'
import { type DocumentFormat, recognizeDocument } from '../../nomenclature/document-format.ts'

/** A table before its rows are read. `sample`: the first 64 KiB, or all of a shorter one. */
export interface TableBytes extends Pick<Beginning, 'sample' | 'dialect' | 'lines'> {
  /** Name as given; `stdin` for `-`. */
  readonly name: string
  readonly compression: Packing | undefined
  /** Set for a sheet of a workbook; `chunks` are then its lines as CSV. */
  readonly workbook?: Workbook | undefined
  /** All bytes, unpacked, including the sample; readable once. */
  readonly chunks: () => AsyncGenerator<Buffer>
  /** Number of stored bytes read so far. */
  readonly bytesRead: () => number
  /** Digest of all stored bytes; undefined unless requested. */
  readonly sha256: () => string | undefined
  /** Identities of the files read, when several make one table. */
  readonly parts?: (() => readonly FileIdentity[]) | undefined
  /** Changes to its lines before parsing. */
  readonly layoutNotes: readonly LayoutNote[]
}

const SAMPLE = 64 * 1024

/** Form of sheets as text; options about text do not apply to cells. */
export const OF_SHEETS = { delimiter: ',', quote: '"', lazyQuotes: false, encoding: 'utf8' } as const

export interface TableSource {
  /** True when a digest is wanted, which takes a fifteenth of a conversion's time. */
  readonly isHashed?: boolean
  /** Sheet of a workbook. */
  readonly sheet?: string | undefined
  /** Options about the form of the table. */
  readonly dialect?: DialectHints | undefined
  /** True when its lines are not made regular. */
  readonly isVerbatim?: boolean
}

/**
 * @throws {HlaError} io, lfs-pointer, unknown-format — zstd, which this Node cannot unpack; usage — no such sheet; and
 * errors of `bytes`
 */
export async function readTableInput(
  name: string,
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
  { isHashed = false, sheet, dialect: hints = {}, isVerbatim }: TableSource = {},
): Promise<TableBytes> {
  const seen: Seen = { bytes: 0, hash: isHashed ? createHash('sha256') : undefined }
  const head = await takeHead(coded(counted(bytes, seen), name), 4)
  const all = rejoined(head)
  const workbook = isZip(head.taken) ? await openSheet(all, name, sheet) : undefined
  if (workbook === undefined) refuseSheet(sheet, head.taken, name)
  const compression = workbook === undefined ? recognizePacking(head.taken) : undefined
  const text = workbook === undefined ? all : workbook.lines()
  const plain = compression === undefined ? text : coded(await unpackStream(all, compression, name), name)
  const first = await takeHead(plain, SAMPLE)
  refuseBinary(first.taken, name)
  refusePointer(first.taken, name)
  const said = workbook === undefined ? hints : { ...hints, ...OF_SHEETS }
  const { arrange, notes, ...beginning } = readBeginning(name, first.taken, said, isVerbatim)
  return {
    ...beginning,
    name,
    compression,
    workbook,
    chunks: () => arrange(beginningSmall(rejoined(first))),
    layoutNotes: notes,
    bytesRead: () => seen.bytes,
    sha256: () => seen.hash?.copy().digest('hex'),
  }
}

/** Maximum bytes of a workbook: its directory is at the end, so all of it is held in memory. */
const MAX_OF_WORKBOOK = 256 * 1024 ** 2

async function openSheet(
  bytes: AsyncIterable<Buffer>,
  name: string,
  sheet: string | undefined,
): Promise<Workbook> {
  const held = new ByteBlocks()
  for await (const chunk of bytes) {
    held.add(chunk)
    if (held.size > MAX_OF_WORKBOOK)
      throw new HlaError(
        'io',
        `${name} is larger than a workbook may be: ${MAX_OF_WORKBOOK / 1024 ** 2} MiB`,
        {
          offending: name,
          hint: 'export the sheet as CSV, with the typing columns formatted as text',
        },
      )
  }
  const { openWorkbook } = await import('./workbook/workbook.ts')
  return openWorkbook(held.joined(), { name, sheet })
}

function refuseSheet(sheet: string | undefined, head: Buffer, name: string): void {
  refuseWorkbook(head, name)
  if (sheet === undefined) return
  throw new HlaError('usage', advice`${option('sheet')} requires a workbook, and ${name} is not one`, {
    offending: sheet,
  })
}

/** Bytes delivered in growing pieces, so that the plan and the first rows need not wait. */
const BEGINNING = 256 * 1024
const FIRST_PIECE = 8 * 1024
const LARGEST_PIECE = 32 * 1024

async function* beginningSmall(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let given = 0
  let piece = FIRST_PIECE
  for await (const chunk of chunks) {
    let rest = chunk
    while (given < BEGINNING && rest.length > piece) {
      yield rest.subarray(0, piece)
      rest = rest.subarray(piece)
      given += piece
      piece = Math.min(piece * 2, LARGEST_PIECE)
    }
    given += rest.length
    yield rest
  }
}

interface Seen {
  bytes: number
  readonly hash: Hash | undefined
}

async function* counted(bytes: AsyncIterable<Buffer> | Iterable<Buffer>, seen: Seen): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    seen.hash?.update(chunk)
    seen.bytes += chunk.length
    yield chunk
  }
}

/** Converts system errors to HlaError. */
async function* coded(bytes: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  try {
    yield* bytes
  } catch (error) {
    if (isHlaError(error)) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new HlaError('not-found', `there is no file ${name}`, { offending: name })
    const cut = code === 'Z_BUF_ERROR' ? 'the compressed data is cut short' : errorReason(error)
    throw new HlaError('io', `cannot read ${name}: ${cut}`, { offending: name, cause: error })
  }
}

interface Head {
  readonly taken: Buffer
  readonly rest: AsyncGenerator<Buffer>
}

async function takeHead(chunks: AsyncGenerator<Buffer>, atLeast: number): Promise<Head> {
  const taken: Buffer[] = []
  for (let size = 0; size < atLeast;) {
    const next = await chunks.next()
    if (next.done === true) break
    taken.push(next.value)
    size += next.value.length
  }
  return { taken: Buffer.concat(taken), rest: chunks }
}

async function* rejoined({ taken, rest }: Head): AsyncGenerator<Buffer> {
  if (taken.length > 0) yield taken
  yield* rest
}

/** The bytes that were read of an input for a look at it, in its place: advice is tried on these. */
export function beginningOf(
  source: ByteInput,
  { name, sample }: Pick<TableBytes, 'name' | 'sample'>,
): ByteInput {
  return { ...source, name, bytes: () => oneBlock(sample) }
}

async function* oneBlock(bytes: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(bytes)
}

function refusePointer(sample: Buffer, name: string): void {
  if (!sample.subarray(0, 40).toString('latin1').startsWith('version https://git-lfs')) return
  const hint = 'run "git lfs pull" there, or download the file'
  throw new HlaError('lfs-pointer', `${name} is a git-lfs pointer, not the file`, { offending: name, hint })
}

/** Bytes in which a document's content begins; comments may precede it. */
const DOCUMENT_BEGINNING = 4096

/** Format of a document by its beginning, in any encoding; undefined for a table or lines. */
export function documentFormat(sample: Buffer): DocumentFormat | undefined {
  // signatures of formats are ASCII: zero bytes and marks of other encodings are removed
  const beginning = sample.subarray(0, DOCUMENT_BEGINNING).toString('latin1').replaceAll('\0', '').replace(/^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/, '') // prettier-ignore
  return recognizeDocument(beginning)
}

/** @throws {HlaError} io — not a table */
export function refuseDocument(sample: Buffer, name: string): void {
  const format = documentFormat(sample)
  if (format === undefined) return
  const hint =
    format === 'JSON'
      ? advice`a table has one row per line${clause`; ${command('pipe')} reads JSON, one request per line`}`
      : 'in HML the GL Strings are the texts of its glstring elements; a table has one row per line'
  throw new HlaError('io', `${name} is ${format}, not a table`, { offending: name, hint })
}
