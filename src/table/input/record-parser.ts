/** Cuts streamed bytes into records. */
import type { Dialect } from './dialect.ts'
import { isHlaError } from '../../errors.ts'
import {
  MAX_ROW_BYTES,
  MAX_FIELDS,
  type ParsedRecord,
  type RecordCutter,
  cutterOptions,
  hasSeparators,
  plainRecord,
  recordCutter,
  tooWide,
} from './record-cutter.ts'

/** Cuts records at row ends; csv-parse reads those that span lines or have unsound quotes. */
export function recordParser(dialect: Dialect): RecordParser {
  // a single carriage return ends rows, which is obsolete and rare
  if (dialect.eol === '\r') return streamParser(dialect)
  const held = heldBytes()
  let parser: RecordParser | undefined
  let cut: RecordCutter['cut'] | undefined
  let failure: Error | undefined
  const isPlainIn = (bytes: Buffer) =>
    dialect.quote === undefined || !bytes.includes(dialect.quote, 0, 'latin1')
  return {
    async write(bytes) {
      if (held.size() + bytes.length > MAX_ROW_BYTES) parser ??= streamParser(dialect)
      if (parser !== undefined) return parser.write(held.take(bytes))
      const whole = held.enough(bytes)
      if (whole === undefined) return []
      const isPlain = isPlainIn(whole)
      const {
        records,
        next,
        failure: wide,
      } = isPlain ? plainRecords(whole, dialect) : cutRecords(whole, (cut ??= await preparedCut(dialect)))
      failure = wide
      held.keep(whole.subarray(next))
      if (!isPlain && areFoldedOften(records)) parser = streamParser(dialect)
      return records
    },
    async end() {
      const rest = held.take(Buffer.alloc(0))
      if (parser === undefined && isPlainIn(rest)) {
        const { records, next, failure: wide } = plainRecords(rest, dialect)
        failure = wide
        if (failure !== undefined || next === rest.length) return records
        const raw = rest.toString('latin1', next)
        if (!hasSeparators(raw, dialect.delimiter, MAX_FIELDS))
          return [...records, { record: raw.split(dialect.delimiter), raw }]
        failure = tooWide()
        return records
      }
      parser ??= streamParser(dialect)
      const first = await parser.write(rest)
      return [...first, ...(await parser.end())]
    },
    failure: () => failure ?? parser?.failure(),
  }
}

/** True when many records span lines: calling csv-parse for each takes three times as long as streaming. */
function areFoldedOften(records: readonly ParsedRecord[]): boolean {
  const folded = records.filter(({ raw }) => raw.lastIndexOf('\n', raw.length - 2) >= 0)
  return folded.length * 4 > records.length
}

/** Bytes of an incomplete record, scanned again only when doubled. */
function heldBytes() {
  let pieces: Buffer[] = []
  let [size, looked] = [0, 0]
  const take = (bytes: Buffer): Buffer => {
    const all = pieces.length === 0 ? bytes : Buffer.concat([...pieces, bytes])
    pieces = []
    size = 0
    return all
  }
  return {
    size: () => size,
    take,
    /** undefined when more bytes are needed. */
    enough(bytes: Buffer): Buffer | undefined {
      if (size + bytes.length >= looked * 2) return take(bytes)
      pieces.push(bytes)
      size += bytes.length
      return undefined
    },
    keep(rest: Buffer): void {
      if (rest.length > 0) pieces.push(rest)
      size = rest.length
      looked = size
    },
  }
}

interface Records {
  readonly records: readonly ParsedRecord[]
  /** Offset of the first record not among them. */
  readonly next: number
  /** Reason why no more records follow. */
  readonly failure?: Error
}

/** Records of bytes without quotes. */
function plainRecords(bytes: Buffer, dialect: Dialect): Records {
  const next = bytes.lastIndexOf(LF) + 1
  const lines = bytes.toString('latin1', 0, next).split('\n')
  lines.pop()
  const records: ParsedRecord[] = []
  try {
    for (const line of lines) records.push(plainRecord(line, dialect))
  } catch (error) {
    return { records, next, failure: wideOnly(error) }
  }
  return { records, next }
}

async function preparedCut(dialect: Dialect): Promise<RecordCutter['cut']> {
  const { cut, prepare } = recordCutter(dialect)
  await prepare()
  return cut
}

function cutRecords(bytes: Buffer, cut: RecordCutter['cut']): Records {
  const records: ParsedRecord[] = []
  for (let at = 0; ;) {
    try {
      const found = cut(bytes, at)
      if (found === undefined) return { records, next: at }
      records.push(found)
      at = found.next
    } catch (error) {
      return { records, next: at, failure: wideOnly(error) }
    }
  }
}

function wideOnly(error: unknown): Error {
  if (isHlaError(error)) return error
  throw error
}

const LF = 10

export interface RecordParser {
  /** Records that end in these bytes. */
  readonly write: (bytes: Buffer) => Promise<readonly ParsedRecord[]>
  /** The last record, if it has no line end. */
  readonly end: () => Promise<readonly ParsedRecord[]>
  /** Set when no more records can follow. */
  readonly failure: () => Error | undefined
}

const PIECE = 64 * 1024
/** A million or more quoted fields. */
const MAX_PIECES = 128

export function streamParser(dialect: Dialect): RecordParser {
  let opened: Promise<RecordParser> | undefined
  let failure = (): Error | undefined => undefined
  const open = () => (opened ??= openParser(dialect))
  let unended = 0
  const write = async (bytes: Buffer): Promise<readonly ParsedRecord[]> => {
    const parser = await open()
    failure = parser.failure
    const records: ParsedRecord[] = []
    for (let at = 0; at < bytes.length; at += PIECE) {
      const piece = bytes.subarray(at, at + PIECE)
      // a row spans many pieces that contain little but separators
      unended = hasSeparators(piece, dialect.delimiter, piece.length / 8) ? unended + 1 : 0
      const more = await parser.write(piece)
      const sound = soundOnly(more)
      records.push(...sound)
      if (more.length > 0) unended = 0
      if (unended >= MAX_PIECES) failure = () => tooWide()
      if (sound.length < more.length || unended >= MAX_PIECES) break
    }
    return records
  }
  const soundOnly = (records: readonly ParsedRecord[]): readonly ParsedRecord[] => {
    const wide = records.findIndex(({ record }) => record.length > MAX_FIELDS)
    if (wide < 0) return records
    failure = () => tooWide()
    return records.slice(0, wide)
  }
  return {
    write,
    end: async () => soundOnly(await (await open()).end()),
    failure: () => failure(),
  }
}

async function openParser(dialect: Dialect): Promise<RecordParser> {
  const { Parser } = await import('csv-parse')
  const parser = new Parser(cutterOptions(dialect))
  let failure: Error | undefined
  parser.on('error', (error) => (failure = error))
  // writing parses synchronously; output is taken before the next write, so nothing accumulates
  const taken = (): ParsedRecord[] => {
    const records: ParsedRecord[] = []
    for (;;) {
      // with `raw`, records come as these pairs
      const next = parser.read() as ParsedRecord | null
      if (next === null) return records
      records.push(next)
    }
  }
  return {
    async write(bytes) {
      if (bytes.length > 0) parser.write(bytes)
      return taken()
    },
    async end() {
      if (failure !== undefined) return []
      const records: ParsedRecord[] = []
      const take = () => void records.push(...taken())
      await new Promise<void>((resolve) => {
        parser.on('readable', take)
        parser.on('end', resolve)
        parser.on('error', () => resolve())
        parser.end()
        take()
      })
      return records
    },
    failure: () => failure,
  }
}
