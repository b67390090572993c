/** `Content-Transfer-Encoding` of a part: as it is, or base64. */
import { badContent, type PartHeaders } from './multipart.ts'
import type { BodyPart } from './parts.ts'

const PLAIN = new Set(['', 'binary', '8bit', '7bit'])
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

export interface Decoder {
  readonly decode: (bytes: Buffer) => Buffer
  /** What was held back. */
  readonly end: () => Buffer
}

/** The content as it was meant. @throws as `chooseDecoder` and its decoder */
export function decodedContent({ headers, content }: BodyPart): AsyncIterable<Buffer> {
  const decoder = chooseDecoder(headers)
  return decoder === undefined ? content : decodeAll(content, decoder)
}

/** Undefined: it is as it was meant. @throws {StorageFailure} 400 badContent — another encoding; the decoder: not base64 */
export function chooseDecoder(headers: PartHeaders): Decoder | undefined {
  const encoding = (headers.get('content-transfer-encoding') ?? '').toLowerCase()
  if (PLAIN.has(encoding)) return undefined
  if (encoding !== 'base64') throw badContent('the transfer encoding of a part is not supported')
  return base64Decoder()
}

async function* decodeAll(content: AsyncIterable<Buffer>, { decode, end }: Decoder): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    const bytes = decode(chunk)
    if (bytes.length > 0) yield bytes
  }
  const rest = end()
  if (rest.length > 0) yield rest
}

/** Lines of any length; the padding at the end may be missing. */
function base64Decoder(): Decoder {
  let held = ''
  let isPadded = false
  return {
    decode(chunk) {
      const text = held + chunk.toString('latin1').replace(/\s+/g, '')
      if (!BASE64.test(text) || (isPadded && text !== '')) throw badContent('a part is not base64')
      const whole = text.length - (text.length % 4)
      held = text.slice(whole)
      isPadded ||= text.endsWith('=') && held === ''
      return Buffer.from(text.slice(0, whole), 'base64')
    },
    end() {
      if (!/^(?:[^=]{2,3})?$/.test(held)) throw badContent('a part is not base64')
      return Buffer.from(held, 'base64')
    },
  }
}
