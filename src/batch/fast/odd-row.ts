/** A row the scan cannot read, cut out and taken apart the ordinary way. */
import type { Dialect } from '../dialect.ts'
import { LONGEST_ROW, neverClosed, optionsOf, type Row, rowOf } from '../read-table.ts'

export interface CutRow {
  readonly row: Row
  /** Where the next one begins. */
  readonly next: number
}

export type RowCutter = (bytes: Buffer, start: number, line: number) => CutRow | undefined

const LF = 10

/** Cuts the row at `start`; undefined: it ends behind these bytes. */
export async function rowCutter(dialect: Dialect): Promise<RowCutter> {
  const { parse } = await import('csv-parse/sync')
  const options = { ...optionsOf(dialect), to: 1 }
  const quote = dialect.quote?.charCodeAt(0) ?? -1
  return (bytes, start, line) => {
    const feed = bytes.indexOf(LF, start)
    const end = feed < 0 ? bytes.length : feed
    if (quote < 0 || !bytes.subarray(start, end).includes(quote)) {
      if (feed < 0) return undefined
      const raw = bytes.toString('latin1', start, bytes[end - 1] === CR && end > start ? end : end + 1)
      const body = raw.slice(0, -1)
      return {
        row: rowOf({ record: body.split(dialect.delimiter), raw }, true, dialect, { line }),
        next: end + 1,
      }
    }
    const parsed = parseFirst(bytes.subarray(start))
    if (parsed === undefined) return undefined
    const last = start + parsed.raw.length
    const isCrLf = parsed.raw.endsWith('\r') && bytes[last] === LF
    if (!isCrLf && bytes[last - 1] !== LF) return undefined
    return { row: rowOf(parsed, true, dialect, { line }), next: isCrLf ? last + 1 : last }
  }

  function parseFirst(bytes: Buffer): { record: readonly string[]; raw: string } | undefined {
    try {
      // with `raw`, records come as these pairs
      return (parse(bytes, options) as unknown as { record: string[]; raw: string }[])[0]
    } catch (error) {
      if ((error as { code?: string }).code === 'CSV_QUOTE_NOT_CLOSED') return undefined
      throw error
    }
  }
}

const CR = 13

/** @throws {HlaError} bad-quote — more than the longest row has no end */
export function refuseEndless(held: number, line: number): void {
  if (held > LONGEST_ROW) throw neverClosed(line)
}
