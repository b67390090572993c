/** Lines of a stream of bytes, none longer than allowed: whatever is sent, memory stays bounded. */
import { ByteBlocks } from '../../byte-blocks.ts'

export const TOO_LONG = Symbol('a line that is too long')

/** The complete lines of each piece that comes in; a last line needs no line feed. `most` is bytes. */
export async function* cutLines(
  pieces: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<(string | typeof TOO_LONG)[]> {
  const cutter = new Cutter(most)
  for await (const piece of pieces) {
    const lines = cutter.cut(piece)
    if (lines.length > 0) yield lines
  }
  const last = cutter.end()
  if (last !== undefined) yield [last]
}

const LINE_FEED = 10
const CARRIAGE_RETURN = 13

class Cutter {
  readonly #most: number
  readonly #begun = new ByteBlocks()
  #size = 0

  constructor(most: number) {
    this.#most = most
  }

  cut(piece: Uint8Array): (string | typeof TOO_LONG)[] {
    const lines: (string | typeof TOO_LONG)[] = []
    let start = 0
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, start)) {
      this.#keep(piece.subarray(start, end))
      lines.push(this.#take())
      start = end + 1
    }
    this.#keep(piece.subarray(start))
    return lines
  }

  end(): string | typeof TOO_LONG | undefined {
    return this.#size === 0 ? undefined : this.#take()
  }

  #keep(bytes: Uint8Array): void {
    this.#size += bytes.length
    if (this.#size > this.#most) this.#begun.clear()
    else if (bytes.length > 0) this.#begun.add(bytes)
  }

  #take(): string | typeof TOO_LONG {
    const isTooLong = this.#size > this.#most
    const bytes = this.#begun.joined()
    this.#begun.clear()
    this.#size = 0
    if (isTooLong) return TOO_LONG
    const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length
    return bytes.toString('utf8', 0, end)
  }
}
