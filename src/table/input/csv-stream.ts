/** csv-parse, from the first byte on. */
import type { Dialect } from './dialect.ts'
import { optionsOf, type ParsedRecord } from './record-cutter.ts'

export interface RecordParser {
  /** The records that end in these bytes. */
  readonly write: (bytes: Buffer) => Promise<readonly ParsedRecord[]>
  /** What is left: a last record without an end. */
  readonly end: () => Promise<readonly ParsedRecord[]>
  /** After it there are no more records. */
  readonly failure: () => Error | undefined
}

export function streamParser(dialect: Dialect): RecordParser {
  let opened: Promise<RecordParser> | undefined
  let failure = (): Error | undefined => undefined
  const open = () => (opened ??= openParser(dialect))
  return {
    async write(bytes) {
      const parser = await open()
      failure = parser.failure
      return parser.write(bytes)
    },
    end: async () => (await open()).end(),
    failure: () => failure(),
  }
}

async function openParser(dialect: Dialect): Promise<RecordParser> {
  const { Parser } = await import('csv-parse')
  const parser = new Parser(optionsOf(dialect))
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
