/** Compact lists of name numbers: a count, then gaps and runs as variable-length integers. */

/** Ascending distinct numbers -> bytes. A run of consecutive numbers takes two integers, whatever its length. */
export function encodeList(numbers: readonly number[]): number[] {
  const bytes: number[] = []
  writeVarint(bytes, numbers.length)
  let previous = -1
  for (let at = 0; at < numbers.length;) {
    const first = numbers[at] ?? 0
    let run = 1
    while (numbers[at + run] === first + run) run += 1
    const gap = first - previous - 1
    writeVarint(bytes, gap * 2 + (run > 1 ? 1 : 0))
    if (run > 1) writeVarint(bytes, run)
    previous = first + run - 1
    at += run
  }
  return bytes
}

/** `need` is called with each offset before it is read. */
export function decodeList(bytes: Uint8Array, start: number, need?: (at: number) => void): number[] {
  const cursor = { bytes, at: start, need }
  const count = readVarint(cursor)
  const numbers: number[] = []
  let next = 0
  while (numbers.length < count) {
    const head = readVarint(cursor)
    next += Math.floor(head / 2)
    const run = head % 2 === 1 ? readVarint(cursor) : 1
    for (let step = 0; step < run; step += 1) numbers.push(next + step)
    next += run
  }
  return numbers
}

function writeVarint(bytes: number[], value: number): void {
  let rest = value
  while (rest >= 128) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
}

interface Cursor {
  readonly bytes: Uint8Array
  at: number
  readonly need: ((at: number) => void) | undefined
}

function readVarint(cursor: Cursor): number {
  let value = 0
  for (let scale = 1; ; scale *= 128) {
    cursor.need?.(cursor.at)
    const byte = cursor.bytes[cursor.at] ?? 0
    cursor.at += 1
    value += (byte % 128) * scale
    if (byte < 128) return value
  }
}
