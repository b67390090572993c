/**
 * Several files with one or more samples each, as one table: in the given order, one open at a time. They may come from
 * different programs.
 */
import { advice, option, type OptionAdvice } from '../../advice.ts'
import { errorText, messageText } from '../../operations/faces.ts'
import { createHash } from 'node:crypto'
import { type ErrorCode, HlaError, isHlaError, linePrefix } from '../../errors.ts'
import { errorAt } from '../placed-error.ts'
import { type Retry, triedError } from '../tried-error.ts'
import type { FileIdentity } from '../../io/file-identity.ts'
import type { ByteInput } from '../../io/file-port.ts'
import type { DialectHints } from '../input/dialect.ts'
import { encodeByteText, readable } from '../input/encoding.ts'
import { recognizeContent } from './recognize.ts'
import { readTableInput } from '../input/input.ts'
import type { TableInput } from '../plan/table-input.ts'
import type { RecordFile } from './gathering/record-files.ts'
import { type ShapeRequest, gatheredInput, noTypings, openSource } from './open-records.ts'
import { callerLocus, personName, refuseUnplaced } from './gathering/person.ts'
import { type FileSamples, fileSamples } from './file-samples.ts'
import { formatCount } from '../../format-count.ts'
import { TABLE_PROGRAMS, tableProgram } from './record-formats.ts'
import { PROGRAMS } from './programs/programs.ts'
import type { FileNote, LostFile, SkippedFile } from '../input/places.ts'
import type { ExtraColumn, RecordSource, TypingRecord } from './typing-record.ts'
import { WIDE, type WideRequest, wideRows } from './wide-rows.ts'
import { gatheredDialect } from './long-table.ts'
import type { OpenTable } from '../plan/open-table.ts'
import { tableNotes } from '../plan/recognition/table-notes.ts'

export interface ManyRequest extends ShapeRequest {
  readonly isHashed: boolean
  /** Sheet of workbooks. */
  readonly sheet: string | undefined
  readonly limited: (input: TableInput) => TableInput
  /** Delimiter of the table when its files are of several kinds. */
  readonly delimiter: string
  /** Files that are not opened. */
  readonly skipped?: readonly SkippedFile[] | undefined
  readonly ofFile: (name: string) => FileReading
  /** Columns to leave out that no table has had so far. */
  readonly unmatched: ReadonlySet<string>
  /** The same with further options typed, to try what is advised on a file; omit to try nothing. */
  readonly retyped?: ((typed: readonly OptionAdvice[]) => Partial<ManyRequest>) | undefined
}

/** Reading of one file, the same as when it is converted alone. */
export interface FileReading {
  readonly dialect: DialectHints
  readonly shape: ShapeRequest
  /** A table with one person per row. @throws {HlaError} errors of reading and planning */
  readonly open: (input: TableInput) => Promise<OpenTable>
  readonly rows: Omit<WideRequest, 'person' | 'keepsRows'>
}

/** @throws {HlaError} any error of a file, with its name */
export async function openManyFiles(
  name: string,
  parts: readonly ByteInput[],
  request: ManyRequest,
): Promise<TableInput> {
  const from = request.records?.sampleFrom
  const { skipped, delimiter, records } = request
  const lost: LostFile[] = []
  const notes: FileNote[] = []
  const samples = await fileSamples(from === undefined ? parts : [], request)
  const cohort = {
    isMerged: records?.isMerged === true || records?.isConsensus === true,
    hasSources: from === undefined || skipped !== undefined || records?.isConsensus === true,
    dialect: gatheredDialect({ ...PLAIN, delimiter }),
    lost,
    notes,
    skipped: skipped ?? [],
    samples: samples.notes,
  }
  const seen = { done: 0, open: (): number => 0 }
  const read: FileIdentity[] = []
  const files = openEach(
    parts,
    { ...request, lost, notes, hasSources: cohort.hasSources, samples },
    (input, isDone) => {
      if (!isDone) {
        seen.open = input.bytesRead
        return
      }
      seen.done += input.bytesRead()
      seen.open = () => 0
      read.push({ name: input.name, bytes: input.bytesRead(), sha256: input.sha256() ?? '' })
    },
  )
  const all: TableInput = {
    ...noBytes(),
    name,
    dialect: cohort.dialect,
    bytesRead: () => seen.done + seen.open(),
    sha256: () => (request.isHashed ? joinedDigest(read) : undefined),
    parts: parts.length === 1 ? undefined : () => read,
  }
  try {
    return await gatheredInput(all, withExcluded(files, request.unmatched), { ...request, cohort })
  } catch (error) {
    // only the first file's error is known
    const [first] = lost
    throw first !== undefined && isHlaError(error) && error.code === 'io' ? lostError(first) : error
  }
}

function lostError({ name, error }: LostFile): unknown {
  return withName(isHlaError(error.cause) ? error.cause : error, name)
}

/** Digest of a single file, or of the lines of `sha256sum` for several. */
export function joinedDigest(files: readonly FileIdentity[]): string {
  const [only, another] = files
  if (only !== undefined && another === undefined) return only.sha256
  const lines = files.map(({ name, sha256 }) => `${sha256}  ${name}\n`)
  return createHash('sha256').update(lines.join('')).digest('hex')
}

async function* notThere(): AsyncGenerator<never> {
  yield* []
}

function noBytes() {
  return { sample: Buffer.alloc(0), lines: [], layoutNotes: [], compression: undefined, chunks: notThere }
}

interface OpenRequest extends ManyRequest {
  readonly lost: LostFile[]
  readonly notes: FileNote[]
  readonly hasSources: boolean
  readonly samples: FileSamples
}

async function* openEach(
  parts: readonly ByteInput[],
  request: OpenRequest,
  passed: (input: TableInput, isDone: boolean) => void,
): AsyncGenerator<RecordFile> {
  const { lost, hasSources, records } = request
  const from = records?.sampleFrom
  const callers = new Set<string>()
  for (const part of parts) {
    const { name } = part
    const person = request.samples.names?.get(name) ?? personName(name, from)
    let file: RecordFile | undefined = { name, person: encodeByteText(person, 'utf8'), isUnreadable: true, source: NOTHING } // prettier-ignore
    let read: TableInput | undefined
    try {
      ;({ file, input: read } = await openFile(part, person, request, passed))
      if (records?.isConsensus === true) file = ofCaller(file, callers)
    } catch (error) {
      if (from !== 'name' && !hasSources) throw error
      const fault = faultOfFile(name, await triedOn(part, error, request))
      const hasRow = from === 'name' && records?.isConsensus !== true
      if (!hasRow) lost.push({ name, line: fault.line, error: fault.error })
      file = hasRow ? { ...file, source: replayed(file.source, [[fault]]) } : undefined
      await readThrough(() => openBytes(part, request), passed)
    }
    if (file !== undefined) yield file
    if (read !== undefined) passed(read, true)
  }
}

/**
 * The file with its typings as those of one caller: the program that wrote it, or a table that names its persons.
 * @throws {HlaError} usage — too many
 */
function ofCaller(file: RecordFile, callers: Set<string>): RecordFile {
  const { program = '', name = '', source } = file
  const isProgram =
    PROGRAMS.some(({ title }) => title === program) || TABLE_PROGRAMS.some(([one]) => one === program)
  const caller = (isProgram ? program : name).replaceAll(/[:=]/g, '_')
  // scores and counts of one caller are about a typing that may not be written
  const isKept = ({ isOfTyping }: ExtraColumn) => !isProgram && !isOfTyping
  callers.add(caller)
  if (callers.size > MAX_CALLERS)
    throw new HlaError('usage', `more than ${MAX_CALLERS} callers: each table that no program wrote is one`, {
      hint: 'give one table per caller, with a row per sample',
    })
  return {
    ...file,
    source: {
      ...source,
      extras: source.extras.filter(isKept),
      async *blocks() {
        for await (const records of source.blocks())
          yield records.map((one) => ({
            ...one,
            locus: one.locus === '' ? '' : callerLocus(caller, one.locus),
            values: one.values.filter(
              (_, at) => source.extras[at] !== undefined && isKept(source.extras[at]),
            ),
          }))
      },
    },
  }
}

/** Callers whose columns a row has. */
const MAX_CALLERS = 50

/** A file with its records, which are held where a fault in any of them loses all. @throws any error of the file */
async function openFile(
  part: ByteInput,
  person: string,
  request: OpenRequest,
  passed: (input: TableInput, isDone: boolean) => void,
): Promise<{ readonly file: RecordFile; readonly input: TableInput }> {
  const { notes, hasSources, loci, records, samples } = request
  const { name, size = Infinity } = part
  const { input, source } = await openPart(() => openBytes(part, request), person, request, passed)
  const own = inTable(source, hasSources)
  const file = { name, person: encodeByteText(person, own.dialect.encoding), source: own, program: programOf(input, source) } // prettier-ignore
  const isByFile = records?.sampleFrom !== undefined && records.sampleFrom !== 'column'
  if (isByFile) {
    const named = namedRecords(await readWhole(own), file.person, notes, name)
    return { file: { ...file, source: replayed(own, named) }, input }
  }
  if (!hasSources || size > MAX_HELD) return { file, input }
  const held = ofGenes(await readWhole(own), loci)
  samples.add(name, held.flat())
  return { file: { ...file, source: replayed(own, held) }, input }
}

async function openBytes({ name, bytes }: ByteInput, request: ManyRequest): Promise<TableInput> {
  const { isHashed, sheet } = request
  const { dialect } = request.ofFile(name)
  return request.limited(await readTableInput(name, bytes(), { isHashed, sheet, dialect }))
}

/** The error of a file with the advice that reads it. */
async function triedOn(part: ByteInput, error: unknown, request: OpenRequest): Promise<unknown> {
  const { retyped } = request
  if (!isHlaError(error) || retyped === undefined) return error
  const retry: Retry<unknown> = (typed) => {
    const again = { ...request, ...retyped(typed), notes: [], samples: { ...request.samples, add: ignored } }
    return openFile(part, '', again, ignored)
  }
  return triedError(error, part.size === undefined ? undefined : retry)
}

function ignored(): void {
  // a trial counts nothing
}

/** @throws {HlaError} usage — no table has a column that is to be left out */
async function* withExcluded(
  files: AsyncGenerator<RecordFile>,
  unmatched: ReadonlySet<string>,
): AsyncGenerator<RecordFile> {
  yield* files
  const [column] = unmatched
  if (column === undefined) return
  throw new HlaError('usage', `no table among the files has a column "${column}" to leave out`, {
    offending: column,
    hint: advice`remove the column from ${option('exclude')}`,
  })
}

async function openPart(
  open: () => Promise<TableInput>,
  person: string,
  request: OpenRequest,
  passed: (input: TableInput, isDone: boolean) => void,
): Promise<{ readonly input: TableInput; readonly source: RecordSource }> {
  const input = await open()
  passed(input, false)
  const { shape, ...reading } = request.ofFile(input.name)
  try {
    const records = await openSource(input, shape, recognizeContent(input, shape))
    return { input, source: records ?? (await rowsOf(input, person, reading, request)) } // prettier-ignore
  } catch (error) {
    throw withName(error, input.name)
  }
}

async function rowsOf(
  input: TableInput,
  person: string,
  { open, rows }: Pick<FileReading, 'open' | 'rows'>,
  { hasSources, notes }: OpenRequest,
): Promise<RecordSource> {
  const table = await open(input)
  for (const note of tableNotes(table.plan))
    if (!OF_ALL_FILES.includes(note.code)) notes.push({ ...note, file: input.name })
  const { encoding } = table.dialect
  return wideRows(table, { ...rows, person: encodeByteText(person, encoding), keepsRows: hasSources })
}

/** Codes of notes about the whole table that is made. */
const OF_ALL_FILES: readonly string[] = ['unknown-words', 'source-releases']

/** Size and digest of a file that cannot be parsed are still recorded, unless it cannot be unpacked. */
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

/** A table of files of several kinds is UTF-8. */
function inTable(source: RecordSource, hasSources: boolean): RecordSource {
  const { encoding } = source.dialect
  if (!hasSources || encoding === 'utf8') return source
  const text = (value: string) => encodeByteText(readable(value, encoding), 'utf8')
  return {
    ...source,
    dialect: { ...source.dialect, encoding: 'utf8' },
    extras: source.extras.map((one) => ({ ...one, name: text(one.name) })),
    async *blocks() {
      for await (const records of source.blocks())
        yield records.map((one) => ({
          ...one,
          person: one.person === undefined ? undefined : text(one.person),
          typing: text(one.typing),
          values: one.values.map(text),
        }))
    },
  }
}

/** Bytes up to which a file is read completely before its rows are passed on. */
const MAX_HELD = 32 * 1024 ** 2

/** Program that wrote the file, else its kind. */
function programOf({ workbook, lines: [header = ''] }: TableInput, { format }: RecordSource): string {
  if (format !== WIDE) return format
  return tableProgram(header) ?? (workbook === undefined ? 'table' : 'workbook')
}

/**
 * Records of a file that names one sample. When its rows name several persons, each keeps its name after the file's.
 * Byte texts.
 */
function namedRecords(held: HeldRecords, person: string, notes: FileNote[], file: string): HeldRecords {
  const nameOf = (one: TypingRecord) => (one.isRow === true ? `${one.line}` : (one.person ?? ''))
  const all = new Set(held.flatMap((records) => records.map(nameOf)))
  if (all.size < 2) return held.map((records) => records.map((one) => ({ ...one, person: undefined })))
  const message = advice`${formatCount(all.size)} persons are in a file that names one sample; each has its own name behind that of the file` // prettier-ignore
  notes.push({
    level: 'warning',
    code: 'several-persons',
    message: messageText(message, 'command-line'),
    file,
  })
  const own = ({ person: name = '', line }: TypingRecord) => (name.trim() === '' ? `${line}` : name)
  return held.map((records) => records.map((one) => ({ ...one, person: `${person}:${own(one)}` })))
}

function withName(error: unknown, name: string): unknown {
  if (!(error instanceof HlaError) || error.message.includes(name)) return error
  return errorAt(name, error)
}

/** Errors of access, rather than of a file's content. */
const WORLD: readonly ErrorCode[] = ['not-found', 'remote', 'pin', 'internal', 'no-data']

/**
 * All records of a source, so that nothing of an unreadable file is passed on.
 * @throws {HlaError} io — no typings, or a typing without a locus; and errors of reading
 */
async function readWhole(source: RecordSource): Promise<HeldRecords> {
  const held: (readonly TypingRecord[])[] = []
  for await (const records of source.blocks()) held.push(placed(records))
  if (held.every((records) => records.length === 0)) throw new HlaError('io', 'the file has no typings')
  return held
}

type HeldRecords = readonly (readonly TypingRecord[])[]

/** The records themselves. @throws {HlaError} io — none of their loci is one of the release */
function ofGenes(held: HeldRecords, loci: readonly string[]): HeldRecords {
  const known = new Set(loci)
  const named = new Set(held.flatMap((records) => records.map(({ locus }) => locus)).filter(Boolean))
  const isTable = held.some((records) => records.some(({ isRow }) => isRow === true))
  if (isTable || named.size === 0 || [...named].some((locus) => known.has(locus))) return held
  throw noTypings('the file', [...named])
}

function replayed(source: RecordSource, held: HeldRecords): RecordSource {
  return {
    ...source,
    async *blocks() {
      yield* await Promise.resolve(held)
    },
  }
}

/** @throws {HlaError} io — a typing without a locus */
function placed(records: readonly TypingRecord[]): readonly TypingRecord[] {
  for (const record of records) if (record.locus === '') refuseUnplaced(record)
  return records
}

const PLAIN = {
  encoding: 'utf8', bom: 0, delimiter: '\t', quote: '"', lazyQuotes: false, preamble: 0, comment: undefined, eol: '\n',
} as const // prettier-ignore

/** Stands for a file that could not be opened. */
const NOTHING: RecordSource = {
  format: '', reading: '', personName: 'sample', extras: [], ignored: [], dialect: gatheredDialect(PLAIN), blocks: notThere,
} // prettier-ignore

/** Stands for a person who cannot be read. @throws `error`, if it is one of access */
function faultOfFile(name: string, error: unknown): TypingRecord & { readonly error: HlaError } {
  if (!isHlaError(error) || WORLD.includes(error.code) || isOfSystem(error.cause)) throw error
  const line = lineOf(error)
  const told = errorText(error, 'command-line').replace(`${name}: `, '')
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

/** Line of an error; an error about a file has the one about its line as its cause. */
function lineOf(error: unknown): number | undefined {
  return isHlaError(error) ? (error.line ?? lineOf(error.cause)) : undefined
}

/** True when it could not be read from the disk. */
function isOfSystem(cause: unknown): boolean {
  return cause instanceof Error && 'syscall' in cause
}
