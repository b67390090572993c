/** Several things in one answer, one after the other: multipart/form-data (RFC 7578), which browsers read by themselves. */
import { randomBytes } from 'node:crypto'

export interface MultipartForm {
  readonly contentType: string
  /** The head of a part; its content follows. */
  readonly part: (name: string, type: string, filename?: string) => string
  readonly end: string
}

export function newForm(): MultipartForm {
  // nothing in a table says this by accident
  const boundary = `hla-${randomBytes(16).toString('hex')}`
  let lead = ''
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    part(name, type, filename) {
      const file = filename === undefined ? '' : `; filename="${escaped(filename)}"`
      const head = `${lead}--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file}\r\ncontent-type: ${type}\r\n\r\n`
      lead = '\r\n'
      return head
    },
    end: `\r\n--${boundary}--\r\n`,
  }
}

/** As browsers do it. */
function escaped(filename: string): string {
  return filename.replace(/["\r\n]/g, encodeURIComponent)
}
