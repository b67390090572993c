/** A folder as the place of a store's contents: on this machine, or shared by all servers.  [disk] */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import {
  constants,
  copyFile,
  type FileHandle,
  open,
  opendir,
  readFile,
  stat,
  writeFile,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline, type Readable, Transform } from 'node:stream'
import { HlaError } from '../../../../errors.ts'
import type { StoreFolder } from '../../folder.ts'
import { contentsOutOfReach } from '../../writer/not-writing.ts'
import {
  blobFiles,
  isCode,
  isOfSystem,
  removeIfThere,
  statIfThere,
  syncDirectory,
  withFile,
} from '../blob-files.ts'
import type { ByteRange } from '../blob-rows.ts'
import { type ContentPlace, LostObject, type PlacedContents, type PlacedPieces } from './place.ts'

export type ContentFolder = Pick<StoreFolder, 'blobs' | 'staging'>

export function folderPlace(folder: ContentFolder): ContentPlace {
  return {
    name: dirname(folder.blobs),
    contents: contentsIn(folder),
    pieces: folderPieces(folder),
    claim: (store) => claim(dirname(folder.blobs), store),
    confirm: () => Promise.resolve(),
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
    async publish(path, { sha256 }) {
      if (dirname(path) === staging) return files.share(path, sha256)
      const beside = join(staging, `part-${randomBytes(16).toString('hex')}`)
      try {
        await copyFile(path, beside, constants.COPYFILE_FICLONE)
        await synced(beside)
        await files.move(beside, sha256)
      } catch (error) {
        await removeIfThere(beside)
        throw error
      }
    },
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

export function folderPieces({ staging }: ContentFolder): PlacedPieces {
  return {
    async put(path, range) {
      const name = `piece-${randomBytes(16).toString('hex')}`
      const piece = join(staging, name)
      try {
        await writeFile(piece, createReadStream(path, range), { flag: 'wx', mode: 0o600 })
        await synced(piece)
        await syncDirectory(staging)
      } catch (error) {
        await removeIfThere(piece)
        throw error
      }
      return name
    },
    open: (name, size) =>
      openFile(join(staging, name), size, { start: 0, end: size - 1 }).catch((error: unknown) =>
        refuse(error, staging),
      ),
    async *list() {
      for await (const { path, age } of filesIn(staging)) yield { name: basename(path), age }
    },
    remove: (name) => removeIfThere(join(staging, name)),
  }
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
const PIECE = 512 << 10

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
  pipeline(file.createReadStream({ start, end, highWaterMark: PIECE }), counted, () => undefined)
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

function synced(path: string): Promise<void> {
  return withFile(path, 'r+', async (file) => {
    // the copy may carry the source's modification time, which must be now
    await file.utimes(new Date(), new Date())
    await file.datasync()
  })
}

async function* filesIn(folder: string) {
  for await (const entry of await opendir(folder, { recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    const found = entry.isFile() ? await statIfThere(path) : undefined
    if (found !== undefined) yield { path, ...found }
  }
}

/** A clean-up removes every content unknown to its store, so it would delete all contents of another store. */
async function claim(folder: string, store: string): Promise<void> {
  const file = join(folder, 'store')
  try {
    await writeFile(file, `${store}\n`, { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  }
  const owner = await readOwner(file)
  if (owner === store) return
  if (owner === '')
    throw new HlaError('data-differs', `${file} does not name the store that the contents belong to`, {
      offending: file,
      hint: 'if the contents belong to no other store, remove the file that is named above',
    })
  throw new HlaError('data-differs', `${folder} has the contents of another store`, {
    offending: folder,
    hint: '--contents must name a folder that only this store uses',
  })
}

/** Retries while the file is empty, because another server may be writing it. */
async function readOwner(file: string): Promise<string> {
  for (let look = 0; ; look += 1) {
    const owner = (await readFile(file, 'utf8')).trim()
    if (owner !== '' || look === LOOKS) return owner
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const LOOKS = 20
