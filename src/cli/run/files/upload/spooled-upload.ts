/** An upload that another run can go on with: what was written is here too, until all of it is in the store.  [disk, network] */
import type { StoredPlace } from './stored-place.ts'
import { createReadStream, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { choosePacker } from '../../../../io/packing/packing.ts'
import { newFileId } from '../../../../client/drive/files.ts'
import { askUpload, startUpload, type UploadTarget } from '../../../../client/drive/upload.ts'
import { type BegunUpload, type UploadStream, uploadStream } from '../../../../client/drive/upload-stream.ts'
import { HlaError, isHlaError, errorReason } from '../../../../errors.ts'
import { openPart, type PartFile, namePart } from '../../../../io/part-file.ts'
import { type Ends, NOTHING, type SinkMark } from '../../../../io/sink.ts'
import type { DriveClient } from '../connect.ts'

export interface Spooling {
  /** What the copy is named after. */
  readonly spool: string
  readonly from: SinkMark | undefined
  readonly isMaybe: boolean
}

/** What a mark says of an upload. */
interface Marked extends StoredPlace {
  /** Its credential; undefined: it had not begun. */
  readonly address?: string | undefined
}

/** @throws {HlaError} usage — it cannot be packed; io, not-found — the store refuses it; remote */
export async function openSpooled(
  drive: DriveClient,
  place: () => Promise<StoredPlace>,
  { spool, from, isMaybe }: Spooling,
): Promise<{ readonly title: string; readonly ends: Ends }> {
  // written by `uploadMark`, and the checksum of its state holds
  const marked = from?.upload === undefined ? undefined : (JSON.parse(from.upload) as Marked)
  const { name, title, target } = marked ?? (await withId(drive, await place()))
  await choosePacker(title)
  const upload = uploadStream(() => start(drive, target), await begunUpload(drive, marked?.address))
  const part = openSpool(name, spool, from)
  try {
    // the store is sent what it has not, and the digests are of all
    if (from !== undefined) await feed(upload, namePart(spool), from.length)
    if (!isMaybe) await upload.begin()
  } catch (error) {
    if (from === undefined) part.remove()
    else part.keep()
    throw error
  }
  return { title, ends: spooled(upload, part, { name, title, target }) }
}

function spooled(upload: UploadStream, part: PartFile, place: StoredPlace): Ends {
  const { ready, identity } = upload
  return {
    emit(bytes) {
      part.write(bytes)
      upload.write(bytes)
    },
    ready,
    identity,
    mark: () => ({
      length: part.sync(),
      sum: part.sum(),
      held: NOTHING,
      upload: uploadMark(place, upload.address()),
    }),
    async complete() {
      await upload.begin()
      await upload.complete()
    },
    async finish() {
      await upload.finish()
      // it goes with the state that speaks of it
      part.keep()
    },
    keep: part.keep,
    abandon() {
      part.remove()
      return upload.cancel()
    },
  }
}

function uploadMark(place: StoredPlace, address: string | undefined): string {
  return JSON.stringify({ ...place, address } satisfies Marked)
}

function start({ connection, retries }: DriveClient, target: UploadTarget) {
  return startUpload(connection, target, { size: undefined, retries })
}

/** A file that is made under an id of its own is made once, whatever becomes of the upload. */
async function withId({ connection }: DriveClient, place: StoredPlace): Promise<StoredPlace> {
  const { target } = place
  if (target.kind === 'revision' || target.id !== undefined) return place
  return { ...place, target: { ...target, id: await newFileId(connection) } }
}

/** undefined: it never began, or the store has forgotten it; then all of it is sent anew. */
async function begunUpload(
  { connection, retries }: DriveClient,
  address: string | undefined,
): Promise<BegunUpload | undefined> {
  if (address === undefined) return undefined
  const session = { connection, path: address, retries }
  const held = await askUpload(session)
  return held === undefined ? undefined : { session, held }
}

function openSpool(name: string, spool: string, from: SinkMark | undefined): PartFile {
  try {
    mkdirSync(dirname(spool), { recursive: true, mode: 0o700 })
    return openPart(name, from, namePart(spool), 0o600)
  } catch (cause) {
    const reason = errorReason(isHlaError(cause) ? cause.cause : cause)
    throw new HlaError('io', `cannot write ${namePart(spool)}: ${reason}`, {
      offending: namePart(spool),
      hint: `what goes to ${name} is kept there for --resume; --checkpoint 0 does without`,
      cause,
    })
  }
}

async function feed(upload: UploadStream, file: string, length: number): Promise<void> {
  if (length === 0) return
  for await (const chunk of createReadStream(file, { end: length - 1 })) {
    upload.write(chunk as Buffer) // without an encoding a stream gives buffers
    await upload.ready()
  }
}
