/** `Content-Transfer-Encoding` of a part: as it is, or base64. */
import { badContent, type Part } from './multipart.ts'

const PLAIN = new Set(['', 'binary', '8bit', '7bit'])
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** The content as it was meant. @throws {StorageFailure} 400 badContent — another encoding, or not base64 */
export function decodedContent({ headers, content }: Part): AsyncIterable<Buffer> {
  const encoding = (headers.get('content-transfer-encoding') ?? '').toLowerCase()
  if (PLAIN.has(encoding)) return content
  if (encoding !== 'base64') throw badContent('the transfer encoding of a part is not supported')
  return decodeBase64(content)
}

/** Lines of any length; the padding at the end may be missing. */
async function* decodeBase64(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held = ''
  let isPadded = false
  for await (const chunk of content) {
    const text = held + chunk.toString('latin1').replace(/\s+/g, '')
    if (!BASE64.test(text) || (isPadded && text !== '')) throw badContent('a part is not base64')
    const whole = text.length - (text.length % 4)
    held = text.slice(whole)
    isPadded ||= text.endsWith('=') && held === ''
    if (whole > 0) yield Buffer.from(text.slice(0, whole), 'base64')
  }
  if (!/^(?:[^=]{2,3})?$/.test(held)) throw badContent('a part is not base64')
  if (held !== '') yield Buffer.from(held, 'base64')
}
