/** A stream whose beginning can be read twice: as rows, to plan by, and as bytes, to convert. */
import type { TableRow } from '../input/read-table.ts'

export interface Repeatable {
  readonly chunks: () => AsyncGenerator<Buffer>
  /** All bytes, those that were read included. Whoever reads `chunks` reads no more. */
  readonly again: () => AsyncGenerator<Buffer>
  /** Nothing will be read twice. */
  readonly forget: () => void
}

export function repeatable(source: AsyncGenerator<Buffer>): Repeatable {
  let kept: Buffer[] | undefined = []
  return {
    async *chunks() {
      for (;;) {
        const next = await source.next()
        if (next.done === true) return
        kept?.push(next.value)
        yield next.value
      }
    },
    async *again() {
      const first = kept ?? []
      kept = undefined
      yield* first
      yield* source
    },
    forget: () => (kept = undefined),
  }
}

export async function* behind(chunks: AsyncIterable<Buffer>, offset: number): AsyncGenerator<Buffer> {
  let skip = offset
  for await (const chunk of chunks) {
    const rest = chunk.subarray(skip)
    skip -= Math.min(skip, chunk.length)
    if (rest.length > 0) yield rest
  }
}

/** Of rows, as byte text. */
export function countBytes(rows: readonly TableRow[]): number {
  return rows.reduce((sum, { raws, eol }) => sum + raws.join(' ').length + eol.length, 0)
}
