/** Shared strings of a workbook: cells refer to them by number. */
import { readWholeXml } from '../xml-events.ts'
import { damagedWorkbook, type ZipParts } from './zip-parts.ts'

/** Maximum bytes of the part. */
const MAX_BYTES = 512 * 1024 ** 2
/** Maximum characters held, and the extra cost of each text. */
const MAX_HELD = 64 * 1024 ** 2
const COST = 24

/** `path`: that of the part, if it exists. @throws {HlaError} io */
export async function readSharedStrings(
  parts: ZipParts,
  path: string | undefined,
  name: string,
): Promise<readonly string[]> {
  if (path === undefined) return []
  const texts: string[] = []
  const reader = new TextReader(name)
  let held = 0
  await readWholeXml(parts.read(path, MAX_BYTES), name, {
    open(element) {
      if (element === 'si') reader.begin()
      reader.open(element)
    },
    text: (piece) => reader.text(piece),
    close(element) {
      reader.close(element)
      if (element !== 'si') return
      const text = reader.end()
      held += text.length + COST
      if (held > MAX_HELD) throw damagedWorkbook(name, `its texts take more than ${MAX_HELD / 1024 ** 2} MiB`)
      texts.push(text)
    },
  })
  return texts
}

/** Maximum characters of a text; a cell holds 32,767. */
const MAX_LENGTH = 1024 ** 2

/** Text of an element, possibly in runs of different formatting (`r`), without phonetic hints (`rPh`). */
export class TextReader {
  /** File name, for messages. */
  readonly #name: string
  #text = ''
  #isText = false
  #isSpoken = false

  constructor(name: string) {
    this.#name = name
  }

  begin(): void {
    this.#text = ''
    this.#isText = false
    this.#isSpoken = false
  }

  open(element: string): void {
    if (element === 'rPh') this.#isSpoken = true
    if (element === 't') this.#isText = !this.#isSpoken
  }

  text(piece: string): void {
    if (this.#isText) this.#text += piece
    if (this.#text.length > MAX_LENGTH)
      throw damagedWorkbook(this.#name, 'a text in it is longer than a cell may be')
  }

  close(element: string): void {
    if (element === 'rPh') this.#isSpoken = false
    if (element === 't') this.#isText = false
  }

  end(): string {
    return unescapeText(this.#text)
  }
}

/** `_x000D_` stands for a character that XML cannot contain. */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
}
