/** Lines of standard input and of files, compressed or not.  [disk] */
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { HlaError } from '../../errors.ts'
import { reasonOf } from './reason.ts'

export interface Line {
  readonly text: string
  readonly file: string
  /** 1-based */
  readonly line: number
}

/** Blocks of complete lines, so that answers can be sent on as soon as what came in is used up. `-` is standard input. */
export async function* readLineBlocks(file: string): AsyncGenerator<Line[]> {
  const name = file === '-' ? 'stdin' : file
  let rest = ''
  let count = 0
  const cut = (text: string) =>
    text.split('\n').map((one) => ({ text: one.replace(/\r$/, ''), file: name, line: (count += 1) }))
  for await (const text of readText(file, name)) {
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

async function* readText(file: string, name: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8')
  try {
    const bytes = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 256 * 1024 })
    for await (const chunk of await unpacked(bytes)) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new HlaError('not-found', `there is no file ${name}`, { offending: name })
    throw new HlaError('io', `cannot read ${name}: ${reasonOf(error)}`, { offending: name, cause: error })
  }
}

/** gzip is known by its first two bytes, whatever the file is called. */
async function unpacked(stream: Readable): Promise<AsyncIterable<Uint8Array>> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  const first = await chunks.next()
  const all = rejoined(first, chunks)
  if (first.done === true || first.value[0] !== 0x1f || first.value[1] !== 0x8b) return all
  const [{ createGunzip }, { pipeline, Readable: Source }] = await Promise.all([
    import('node:zlib'),
    import('node:stream'),
  ])
  // whoever reads the last stream meets the error of any
  return pipeline(Source.from(all), createGunzip(), () => undefined)
}

async function* rejoined(
  first: IteratorResult<Uint8Array>,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for (let next = first; next.done !== true; next = await rest.next()) yield next.value
}
