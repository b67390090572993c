/** csv-parse, from the first byte on. */
import type { Dialect } from './dialect.ts'
import { hasSeparators, MOST_FIELDS, cutterOptions, type ParsedRecord, tooWide } from './record-cutter.ts'

export interface RecordParser {
  /** The records that end in these bytes. */
  readonly write: (bytes: Buffer) => Promise<readonly ParsedRecord[]>
  /** What is left: a last record without an end. */
  readonly end: () => Promise<readonly ParsedRecord[]>
  /** After it there are no more records. */
  readonly failure: () => Error | undefined
}

const PIECE = 64 * 1024
/** A million fields and more, quoted. */
const MOST_PIECES = 128

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
      // a row goes on over many pieces that are little but separators
      unended = hasSeparators(piece, dialect.delimiter, piece.length / 8) ? unended + 1 : 0
      const more = await parser.write(piece)
      const sound = soundOnly(more)
      records.push(...sound)
      if (more.length > 0) unended = 0
      if (unended >= MOST_PIECES) failure = () => tooWide()
      if (sound.length < more.length || unended >= MOST_PIECES) break
    }
    return records
  }
  const soundOnly = (records: readonly ParsedRecord[]): readonly ParsedRecord[] => {
    const wide = records.findIndex(({ record }) => record.length > MOST_FIELDS)
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
  // writing parses at once; what it gave is taken before more is written, so nothing piles up
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
