/** Published files in a zip file, such as GitHub makes of a branch. [disk] */
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { HlaError, errorMessage } from '../../errors.ts'
import { type FileAccess, MAX_FILE_BYTES } from './file-access.ts'

/** @throws {HlaError} bad-release-file — not a zip file, or an unreadable member */
export async function openZip(from: string, content?: Buffer): Promise<FileAccess> {
  const zip = await openArchive(from, content)
  const entries = await readDirectory(from, zip)
  const top = commonTopFolder([...entries.keys()])
  const read = async (path: string) => {
    const entry = entries.get(top + path)
    return entry && readEntry(from, zip, entry)
  }
  return {
    from,
    prefix: `${from}:${top}`,
    isRemote: false,
    read,
    readStart: async (path, size) => (await read(path))?.subarray(0, size),
    has: async (path) => entries.has(top + path),
    close: () => zip.close(),
  }
}

/** First file of an archive that contains one file, as the MAC list is published. */
export async function readFirstMember(from: string, content: Buffer): Promise<Buffer> {
  const zip = await openArchive(from, content)
  try {
    const [first] = (await readDirectory(from, zip)).values()
    if (!first) throw new HlaError('bad-release-file', `${from} is an empty zip file`)
    return await readEntry(from, zip, first)
  } finally {
    zip.close()
  }
}

async function openArchive(from: string, content: Buffer | undefined): Promise<ZipFile> {
  const yauzl = await import('yauzl')
  const options = { lazyEntries: true, autoClose: false }
  return explained(
    from,
    content ? yauzl.fromBufferPromise(content, options) : yauzl.openPromise(from, options),
  )
}

async function readDirectory(from: string, zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  await explained(from, collect(zip, entries))
  return entries
}

async function collect(zip: ZipFile, entries: Map<string, Entry>): Promise<void> {
  for await (const entry of zip.eachEntry()) {
    // macOS adds a resource fork of every file below __MACOSX
    if (!entry.fileName.endsWith('/') && !entry.fileName.startsWith('__MACOSX/'))
      entries.set(entry.fileName, entry)
  }
}

async function readEntry(from: string, zip: ZipFile, entry: Entry): Promise<Buffer> {
  if (entry.uncompressedSize > MAX_FILE_BYTES) {
    throw new HlaError(
      'bad-release-file',
      `${entry.fileName} in ${from} is too large (${entry.uncompressedSize} bytes)`,
    )
  }
  const name = `${entry.fileName} in ${from}`
  const bytes = await explained(name, zip.openReadStreamPromise(entry).then(buffer))
  // yauzl compares only the size; damaged data may unpack to the same number of bytes
  if (crc32(bytes) === entry.crc32) return bytes
  throw new HlaError('bad-release-file', `${name} is damaged: its checksum does not match`, {
    offending: from,
    hint: 'fetch it again',
  })
}

/**
 * Common top folder: GitHub puts everything into one named after repository and branch; others may add more around it.
 */
export function commonTopFolder(paths: readonly string[]): string {
  let top = ''
  for (;;) {
    const next = paths[0]?.slice(0, paths[0].indexOf('/', top.length) + 1) ?? ''
    if (next.length <= top.length || !paths.every((path) => path.startsWith(next))) return top
    top = next
  }
}

async function explained<T>(what: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw new HlaError('bad-release-file', `${what} cannot be read as zip: ${errorMessage(error)}`, {
      cause: error,
    })
  }
}
