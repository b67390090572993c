/** What the first piece of an answer tells. As bytes: who asks has a part of the machine too. */

const GOOD = Buffer.from('HTTP/1.1 200 ')
const LENGTH = Buffer.from('content-length: ')
const END = Buffer.from('\r\n\r\n')

/** The head comes in one piece. */
export function isGood(bytes: Buffer): boolean {
  return bytes.compare(GOOD, 0, GOOD.length, 0, GOOD.length) === 0
}

/** Bytes of the answer that its first piece does not have. */
export function missing(bytes: Buffer): number {
  const at = bytes.indexOf(END)
  const from = bytes.indexOf(LENGTH) + LENGTH.length
  const length = Number(bytes.toString('latin1', from, bytes.indexOf('\r', from)))
  return length - (bytes.length - at - END.length)
}
