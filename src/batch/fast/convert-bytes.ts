/** A stream of bytes, converted as they come. */
import { type Conversion, convertRows } from '../convert.ts'
import type { Dialect } from '../dialect.ts'
import { readRows } from '../read-table.ts'
import type { FastConverter } from './fast-converter.ts'

export interface ByteRun {
  readonly chunks: AsyncIterable<Buffer>
  readonly dialect: Dialect
  /** Of the first row. */
  readonly line: number
  readonly converter: FastConverter
  /** For what is left at the end. */
  readonly conversion: Conversion
  readonly write: (bytes: Buffer) => void
  /** After each block: bytes of `chunks` that were converted and written, and the line of the next row. */
  readonly passed?: (used: number, line: number) => void
}

export async function convertBytes(run: ByteRun): Promise<void> {
  const { converter, write, passed } = run
  let line = run.line
  let held: Buffer = Buffer.alloc(0)
  let waiting: Buffer[] = []
  let size = 0
  let all = 0
  for await (const chunk of run.chunks) {
    waiting.push(chunk)
    size += chunk.length
    // a row without an end is looked at again only when twice as much of it is there
    if (size < held.length) continue
    const converted = converter.convert([held, ...waiting], line)
    waiting = []
    size = 0
    held = converted.rest
    line = converted.line
    all += converted.used
    if (converted.output.length > 0) write(converted.output)
    passed?.(all, line)
  }
  await convertTail(Buffer.concat([held, ...waiting]), line, run)
}

/** The last row may have no end; a quote may be open. */
export async function convertTail(bytes: Buffer, line: number, run: Pick<ByteRun, 'dialect' | 'conversion'>) {
  if (bytes.length === 0) return
  async function* once() {
    yield await Promise.resolve(bytes)
  }
  for await (const rows of readRows(once(), run.dialect, line)) convertRows(rows, run.conversion)
}
