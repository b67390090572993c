/** Writer of multipart/form-data (RFC 7578), which browsers can parse: several parts in one answer. */
import { randomBytes } from 'node:crypto'

export interface MultipartForm {
  readonly contentType: string
  /** Head of a part; its content follows. */
  readonly part: (name: string, type: string, filename?: string) => string
  readonly end: string
}

const TYPE = 'multipart/form-data; boundary='

export function newForm(): MultipartForm {
  // random, so that it does not occur in a table
  return formOf(`hla-${randomBytes(16).toString('hex')}`, '')
}

/** Continues a form after some of its parts were sent. */
export function continueForm(contentType: string): MultipartForm {
  return formOf(contentType.slice(TYPE.length), NEXT)
}

/** Separator between a part and the next boundary. */
const NEXT = '\r\n'

function formOf(boundary: string, before: string): MultipartForm {
  let lead = before
  return {
    contentType: `${TYPE}${boundary}`,
    part(name, type, filename) {
      const file = filename === undefined ? '' : `; filename="${escapeName(filename)}"`
      const head = `${lead}--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file}\r\ncontent-type: ${type}\r\n\r\n`
      lead = NEXT
      return head
    },
    end: `\r\n--${boundary}--\r\n`,
  }
}

/** Escapes a file name as browsers do, and the other characters that a header may not contain. */
function escapeName(filename: string): string {
  // eslint-disable-next-line no-control-regex
  return filename.replace(/[\u0000-\u001f"\u007f]/g, encodeURIComponent)
}
