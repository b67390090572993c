/** A stream whose beginning can be read twice: as rows, to plan by, and as bytes from where those rows end. */
import type { Row } from '../read-table.ts'

export interface Repeatable {
  readonly chunks: () => AsyncGenerator<Buffer>
  /** All bytes from `offset` on, which was read before. Whoever reads `chunks` reads no more. */
  readonly from: (offset: number) => AsyncGenerator<Buffer>
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
    async *from(offset) {
      const rest = Buffer.concat(kept ?? []).subarray(offset)
      kept = undefined
      if (rest.length > 0) yield rest
      yield* source
    },
    forget: () => (kept = undefined),
  }
}

/** Of rows in an encoding of one byte a character. */
export function bytesOf(rows: readonly Row[]): number {
  return rows.reduce((sum, { raws, eol }) => sum + raws.join(' ').length + eol.length, 0)
}
