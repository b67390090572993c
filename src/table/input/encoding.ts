/**
 * Encodings of tables. Internally a table is byte text: one character per byte of UTF-8 or Latin-1, so that nothing is
 * lost.
 */

import { advice, option } from '../../advice.ts'
import type { ENCODINGS } from '../../options/choices.ts'
import { HlaError } from '../../errors.ts'

export type EncodingOption = (typeof ENCODINGS)[number]

export type Encoding = 'utf8' | 'utf16le' | 'utf16be' | 'latin1'

export interface DetectedEncoding {
  readonly encoding: Encoding
  /** Length of the byte order mark in bytes. */
  readonly bom: 0 | 2 | 3
}

/**
 * Detects the encoding by the byte order mark, else by the positions of zero bytes, else UTF-8 if the sample is valid.
 */
export function detectEncoding(sample: Uint8Array, asked: EncodingOption): DetectedEncoding {
  const encoding = chooseEncoding(sample, asked)
  return { encoding, bom: markLength(sample, encoding) }
}

function chooseEncoding(sample: Uint8Array, asked: EncodingOption): Encoding {
  if (asked === 'latin1' || asked === 'utf8') return asked
  if (asked !== 'utf16' && markLength(sample, 'utf8') > 0) return 'utf8'
  if (markLength(sample, 'utf16le') > 0) return 'utf16le'
  if (markLength(sample, 'utf16be') > 0) return 'utf16be'
  if (asked === 'utf16') return sample[0] === 0 ? 'utf16be' : 'utf16le'
  return recognizeWide(sample) ?? (isUtf8(sample) ? 'utf8' : 'latin1')
}

const MARKS: Readonly<Record<Encoding, readonly number[]>> = {
  utf8: [0xef, 0xbb, 0xbf],
  utf16le: [0xff, 0xfe],
  utf16be: [0xfe, 0xff],
  // a UTF-8 mark is not meant as Latin-1 text either
  latin1: [0xef, 0xbb, 0xbf],
}

/** Length of the byte order mark of a table in this encoding. */
export function markLength(sample: Uint8Array, encoding: Encoding): DetectedEncoding['bom'] {
  const mark = MARKS[encoding]
  if (!mark.every((byte, at) => sample[at] === byte)) return 0
  return mark.length === 2 ? 2 : 3
}

/**
 * Tables are mostly ASCII: in UTF-16 most bytes at every other place are then zero, and few at the others, from
 * `\u0100` only.
 */
function recognizeWide(sample: Uint8Array): 'utf16le' | 'utf16be' | undefined {
  const looked = sample.subarray(0, 1024)
  const zeros = [0, 0]
  looked.forEach((byte, at) => {
    if (byte === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1
  })
  const [even = 0, odd = 0] = zeros
  const most = looked.length * 0.4
  if (looked.length < 4 || Math.min(even, odd) * MIN_RATIO > Math.max(even, odd)) return undefined
  return odd > most ? 'utf16le' : even > most ? 'utf16be' : undefined
}

/** Minimum ratio of zeros at the places of ASCII to those at the others. */
const MIN_RATIO = 10

/** The last character of a sample may be incomplete. */
function isUtf8(sample: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(sample, { stream: true })
    return true
  } catch {
    return false
  }
}

/**
 * Bytes of the file -> bytes of byte text, without the byte order mark.
 * @throws {HlaError} bad-encoding — invalid UTF-16, which could not be written back unchanged
 */
export async function* toByteText(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  { encoding, bom }: DetectedEncoding,
): AsyncGenerator<Buffer> {
  let skip: number = bom
  const decode = isWide(encoding) ? wideDecoder(encoding) : undefined
  for await (const chunk of chunks) {
    const bytes = chunk.subarray(skip)
    skip = Math.max(0, skip - chunk.length)
    yield decode === undefined ? bytes : decode(bytes)
  }
  if (decode !== undefined) yield decode()
}

/** Call without bytes at the end. */
function wideDecoder(encoding: 'utf16le' | 'utf16be'): (bytes?: Buffer) => Buffer {
  const decoder = new TextDecoder(encoding === 'utf16le' ? 'utf-16le' : 'utf-16be', {
    ignoreBOM: true,
    fatal: true,
  })
  return (bytes) => {
    try {
      return Buffer.from(decoder.decode(bytes, { stream: bytes !== undefined }), 'utf8')
    } catch (cause) {
      throw new HlaError('bad-encoding', 'the table contains bytes that are not UTF-16', {
        hint: advice`${option('encoding')} sets the encoding of the table`,
        cause,
      })
    }
  }
}

/** True for UTF-16. */
export function isWide(encoding: Encoding): encoding is 'utf16le' | 'utf16be' {
  return encoding === 'utf16le' || encoding === 'utf16be'
}

/** Byte text -> bytes of the file. */
export function fromByteText(text: string, encoding: Encoding): Buffer {
  const bytes = Buffer.from(text, 'latin1')
  return isWide(encoding) ? encodeText(bytes.toString('utf8'), encoding) : bytes
}

/** Text -> bytes in the encoding. */
export function encodeText(text: string, encoding: Encoding): Buffer {
  if (!isWide(encoding)) return Buffer.from(text, encoding)
  const wide = Buffer.from(text, 'utf16le')
  return encoding === 'utf16le' ? wide : wide.swap16()
}

// eslint-disable-next-line no-control-regex
const ASCII = /^[\u0000-\u007f]*$/

/** Byte text decoded for display; undecodable bytes become U+FFFD. */
export function readable(bytes: string, encoding: Encoding): string {
  if (encoding === 'latin1' || ASCII.test(bytes)) return bytes
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Text encoded as byte text, for writing into the table. */
export function encodeByteText(text: string, encoding: Encoding): string {
  if (encoding === 'latin1' || ASCII.test(text)) return text
  return Buffer.from(text, 'utf8').toString('latin1')
}

export const BOM_BYTES = '\u00ef\u00bb\u00bf'

/** Display names: `UTF-8`. */
export const ENCODING_TITLES: Readonly<Record<Encoding, string>> = {
  utf8: 'UTF-8',
  utf16le: 'UTF-16',
  utf16be: 'UTF-16 (big-endian)',
  latin1: 'Latin-1',
}
