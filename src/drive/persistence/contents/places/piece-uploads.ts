/**
 * Uploads in several requests to any server of a store. Each request's bytes become pieces in the place of the
 * contents. The database records a piece before the client gets its response. A server that continues an upload has all
 * its bytes in a local file (docs/adr/shared-store.md#uploads-on-any-server).  [disk, network]
 */
import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { StorageFailure } from '../../../contract/failure.ts'
import type { Database } from '../../database/database.ts'
import type { Staging } from '../staging.ts'
import { uploadFiles, type UploadPiece, type Uploads } from '../uploads.ts'
import { LostObject, type PlacedPieces } from './place.ts'

interface Local {
  /** Pieces from the first byte on. */
  readonly pieces: readonly UploadPiece[]
  /** End of the file, including bytes of the current request behind the pieces. */
  readonly end: number
  readonly used: number
}

/** `staging` is in a folder of this server alone, empty at the start. */
export function pieceUploads(read: Database, pieces: PlacedPieces, staging: Staging): Uploads {
  const files = uploadFiles(staging)
  const locals = new Map<string, Local>()
  const set = (name: string, held: readonly UploadPiece[], end: number) =>
    locals.set(name, { pieces: held, end, used: Date.now() })
  const bringUp = async (name: string, wanted: readonly UploadPiece[]) => {
    const local = locals.get(name)
    const shared = commonPieces(local?.pieces ?? [], wanted)
    if (shared.length < wanted.length || local?.end !== endOf(wanted)) {
      files.forget(name)
      set(name, shared, endOf(shared))
      await fetchPieces(join(staging.folder, name), wanted, shared.length, pieces)
    }
    set(name, wanted, endOf(wanted))
  }
  return {
    newName: files.newName,
    held: (name, length) => Promise.resolve(endOf(listPieces(read, name, length))),
    async append(name, from, content, admit) {
      forgetIdle(locals, files.discard)
      const held = listPieces(read, name, from)
      await bringUp(name, held)
      const appended = await files.append(name, from, content, admit)
      set(name, held, appended.length)
      return appended
    },
    async keep(name, start, to) {
      const end = Math.min(to, start + LARGEST)
      if (end <= start) return undefined
      const object = await pieces.put(join(staging.folder, name), { start, end: end - 1 })
      const piece = { start, size: end - start, object }
      set(name, [...(locals.get(name)?.pieces ?? []), piece], end)
      return piece
    },
    async complete(name, length) {
      const held = listPieces(read, name, length)
      const local = locals.get(name)
      const isOwn = local?.end === length && commonPieces(local.pieces, held).length === held.length
      if (endOf(held) >= length) await bringUp(name, held)
      else if (!isOwn) throw new Error(`the upload ${name} has ${endOf(held)} of ${length} bytes`)
      return files.complete(name, length)
    },
    async discard(name) {
      const held = locals.get(name)?.pieces ?? listPieces(read, name, Infinity)
      locals.delete(name)
      await files.discard(name)
      // a clean-up removes the remaining pieces
      await Promise.all(held.map(({ object }) => pieces.remove(object).catch(() => undefined)))
    },
  }
}

/** Maximum bytes of a piece. Each is recorded soon after it is put. */
const LARGEST = 64 << 20

/** The contiguous pieces from the first byte on, within `length`. */
function listPieces(read: Database, name: string, length: number): readonly UploadPiece[] {
  const rows = read.all<UploadPiece>(
    'SELECT start, size, object FROM upload_pieces WHERE upload = ? ORDER BY start',
    name,
  )
  let end = 0
  const held: UploadPiece[] = []
  for (const piece of rows) {
    if (piece.start !== end || end + piece.size > length) break
    held.push(piece)
    end += piece.size
  }
  return held
}

function endOf(held: readonly UploadPiece[]): number {
  const last = held.at(-1)
  return last === undefined ? 0 : last.start + last.size
}

function commonPieces(one: readonly UploadPiece[], other: readonly UploadPiece[]): readonly UploadPiece[] {
  const at = one.findIndex(({ object }, index) => object !== other[index]?.object)
  return at === -1 ? one : one.slice(0, at)
}

/** @throws {StorageFailure} 410 — a piece is lost */
async function fetchPieces(
  path: string,
  wanted: readonly UploadPiece[],
  from: number,
  pieces: PlacedPieces,
): Promise<void> {
  const file = await open(path, from === 0 ? 'w' : 'r+', 0o600)
  await file.truncate(endOf(wanted.slice(0, from)))
  await file.close()
  try {
    for (const { object, size } of wanted.slice(from))
      await pipeline(await pieces.open(object, size), createWriteStream(path, { flags: 'a' }))
  } catch (error) {
    throw error instanceof LostObject ? uploadLost(error) : error
  }
}

function uploadLost(cause: Error): StorageFailure {
  const text = 'The bytes received for this upload are lost; start a new upload.'
  return Object.assign(new StorageFailure(410, 'gone', text), { cause })
}

/** ms after which the local file of an idle upload is removed. Its pieces remain in the place of the contents. */
const IDLE = 3_600_000

/** A request that is silent for so long has ended. */
function forgetIdle(locals: Map<string, Local>, discard: (name: string) => Promise<void>): void {
  for (const [name, { used }] of locals) {
    if (Date.now() - used < IDLE) continue
    locals.delete(name)
    discard(name).catch(() => undefined)
  }
}
