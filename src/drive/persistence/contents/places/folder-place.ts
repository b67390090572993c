/** The folder of a store as the place of its contents.  [disk] */
import { type FileHandle, open, opendir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline, type Readable, Transform } from 'node:stream'
import type { StoreFolder } from '../../folder.ts'
import { contentsOutOfReach } from '../../writer/not-writing.ts'
import { blobFiles, isCode, isOfSystem, statIfThere, removeIfThere } from '../blob-files.ts'
import type { ByteRange } from '../blob-rows.ts'
import { type ContentPlace, LostObject, type PlacedContents } from './place.ts'

export type ContentFolder = Pick<StoreFolder, 'blobs' | 'staging'>

export function folderPlace(folder: ContentFolder): ContentPlace {
  return {
    name: dirname(folder.blobs),
    contents: contentsIn(folder),
    claim: () => Promise.resolve(),
    giveUpOlder: () => Promise.resolve(0),
    close: () => Promise.resolve(),
  }
}

export function contentsIn({ blobs, staging }: ContentFolder): PlacedContents {
  const files = blobFiles(blobs)
  const find = async (sha256: string) => {
    const found = await statIfThere(files.pathOf(sha256))
    return found && { sha256, ...found }
  }
  return {
    pathOf: files.pathOf,
    arriving: { folder: staging, adopt: (path, { sha256 }) => files.move(path, sha256) },
    publish: (path, { sha256 }) => files.share(path, sha256),
    open: ({ sha256, size }, range = { start: 0, end: size - 1 }) =>
      openFile(files.pathOf(sha256), size, range).catch((error: unknown) => refuse(error, blobs)),
    find,
    finder:
      () =>
      ({ sha256 }) =>
        find(sha256),
    async *list() {
      for await (const { path, ...found } of filesIn(blobs)) {
        const sha256 = basename(path)
        if (path === files.pathOf(sha256)) yield { sha256, ...found }
      }
    },
    remove: (sha256) => removeIfThere(files.pathOf(sha256)),
  }
}

/** Files in the staging folder: of requests and uploads in progress, and remains of interrupted ones. `age` in ms. */
export async function* listStaged({ staging }: ContentFolder) {
  for await (const { path, age } of filesIn(staging)) yield { name: basename(path), path, age }
}

/** @throws {LostObject} */
export async function openFile(path: string, size: number, range: ByteRange): Promise<Readable> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw isCode(error, 'ENOENT') ? new LostObject(`the content ${path} is not there`) : error
  })
  const { size: found } = await file.stat()
  if (found === size) return readRange(file, range)
  await file.close()
  throw new LostObject(`the content ${path} has ${found} bytes instead of ${size}`)
}

/** Bytes per read. Each is a buffer of its own, so slow clients hold few of them. */
const READ_BYTES = 512 << 10

/** Closes the file at the end. A file that ends early is an error: an answer that ended there would seem whole. */
function readRange(file: FileHandle, { start, end }: ByteRange): Readable {
  let next = start
  const counted = new Transform({
    transform(bytes: Buffer, _encoding, done) {
      next += bytes.length
      done(null, bytes)
    },
    flush(done) {
      done(next > end ? null : new Error(`a content ends at ${next} before it should`))
    },
  })
  // a failed stream is reported by its reader
  pipeline(file.createReadStream({ start, end, highWaterMark: READ_BYTES }), counted, () => undefined)
  return counted
}

/** A missing content is not lost if the whole folder is unreachable. @throws {StorageFailure} 503, or the original error */
async function refuse(error: unknown, folder: string): Promise<never> {
  const isAway = error instanceof LostObject ? !(await isThere(folder)) : isOfSystem(error)
  throw isAway ? contentsOutOfReach(error) : error
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

async function* filesIn(folder: string) {
  for await (const entry of await opendir(folder, { recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    const found = entry.isFile() ? await statIfThere(path) : undefined
    if (found !== undefined) yield { path, ...found }
  }
}
