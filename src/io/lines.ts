/** Lines of standard input and of files, compressed or not. */
import { refuseBinary, SIGNATURE } from './packing/binary-content.ts'
import { recognizePacking, refuseWorkbook, unpackStream } from './packing/packing.ts'
import { HlaError, isHlaError, errorReason } from '../errors.ts'
import type { ByteInput } from './file-port.ts'
import { formatCount } from '../format-count.ts'

export interface InputLine {
  readonly text: string
  readonly file: string
  /** 1-based */
  readonly line: number
  /** Set for a line that is too long; `text` is then its beginning. */
  readonly fault?: HlaError
}

/** Maximum line length in characters: longer than any typing, below the 512 MiB limit of strings. */
export const MAX_LINE_LENGTH = 64 * 1024 ** 2

/** Blocks of complete lines; answers can be flushed between blocks. */
export async function* readLineBlocks(
  source: Pick<ByteInput, 'name' | 'bytes'>,
): AsyncGenerator<InputLine[]> {
  const { name } = source
  let count = 0
  const partial = new PartialLine()
  const numbered = ({ text, fault }: Pick<InputLine, 'text' | 'fault'>): InputLine => {
    count += 1
    return fault === undefined ? { text, file: name, line: count } : { text, file: name, line: count, fault }
  }
  for await (const text of readText(source)) {
    const [first = '', ...others] = text.split('\n')
    partial.add(first)
    const last = others.pop()
    if (last === undefined) continue
    const block = [numbered(partial.end()), ...others.map((line) => numbered({ text: withoutReturn(line) }))]
    partial.add(last)
    yield block
  }
  if (partial.hasText()) yield [numbered(partial.end())]
}

/** A line whose end has not arrived yet. */
class PartialLine {
  #text = ''
  #isTooLong = false

  add(text: string): void {
    if (this.#isTooLong) return
    this.#isTooLong = this.#text.length + text.length > MAX_LINE_LENGTH
    // a copy: a substring keeps the whole text in memory
    this.#text = this.#isTooLong ? Buffer.from(this.#text.slice(0, SHOWN)).toString() : this.#text + text
  }

  hasText(): boolean {
    return this.#text !== ''
  }

  end(): Pick<InputLine, 'text' | 'fault'> {
    const text = this.#text
    const isTooLong = this.#isTooLong
    this.#text = ''
    this.#isTooLong = false
    if (!isTooLong) return { text: withoutReturn(text) }
    const message = `the line is longer than ${formatCount(MAX_LINE_LENGTH)} characters`
    return { text, fault: new HlaError('bad-syntax', message, { offending: text }) }
  }
}

const SHOWN = 60

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

async function* readText({ name, bytes }: Pick<ByteInput, 'name' | 'bytes'>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8')
  try {
    for await (const chunk of await plain(bytes(), name)) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (isHlaError(error)) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new HlaError('not-found', `there is no file ${name}`, { offending: name })
    throw new HlaError('io', `cannot read ${name}: ${errorReason(error)}`, { offending: name, cause: error })
  }
}

/** Recognises compressed data by its first bytes, whatever the file name. @throws {HlaError} io — not text */
async function plain(stream: AsyncIterable<Uint8Array>, name: string): Promise<AsyncIterable<Uint8Array>> {
  const { head, all } = await openText(stream)
  refuseWorkbook(head, name)
  const packing = recognizePacking(head)
  const text = packing === undefined ? { head, all } : await openText(await unpackStream(all, packing, name))
  refuseBinary(text.head, name)
  return text.all
}

interface OpenedText {
  readonly head: Uint8Array
  /** All of the data, including the head. */
  readonly all: AsyncIterable<Uint8Array>
}

/** Bytes that suffice to recognise a format, or the first line: a typing entered by hand is answered at once. */
async function openText(stream: AsyncIterable<Uint8Array>): Promise<OpenedText> {
  const chunks = stream[Symbol.asyncIterator]()
  let head: Uint8Array = new Uint8Array()
  while (head.length < SIGNATURE && !head.includes(LF)) {
    const next = await chunks.next()
    if (next.done === true) break
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value])
  }
  return { head, all: rejoined(head, chunks) }
}

const LF = 10

async function* rejoined(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}
