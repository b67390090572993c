/** A stream of bytes, converted as they come. */
import type { Dialect } from '../input/dialect.ts'
import type { TableRow } from '../input/read-table.ts'
import type { FastConverter } from './fast-converter.ts'

export interface ByteRun {
  readonly chunks: AsyncIterable<Buffer>
  readonly dialect: Dialect
  /** Of the first row. */
  readonly line: number
  readonly converter: FastConverter
  readonly write: (bytes: Buffer) => void
  /** Waited for before more is converted. */
  readonly ready?: () => Promise<void> | undefined
  /** After each block of rows that was written: the line of the next row. */
  readonly passed?: (line: number) => void
  /** Whatever is converted in one go is one turn; undefined: nobody counts its time. */
  readonly inTurn?: <T>(work: () => T) => T
  /** Bytes of a row without an end, each look at which takes as long as it is; undefined: it may have any. */
  readonly longest?: number
}

export interface ByteEnd {
  /** Behind the last row that was converted. */
  readonly line: number
  /** What begins with a row that is longer than `longest`; undefined: all is converted. */
  readonly rest?: AsyncIterable<Buffer>
}

export async function convertBytes(run: ByteRun): Promise<ByteEnd> {
  const { passed, longest = Infinity } = run
  const chunks = run.chunks[Symbol.asyncIterator]()
  let line = run.line
  let held: Buffer = Buffer.alloc(0)
  let waiting: Buffer[] = []
  let size = 0
  const place = {
    passed(next: number) {
      line = next
      passed?.(line)
    },
  }
  for (;;) {
    const { done, value: chunk } = await chunks.next()
    if (done === true) break
    waiting.push(chunk)
    size += chunk.length
    // a row without an end is looked at again only when twice as much of it is there
    if (size < held.length) continue
    held = await convertWhole({ ...run, ...place }, [held, ...waiting], line)
    waiting = []
    size = 0
    if (held.length > longest) return { line, rest: behind(Buffer.from(held), chunks) }
  }
  if (held.length + size > 0) await convertWhole({ ...run, ...place, isLast: true }, [held, ...waiting], line)
  return { line }
}

async function* behind(held: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield held
  yield* { [Symbol.asyncIterator]: () => chunks }
}

type WholeRun = Pick<ByteRun, 'converter' | 'write' | 'ready' | 'passed' | 'inTurn'> & {
  /** Nothing is behind these bytes. */
  readonly isLast?: boolean
}

/** All rows that are whole in these bytes, an output after another; gives what is behind them, good until more is converted. */
export async function convertWhole(
  { converter, write, ready, passed, inTurn = atOnce, isLast }: WholeRun,
  bytes: readonly Uint8Array[],
  firstLine: number,
): Promise<Buffer> {
  let [pieces, line] = [bytes, firstLine]
  const convert = () => converter.convert(pieces, line, isLast)
  for (;;) {
    const { output, rest, line: next, isFull } = inTurn(convert)
    if (output.length > 0) write(output)
    passed?.(next)
    if (!isFull) return rest
    await converter.prepare()
    await ready?.()
    pieces = [rest]
    line = next
  }
}

function atOnce<T>(work: () => T): T {
  return work()
}

/** The line behind these rows. */
export function lineBehind(rows: readonly TableRow[], { eol }: Dialect): number {
  const last = rows.at(-1)
  if (last === undefined) return 1
  return last.line + (last.raws.join('').match(eol === '\r' ? /\r/g : /\n/g)?.length ?? 0) + 1
}
