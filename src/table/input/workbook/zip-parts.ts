/** Parts of an Office document: texts in a zip file, each read as a stream of limited size.  [disk] */
import { crc32 } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { HlaError, errorMessage, isHlaError } from '../../../errors.ts'
import { formatCount } from '../../../format-count.ts'

export interface ZipParts {
  readonly has: (path: string) => boolean
  /** Bytes of a part; 0 when it does not exist. */
  readonly size: (path: string) => number
  /** Text of a part in pieces; none when it does not exist. @throws {HlaError} io */
  readonly read: (path: string, most: number) => AsyncGenerator<string>
}

/** Maximum number of parts; a workbook has some ten. */
const MAX_PARTS = 10_000

/** `name`: that of the file, for messages. @throws {HlaError} io — not a readable zip file */
export async function openParts(bytes: Buffer, name: string): Promise<ZipParts> {
  const { fromBufferPromise } = await import('yauzl')
  const zip = await explained(name, () => fromBufferPromise(bytes, { lazyEntries: true, autoClose: false }))
  const entries = await explained(name, () => readDirectory(zip, name))
  return {
    has: (path) => entries.has(key(path)),
    size: (path) => entries.get(key(path))?.uncompressedSize ?? 0,
    async *read(path, most) {
      const entry = entries.get(key(path))
      if (entry === undefined) return
      if (entry.uncompressedSize > most)
        throw damagedWorkbook(name, `${entry.fileName} in it is larger than ${formatCount(most)} bytes`)
      yield* decoded(name, zip, entry)
    },
  }
}

/** Part names ignore case. */
function key(path: string): string {
  return path.replace(/^\//, '').toLowerCase()
}

async function readDirectory(zip: ZipFile, name: string): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  if (zip.entryCount > MAX_PARTS) throw damagedWorkbook(name, `it has ${zip.entryCount} parts`)
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted()) throw damagedWorkbook(name, 'it is encrypted')
    // programs differ in which of two they read
    if (entries.has(key(entry.fileName)))
      throw damagedWorkbook(name, `it has two parts called ${entry.fileName}`)
    entries.set(key(entry.fileName), entry)
  }
  return entries
}

async function* decoded(name: string, zip: ZipFile, entry: Entry): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let sum = 0
  try {
    const stream = await zip.openReadStreamPromise(entry)
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum)
      yield decoder.decode(chunk, { stream: true })
    }
    yield decoder.decode()
  } catch (error) {
    if (isHlaError(error)) throw error
    throw damagedWorkbook(name, `${entry.fileName} in it cannot be read: ${errorMessage(error)}`, error)
  }
  // the sizes agree, but damaged data may unpack to as many other bytes
  if (sum !== entry.crc32)
    throw damagedWorkbook(name, `${entry.fileName} in it is damaged: its checksum does not match`)
}

/** Error for an invalid workbook. */
export function damagedWorkbook(name: string, why: string, cause?: unknown): HlaError {
  return new HlaError('io', `${name} cannot be read as a workbook: ${why}`, {
    offending: name,
    hint: 'save it again with a spreadsheet program, or export the sheet as CSV with the typing columns formatted as text',
    cause,
  })
}

async function explained<T>(name: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw isHlaError(error) ? error : damagedWorkbook(name, errorMessage(error), error)
  }
}
