/** CRC-32 of files.  [disk] */
import { closeSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/** What a file begins with. */
export interface SummedStart {
  readonly length: number
  /** CRC-32; undefined: it was not kept. */
  readonly sum?: number | undefined
}

/** CRC-32 of a file that is being written, and begins with what `from` says. Most runs end before anybody asks; what was written until then is read again. */
export function sumLate(file: number, from: SummedStart | undefined) {
  let isAsked = false
  const begun = from?.sum === undefined ? 0 : from.length
  let sum = from?.sum ?? 0
  return {
    of(written: number) {
      if (!isAsked) sum = sumPiece(file, { from: begun, to: written, sum })
      isAsked = true
      return sum
    },
    add(bytes: Uint8Array) {
      if (isAsked) sum = crc32(bytes, sum)
    },
  }
}

/** The sum of the first bytes of a file. @throws what node:fs throws */
export function sumStart(path: string, length: number): number {
  const file = openSync(path, 'r')
  try {
    return sumPiece(file, { from: 0, to: length, sum: 0 })
  } finally {
    closeSync(file)
  }
}

/** Bytes of a file, by their places; `sum` is that of those before. */
interface FilePiece {
  readonly from: number
  readonly to: number
  readonly sum: number
}

function sumPiece(file: number, { from, to, sum }: FilePiece): number {
  const room = Buffer.allocUnsafe(Math.min(to - from, 1 << 20))
  let all = sum
  for (let at = from; at < to;) {
    const count = readSync(file, room, 0, Math.min(room.length, to - at), at)
    if (count === 0) break
    all = crc32(room.subarray(0, count), all)
    at += count
  }
  return all
}
