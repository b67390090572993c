/** A document of persons: text before the first and after the last; nothing is written of one without persons. */
import { HlaError } from '../../../errors.ts'
import type { Sink } from '../../../io/sink.ts'

interface DocumentFrame {
  readonly title: string
  /** ASCII character that each person begins with, left out of the first; empty: persons need no separator. */
  readonly separator: '' | ','
  readonly tail: string
}

/** The first text written is the head. */
export function documentSink(sink: Sink, { title, separator, tail }: DocumentFrame): Sink {
  let head: string | undefined
  let isBegun = false
  const begin = () => {
    isBegun = true
    sink.write(head ?? '')
  }
  const from = () => (isBegun ? 0 : separator.length)
  return {
    ...sink,
    write(text) {
      if (text === '') return
      if (head === undefined) {
        head = text
        return
      }
      const at = from()
      if (!isBegun) begin()
      sink.write(text.slice(at))
    },
    writeBytes(bytes) {
      if (bytes.length === 0) return
      const at = from()
      if (!isBegun) begin()
      sink.writeBytes(bytes.subarray(at))
    },
    flush() {
      if (isBegun) sink.flush()
    },
    complete() {
      if (!isBegun)
        throw new HlaError('not-in-format', `${title} needs at least one person, and none was written`)
      sink.write(tail)
      return sink.complete()
    },
  }
}
