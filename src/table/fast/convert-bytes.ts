/** Converts a stream of bytes as they arrive. */
import type { Dialect } from '../input/dialect.ts'
import type { TableRow } from '../input/read-table.ts'
import type { FastConverter } from './fast-converter.ts'

export interface ByteRun {
  readonly chunks: AsyncIterable<Buffer>
  readonly dialect: Dialect
  /** Line of the first row. */
  readonly line: number
  readonly converter: FastConverter
  readonly write: (bytes: Buffer) => void
  /** Awaited before more is converted. */
  readonly ready?: () => Promise<void> | undefined
  /** Called after each written block of rows, with the line of the next row. */
  readonly passed?: (line: number) => void
  /** Runs one uninterrupted unit of work; omit when its time is not measured. */
  readonly inTurn?: <T>(work: () => T) => T
  /** Maximum bytes of an incomplete row, each scan of which takes proportional time; omit for no limit. */
  readonly longest?: number
}

export interface ByteEnd {
  /** Line after the last converted row. */
  readonly line: number
  /** Remainder that begins with a row longer than `longest`; undefined when everything is converted. */
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
    // an incomplete row is scanned again only when twice as much of it has arrived
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
  /** True when no more bytes follow. */
  readonly isLast?: boolean
}

/**
 * Converts all complete rows of these bytes, output by output; returns the remainder, valid until the next conversion.
 */
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

/** Line after these rows. */
export function lineBehind(rows: readonly TableRow[], { eol }: Dialect): number {
  const last = rows.at(-1)
  if (last === undefined) return 1
  return last.line + (last.raws.join('').match(eol === '\r' ? /\r/g : /\n/g)?.length ?? 0) + 1
}
