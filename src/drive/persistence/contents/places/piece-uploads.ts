/**
 * Uploads in several requests to any of the servers of a store: what a request brings is a piece in the place of the contents, and
 * the database names it before anybody is told. A server that goes on with an upload has all of it in a file of its own (docs/adr/shared-store.md#uploads-on-any-server).  [disk, network]
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

export interface PieceOptions {
  readonly read: Database
  readonly pieces: PlacedPieces
  /** Its folder is this server's alone, and empty at first. */
  readonly staging: Staging
}

/** What the file of an upload has. */
interface Local {
  /** From its first byte on. */
  readonly pieces: readonly UploadPiece[]
  /** Behind them: bytes of the request under way, up to here. */
  readonly end: number
  readonly used: number
}

export function pieceUploads({ read, pieces, staging }: PieceOptions): Uploads {
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
      // what remains is swept up
      await Promise.all(held.map(({ object }) => pieces.remove(object).catch(() => undefined)))
    },
  }
}

/** Bytes of a piece: each is recorded soon after it was put. */
const LARGEST = 64 << 20

/** Those that follow each other from the first byte on. */
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
  const failure = new StorageFailure(410, 'gone', 'What was sent of the upload is lost; begin another.')
  failure.cause = cause
  return failure
}

/** ms after which the file of an upload goes: its pieces are elsewhere. */
const IDLE = 3_600_000

/** A request that brings nothing for so long has ended. */
function forgetIdle(locals: Map<string, Local>, discard: (name: string) => Promise<void>): void {
  for (const [name, { used }] of locals) {
    if (Date.now() - used < IDLE) continue
    locals.delete(name)
    discard(name).catch(() => undefined)
  }
}
