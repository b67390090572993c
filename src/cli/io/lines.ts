/** Lines of standard input and of files, compressed or not. */
import { packingOf, refuseWorkbook, unpacked } from '../../batch/packing.ts'
import { HlaError, isHlaError, reasonOf } from '../../errors.ts'
import type { Source } from './door.ts'

export interface Line {
  readonly text: string
  readonly file: string
  /** 1-based */
  readonly line: number
}

/** Blocks of complete lines, so that answers can be sent on as soon as what came in is used up. */
export async function* readLineBlocks(source: Source): AsyncGenerator<Line[]> {
  const { name } = source
  let rest = ''
  let count = 0
  const cut = (text: string) =>
    text.split('\n').map((one) => ({ text: one.replace(/\r$/, ''), file: name, line: (count += 1) }))
  for await (const text of readText(source)) {
    const end = text.lastIndexOf('\n')
    if (end < 0) {
      rest += text
      continue
    }
    yield cut(rest + text.slice(0, end))
    rest = text.slice(end + 1)
  }
  if (rest !== '') yield cut(rest)
}

async function* readText({ name, bytes }: Source): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8')
  try {
    for await (const chunk of await plain(bytes(), name)) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (isHlaError(error)) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new HlaError('not-found', `there is no file ${name}`, { offending: name })
    throw new HlaError('io', `cannot read ${name}: ${reasonOf(error)}`, { offending: name, cause: error })
  }
}

/** Compressed data are known by their first bytes, whatever the file is called. */
async function plain(stream: AsyncIterable<Uint8Array>, name: string): Promise<AsyncIterable<Uint8Array>> {
  const chunks = stream[Symbol.asyncIterator]()
  const first = await chunks.next()
  const all = rejoined(first, chunks)
  if (first.done !== true) refuseWorkbook(first.value, name)
  const packing = first.done === true ? undefined : packingOf(first.value)
  return packing === undefined ? all : unpacked(all, packing, name)
}

async function* rejoined(
  first: IteratorResult<Uint8Array>,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for (let next = first; next.done !== true; next = await rest.next()) yield next.value
}
