/**
 * Reads the first chunk of an HTTP response. It compares bytes, because the client shares the processor with the
 * server.
 */

const GOOD = Buffer.from('HTTP/1.1 200 ')
const LENGTH = Buffer.from('content-length: ')
const END = Buffer.from('\r\n\r\n')

/** The head arrives in one chunk. */
export function isGood(bytes: Buffer): boolean {
  return bytes.compare(GOOD, 0, GOOD.length, 0, GOOD.length) === 0
}

/** Bytes of the response that follow the first chunk. */
export function missing(bytes: Buffer): number {
  const at = bytes.indexOf(END)
  const from = bytes.indexOf(LENGTH) + LENGTH.length
  const length = Number(bytes.toString('latin1', from, bytes.indexOf('\r', from)))
  return length - (bytes.length - at - END.length)
}
