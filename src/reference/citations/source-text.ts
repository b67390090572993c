/** A published file as text: its lines by what stands in them, without reading all of them. */

export interface SourceLine {
  /** 1-based, as editors count; LF, CRLF and a lone CR end a line. */
  readonly line: number
  /** Without white space at both ends. */
  readonly text: string
}

export interface SourceText {
  /** The first line at or behind the text `from` that holds `needle` and is accepted; none for an empty one. */
  row(needle: string, accept: (line: string) => boolean, from?: string): SourceLine | undefined
  /** The same of what begins one line only: who asks for one after the other in the order of the file finds each near the last. */
  onlyRow(start: string, from: string): SourceLine | undefined
}

/** Characters behind the last one found: some hundred lines. */
const NEAR = 16 * 1024

export function sourceText(text: string): SourceText {
  let starts: Uint32Array | undefined
  let last = 0
  const rowAt = (at: number): SourceLine => {
    starts ??= findLineStarts(text)
    const line = lineAt(starts, at)
    return { line, text: text.slice(starts[line - 1], starts[line]).trim() }
  }
  return {
    onlyRow(start, from) {
      const near = findLineStart(text.slice(last, last + NEAR), start, 0)
      const at = near < 0 ? findLineStart(text, start, Math.max(text.indexOf(from), 0)) : last + near
      if (at < 0) return undefined
      last = at
      return rowAt(at)
    },
    row(needle, accept, from = '') {
      if (needle === '') return undefined
      starts ??= findLineStarts(text)
      let at = text.indexOf(needle, Math.max(text.indexOf(from), 0))
      while (at >= 0) {
        const number = lineAt(starts, at)
        const end = starts[number] ?? text.length
        const line = text.slice(starts[number - 1], end).trim()
        if (!line.startsWith('#') && accept(line)) return { line: number, text: line }
        // one look at each line: rows of large groups hold the same digits a hundred times
        at = text.indexOf(needle, end)
      }
      return undefined
    },
  }
}

/** Where a line begins with `start`; -1: nowhere. */
function findLineStart(text: string, start: string, from: number): number {
  let at = text.indexOf(start, from)
  while (at > 0 && !'\r\n'.includes(text.charAt(at - 1))) at = text.indexOf(start, at + 1)
  return at
}

function findLineStarts(text: string): Uint32Array {
  const starts = [0]
  const ends = /\r\n|\n|\r/g
  while (ends.test(text)) starts.push(ends.lastIndex)
  return Uint32Array.from(starts)
}

/** The 1-based number of the line that holds the offset. */
function lineAt(starts: Uint32Array, offset: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return low
}
