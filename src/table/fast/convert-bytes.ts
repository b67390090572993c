/** A stream of bytes, converted as they come. */
import { type Conversion, convertRows } from '../run/convert.ts'
import type { Dialect } from '../input/dialect.ts'
import { readRows } from '../input/read-table.ts'
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
  /** Waited for before more is converted. */
  readonly ready?: () => Promise<void> | undefined
  /** After each block: bytes of `chunks` that were converted and written, and the line of the next row. */
  readonly passed?: (used: number, line: number) => void
}

export async function convertBytes(run: ByteRun): Promise<void> {
  const { passed } = run
  let line = run.line
  let held: Buffer = Buffer.alloc(0)
  let waiting: Buffer[] = []
  let size = 0
  let all = 0
  const place = {
    passed(used: number, next: number) {
      line = next
      all += used
      passed?.(all, line)
    },
  }
  for await (const chunk of run.chunks) {
    waiting.push(chunk)
    size += chunk.length
    // a row without an end is looked at again only when twice as much of it is there
    if (size < held.length) continue
    held = await convertWhole({ ...run, ...place }, [held, ...waiting], line)
    waiting = []
    size = 0
  }
  await convertTail(Buffer.concat([held, ...waiting]), line, run)
}

/** All rows that are whole in these bytes, an output after another; gives what is behind them, good until more is converted. */
export async function convertWhole(
  { converter, write, ready, passed }: Pick<ByteRun, 'converter' | 'write' | 'ready' | 'passed'>,
  bytes: readonly Uint8Array[],
  firstLine: number,
): Promise<Buffer> {
  let [pieces, line] = [bytes, firstLine]
  for (;;) {
    const { output, used, rest, line: next, isFull } = converter.convert(pieces, line)
    if (output.length > 0) write(output)
    passed?.(used, next)
    if (!isFull) return rest
    await ready?.()
    pieces = [rest]
    line = next
  }
}

/** The last row may have no end; a quote may be open. */
export async function convertTail(bytes: Buffer, line: number, run: Pick<ByteRun, 'dialect' | 'conversion'>) {
  if (bytes.length === 0) return
  async function* once() {
    yield await Promise.resolve(bytes)
  }
  for await (const rows of readRows(once(), run.dialect, line)) convertRows(rows, run.conversion)
}
