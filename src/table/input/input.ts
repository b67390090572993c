/** The bytes of a table, unpacked by what it holds, with its identity. */
import { advice, clause, command, option } from '../../advice.ts'
import { type Hash, createHash } from 'node:crypto'
import { ByteBlocks } from '../../byte-blocks.ts'
import { HlaError, errorReason, isHlaError } from '../../errors.ts'
import type { FileIdentity } from '../../io/file-identity.ts'
import { refuseBinary } from '../../io/packing/binary-content.ts'
import { type Packing, isZip, recognizePacking, refuseWorkbook, unpacked } from '../../io/packing/packing.ts'
import { type LayoutNote, arranged } from './arrange.ts'
import type { Dialect, DialectHints } from './dialect.ts'
import type { Workbook } from './workbook/workbook.ts'
import { recognizeDocument } from '../../nomenclature/document-format.ts'
import type { PastNames } from '../cells/past-names.ts'
import type { ColumnChoice } from '../plan/columns.ts'
import type { FileNote, LostFile, Places, SkippedFile } from './records/gathering/places.ts'

export interface TableInput {
  /** As given; `stdin` for `-`. */
  readonly name: string
  /** The first 64 KiB of the table, or all of a shorter one. */
  readonly sample: Buffer
  readonly compression: Packing | undefined
  /** Where the table stands, when it is a sheet of a workbook: `chunks` are its lines of CSV. */
  readonly workbook?: Workbook | undefined
  /** All bytes, unpacked, the sample included. To be read once. */
  readonly chunks: () => AsyncGenerator<Buffer>
  /** Bytes of the file as it is stored that were read so far. */
  readonly bytesRead: () => number
  /** Of all of them; undefined unless asked for. */
  readonly sha256: () => string | undefined
  /** Of several files that are one table, each that was read; undefined: it is one. */
  readonly parts?: (() => readonly FileIdentity[]) | undefined
  /** What was made of its lines before they are read as a table. */
  readonly layoutNotes?: readonly LayoutNote[]
  /** The bytes are not those of the file, but of a table that was made of its typings. */
  readonly made?: MadeTable
}

const SAMPLE = 64 * 1024

/** How sheets are written down as text: what is said about text means nothing for cells. */
export const OF_SHEETS = { delimiter: ',', quote: '"', lazyQuotes: false, encoding: 'utf8' } as const

export interface TableSource {
  /** The digest is wanted, which takes a fifteenth of the time of a conversion. */
  readonly isHashed?: boolean
  /** Of a workbook. */
  readonly sheet?: string | undefined
  /** What is said of the table, whose lines are made regular; undefined: they stay as they are. */
  readonly dialect?: DialectHints | undefined
}

/**
 * @throws {HlaError} io, lfs-pointer, unknown-format — zstd, which this Node cannot unpack; usage — no such sheet;
 * and whatever `bytes` throws
 */
export async function readTableInput(
  name: string,
  bytes: AsyncIterable<Buffer>,
  { isHashed = false, sheet, dialect }: TableSource = {},
): Promise<TableInput> {
  const seen: Seen = { bytes: 0, hash: isHashed ? createHash('sha256') : undefined }
  const head = await take(coded(counted(bytes, seen), name), 4)
  const all = rejoined(head)
  const workbook = isZip(head.taken) ? await openSheet(all, name, sheet) : undefined
  if (workbook === undefined) refuseSheet(sheet, head.taken, name)
  const compression = workbook === undefined ? recognizePacking(head.taken) : undefined
  const text = workbook === undefined ? all : workbook.lines()
  const plain = compression === undefined ? text : coded(await unpacked(all, compression, name), name)
  const { taken: sample, rest } = await take(plain, SAMPLE)
  refuseBinary(sample, name)
  refusePointer(sample, name)
  const said = dialect && (workbook === undefined ? dialect : { ...dialect, ...OF_SHEETS })
  const regular = said && arranged(name, sample, said)
  const chunks = () => beginningSmall(rejoined({ taken: sample, rest }))
  return {
    name,
    sample: regular?.sample ?? sample,
    compression,
    workbook,
    chunks: regular === undefined ? chunks : () => regular.arrange(chunks()),
    ...(regular === undefined ? {} : { layoutNotes: regular.notes }),
    bytesRead: () => seen.bytes,
    sha256: () => seen.hash?.copy().digest('hex'),
  }
}

/** Bytes of a workbook: what says which parts it has stands at its end, so that all of it is held. */
const MOST_OF_WORKBOOK = 256 * 1024 ** 2

async function openSheet(
  bytes: AsyncIterable<Buffer>,
  name: string,
  sheet: string | undefined,
): Promise<Workbook> {
  const held = new ByteBlocks()
  for await (const chunk of bytes) {
    held.add(chunk)
    if (held.size > MOST_OF_WORKBOOK)
      throw new HlaError(
        'io',
        `${name} is larger than a workbook may be: ${MOST_OF_WORKBOOK / 1024 ** 2} MiB`,
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
  throw new HlaError('usage', advice`${option('sheet')} names a sheet of a workbook, and ${name} is none`, {
    offending: sheet,
  })
}

/** Bytes that come in pieces, each larger: rows to plan by, and the first to be seen, need not wait for more. */
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

async function* counted(bytes: AsyncIterable<Buffer>, seen: Seen): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    seen.hash?.update(chunk)
    seen.bytes += chunk.length
    yield chunk
  }
}

/** System errors as ours. */
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

async function take(chunks: AsyncGenerator<Buffer>, atLeast: number): Promise<Head> {
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

function refusePointer(sample: Buffer, name: string): void {
  if (!sample.subarray(0, 40).toString('latin1').startsWith('version https://git-lfs')) return
  const hint = 'run "git lfs pull" there, or download the file itself'
  throw new HlaError('lfs-pointer', `${name} is a git-lfs pointer, not the file`, { offending: name, hint })
}

/** Where what the document is about begins: comments may stand before it. */
const DOCUMENT_BEGINNING = 4096

/** `sample` in any encoding. @throws {HlaError} io — it is no table */
export function refuseDocument(sample: Buffer, name: string): void {
  // signs of formats are ASCII: what else an encoding has between or before them is left out
  const beginning = sample.subarray(0, DOCUMENT_BEGINNING).toString('latin1').replaceAll('\0', '').replace(/^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/, '') // prettier-ignore
  const format = recognizeDocument(beginning)
  if (format === undefined) return
  const hint =
    format === 'JSON'
      ? advice`a table has a row a line${clause`; ${command('pipe')} reads JSON, a request a line`}`
      : 'in HML the GL Strings are the texts of its glstring elements; a table has a row a line'
  throw new HlaError('io', `${name} is ${format}, not a table`, { offending: name, hint })
}

export interface MadeTable {
  readonly dialect: Dialect
  /** `A=2,3` for each locus of the release; the others, whose columns are not read; and what is no typing. */
  readonly choice: Required<
    Pick<ColumnChoice, 'loci' | 'unknownLoci' | 'areUnknownRead' | 'scores' | 'isExact'>
  >
  readonly facts: MadeFacts
  readonly places: Places
  /** Name of a column -> its number, from 0. */
  readonly columns: ReadonlyMap<string, number>
  /** Places name their file. */
  readonly hasFiles: boolean
  /** Places have paths besides lines. */
  readonly hasPaths: boolean
}

/** For people and for provenance. */
export interface MadeFacts {
  /** `long table` */
  readonly format: string
  /** `sample ID, locus Locus, allele Allele1 Allele2` */
  readonly reading: string
  readonly files: number
  /** Files that could not be read; filled as they are opened. */
  readonly lost?: readonly LostFile[]
  /** How tables among them were read; filled as they are opened. */
  readonly notes?: readonly FileNote[]
  /** Files of folders that were not opened. */
  readonly skipped?: readonly SkippedFile[]
  /** Persons that several files have, a row each. */
  readonly repeated?: readonly string[]
  /** Columns about a person that are kept. */
  readonly kept: readonly string[]
  /** Columns that go nowhere: they differ within a person. */
  readonly left: readonly string[]
  /** What else the file says, and nobody reads. */
  readonly ignored: readonly string[]
  /** Releases that the first typings say they were made with -> how many. */
  readonly releases: ReadonlyMap<string, number>
  /** How names of these releases were read; undefined: as they stand. */
  readonly past?: Pick<PastNames, 'isKnown'> | undefined
}
