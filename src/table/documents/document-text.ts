/** The text of a document as it is read, each piece held before its reader sees it; and its bytes again. */
import { advice, option } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import type { DetectedEncoding, Encoding } from '../input/encoding.ts'
import type { RecordInput } from '../input/records/typing-record.ts'
import type { HeldText } from './held-text.ts'

const MARKS: Readonly<Record<Encoding, string>> = {
  utf8: 'efbbbf',
  utf16le: 'fffe',
  utf16be: 'feff',
  latin1: 'efbbbf',
}

/** The byte order mark, as it came. */
export function markBytes({ encoding, bom }: DetectedEncoding): Buffer {
  return Buffer.from(bom === 0 ? '' : MARKS[encoding], 'hex')
}

/** What was decoded becomes the bytes that it was: what would not was refused. */
export function encodeText(text: string, encoding: Encoding): Buffer {
  if (encoding === 'utf8' || encoding === 'latin1') return Buffer.from(text, encoding)
  const wide = Buffer.from(text, 'utf16le')
  return encoding === 'utf16le' ? wide : wide.swap16()
}

/** @throws {HlaError} bad-encoding */
export async function* heldPieces({ input, dialect }: RecordInput, held: HeldText): AsyncGenerator<string> {
  const decode = textDecoder(input.name, dialect)
  for await (const bytes of slices(input.chunks())) {
    const piece = decode(bytes)
    held.add(piece)
    yield piece
  }
  const rest = decode()
  held.add(rest)
  yield rest
}

/** What is found in a piece is forgotten before the next: of large ones it would outlive its use. */
const SLICE = 32 * 1024

async function* slices(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += SLICE) yield chunk.subarray(at, at + SLICE)
}

/** Without bytes: there are no more. */
function textDecoder(name: string, { encoding, bom }: DetectedEncoding): (bytes?: Buffer) => string {
  let skip: number = bom
  const decoder = encoding === 'latin1' ? undefined : new TextDecoder(LABELS[encoding], OPTIONS)
  return (bytes) => {
    const own = bytes?.subarray(skip)
    skip = Math.max(0, skip - (bytes?.length ?? 0))
    // the decoder of that name is of another encoding
    if (decoder === undefined) return own?.toString('latin1') ?? ''
    try {
      return own === undefined ? decoder.decode() : decoder.decode(own, { stream: true })
    } catch (cause) {
      const title = encoding === 'utf8' ? 'UTF-8' : 'UTF-16'
      throw new HlaError('bad-encoding', `${name} contains bytes that are not ${title}`, {
        offending: name,
        hint: advice`${option('encoding')} sets the encoding of the document`,
        cause,
      })
    }
  }
}

const LABELS = { utf8: 'utf-8', utf16le: 'utf-16le', utf16be: 'utf-16be' } as const
const OPTIONS = { fatal: true, ignoreBOM: true }
