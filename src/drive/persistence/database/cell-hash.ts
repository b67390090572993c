/** Hashes of the cells of a database, as SQLite gives their values and as a changeset of its session extension has them. */

export type CellValue = null | bigint | number | string | Uint8Array

/** Of SQLite's session extension. */
export interface Changes {
  readonly bytes: Uint8Array
  readonly view: DataView
}

/** Of a value of a changeset: https://www.sqlite.org/session/sqlite3changeset_new.html, its format in ext/session/sqlite3session.c. */
export function endOfValue(bytes: Uint8Array, at: number): number {
  const type = bytes[at]
  if (type === STORED.none || type === STORED.null) return at + 1
  if (type === STORED.integer || type === STORED.real) return at + 9
  return textStart(bytes, at) + textLength(bytes, at)
}

export const STORED = { none: 0, integer: 1, real: 2, text: 3, bytes: 4, null: 5 } as const

/** As SQLite writes lengths: seven bits a byte, the highest first; never more than five bytes. */
function textLength(bytes: Uint8Array, at: number): number {
  let length = 0
  for (let next = at + 1; ; next += 1) {
    const byte = bytes[next] ?? 0
    length = length * 128 + (byte & 0x7f)
    if (byte < 0x80) return length
  }
}

function textStart(bytes: Uint8Array, at: number): number {
  let next = at + 1
  while ((bytes[next] ?? 0) >= 0x80) next += 1
  return next + 1
}

const [INTEGER, REAL, TEXT, BYTES, BIG] = [1, 2, 3, 4, 5]

/** Two multiplicative hashes of 32 bits beside each other, after MurmurHash3: https://github.com/aappleby/smhasher */
function makeLanes() {
  let [one, other] = [0, 0]
  const word = (value: number) => {
    one = Math.imul(one ^ Math.imul(value, 0xcc9e2d51), 0x85ebca6b)
    one ^= one >>> 13
    other = Math.imul(other ^ Math.imul(value, 0x1b873593), 0xc2b2ae35)
    other ^= other >>> 16
  }
  const bytes = (type: number, from: Uint8Array, start: number, length: number) => {
    word(type)
    word(length)
    const end = start + length
    const whole = end - (length & 3)
    let at = start
    for (; at < whole; at += 4)
      word(
        (from[at] ?? 0) |
          ((from[at + 1] ?? 0) << 8) |
          ((from[at + 2] ?? 0) << 16) |
          ((from[at + 3] ?? 0) << 24),
      )
    for (; at < end; at += 1) word(from[at] ?? 0)
  }
  return {
    from(state: Int32Array): void {
      one = state[0] ?? 0
      other = state[1] ?? 0
    },
    to(state: Int32Array): void {
      state[0] = one
      state[1] = other
    },
    add(sums: Int32Array, sign: number): void {
      // modulo 2^32, as its elements are stored
      sums[0] = (sums[0] ?? 0) + sign * one
      sums[1] = (sums[1] ?? 0) + sign * other
    },
    word,
    bytes,
  }
}

/** Of cells. A whole number is the same whichever way SQLite stores it. */
export function makeHash() {
  const lanes = makeLanes()
  const { word, bytes } = lanes
  const pair = (type: number, high: number, low: number) => {
    word(type)
    word(high)
    word(low)
  }
  const whole = (value: number) => pair(INTEGER, Math.floor(value / 2 ** 32), value | 0)
  const isWhole = (high: number, low: number) => Number.isSafeInteger(high * 2 ** 32 + (low >>> 0))
  const double = new DataView(new ArrayBuffer(8))
  const real = (value: number) => {
    if (Number.isSafeInteger(value)) return whole(value)
    double.setFloat64(0, value)
    pair(REAL, double.getInt32(0), double.getInt32(4))
  }
  return {
    ...lanes,
    value(value: CellValue): void {
      if (value === null) word(0)
      else if (typeof value === 'number') real(value)
      else if (typeof value === 'bigint') {
        const [high, low] = [Number(BigInt.asIntN(32, value >> 32n)), Number(BigInt.asIntN(32, value))]
        pair(isWhole(high, low) ? INTEGER : BIG, high, low)
      } else if (typeof value === 'string') {
        const text = Buffer.from(value)
        bytes(TEXT, text, 0, text.length)
      } else bytes(BYTES, value, 0, value.length)
    },
    /** The same of a value of a changeset. */
    stored({ bytes: from, view }: Changes, at: number): void {
      const type = from[at]
      if (type === STORED.none || type === STORED.null) word(0)
      else if (type === STORED.real) real(view.getFloat64(at + 1))
      else if (type === STORED.integer) {
        const [high, low] = [view.getInt32(at + 1), view.getInt32(at + 5)]
        pair(isWhole(high, low) ? INTEGER : BIG, high, low)
      } else bytes(type === STORED.text ? TEXT : BYTES, from, textStart(from, at), textLength(from, at))
    },
  }
}
