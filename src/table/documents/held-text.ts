/** The text of a document from where it was last written on: what is not decided yet is held, all else leaves as it came. */
import { HlaError } from '../../errors.ts'

export interface Edit {
  /** Characters before it in the document. */
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Characters between two places where something may be written: no typing is nearly so long. */
const MOST_HELD = 32 * 1024 * 1024

export class HeldText {
  #text = ''
  #from = 0

  /** Characters that were written. */
  get from(): number {
    return this.#from
  }

  /** Characters of the document so far. */
  get end(): number {
    return this.#from + this.#text.length
  }

  /** @throws {HlaError} io — nothing could be written for too long */
  add(piece: string): void {
    this.#text += piece
    if (this.#text.length <= MOST_HELD) return
    throw new HlaError('io', `a part of the document with typings is longer than ${MOST_HELD} characters`)
  }

  /** @throws {HlaError} io — some of it was written already */
  slice(start: number, end: number): string {
    if (start >= this.#from) return this.#text.slice(start - this.#from, end - this.#from)
    throw new HlaError('io', 'the document cannot be written back: an attribute of it holds "<"', {
      hint: 'write &lt; for it',
    })
  }

  /** The last place of `sign` that is not before `start`; undefined: there is none. */
  lastPlace(sign: string, start: number): number | undefined {
    const at = this.#text.lastIndexOf(sign)
    return at < 0 || at + this.#from < start ? undefined : at + this.#from
  }

  /** All before `wanted`, edited; in the order of the document. */
  take(wanted: number, edits: readonly Edit[]): string {
    const upTo = Math.max(wanted, this.#from)
    const pieces: string[] = []
    let at = this.#from
    for (const { start, end, text } of edits) {
      pieces.push(this.slice(at, start), text)
      at = end
    }
    pieces.push(this.slice(at, upTo))
    this.#text = this.#text.slice(upTo - this.#from)
    this.#from = upTo
    return pieces.join('')
  }
}
