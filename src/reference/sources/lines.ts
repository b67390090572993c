/** Lines of the published text files: header and data. */

/** A data line, trimmed, with its 1-based number in the file. */
export interface DataLine {
  readonly text: string
  readonly number: number
}

/** Header in the `#` lines: 4 lines up to 3.21, 5 in 3.22–3.24, 6 from 3.25; recognised by content. */
export interface FileHeader {
  /** As written: `2024-10-09`. */
  readonly date: string | undefined
  /** As written, without the database's name: `3.58.0`. */
  readonly version: string | undefined
}

/** Lines end in LF, CRLF or, in 3.35 and 3.47, a lone CR. Empty lines and `#` lines are not data. */
export function readDataLines(text: string): DataLine[] {
  const lines: DataLine[] = []
  let number = 0
  for (const raw of text.split(/\r\n|\n|\r/)) {
    number += 1
    const line = raw.trim()
    if (line !== '' && !line.startsWith('#')) lines.push({ text: line, number })
  }
  return lines
}

export function readHeader(text: string): FileHeader {
  const head = text.slice(0, 2000).split(/\r\n|\n|\r/).filter((line) => line.startsWith('#')) // prettier-ignore
  return {
    date: findValue(head, /^# *date: *(\S+)/i),
    version: findValue(head, /^# *version: .*?(\d+\.\d+\.\d+)/i),
  }
}

function findValue(head: readonly string[], pattern: RegExp): string | undefined {
  for (const line of head) {
    const value = pattern.exec(line)?.[1]
    if (value !== undefined) return value
  }
  return undefined
}
