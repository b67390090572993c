/** A sink into a file store: it is uploaded as it is written, and nothing is there before its end.  [network] */
import type { StoredPlace } from './stored-place.ts'
import { choosePacker } from '../../../../io/packing/packing.ts'
import { startUpload } from '../../../../client/drive/upload.ts'
import { type UploadStream, uploadStream } from '../../../../client/drive/upload-stream.ts'
import { type Ends, holdingBack, packed, type Sink, type SinkOptions } from '../../../../io/sink.ts'
import type { DriveClient } from '../connect.ts'
import { openSpooled } from './spooled-upload.ts'

/** @throws {HlaError} usage — it cannot be packed; io, not-found — the store refuses it; remote */
export async function openStoredSink(
  { connection, retries }: DriveClient,
  { title, target }: StoredPlace,
  { encode, isMaybe = false }: SinkOptions = {},
): Promise<Sink> {
  const pack = await choosePacker(title)
  const upload = uploadStream(() => startUpload(connection, target, { size: undefined, retries }))
  if (!isMaybe) await upload.begin()
  return holdingBack(packed(plain(upload), pack, undefined), encode)
}

/** One that another run can go on with. `place` is asked for when none has begun it. @throws as `openStoredSink` */
export async function openMarkedSink(
  drive: DriveClient,
  place: () => Promise<StoredPlace>,
  spool: string,
  { encode, from, isMaybe = false }: SinkOptions,
): Promise<Sink> {
  const { title, ends } = await openSpooled(drive, place, { spool, from, isMaybe })
  return holdingBack(packed(ends, await choosePacker(title), from), encode)
}

/** Without a copy here nothing is gone on with. */
function notMarked(): never {
  throw new Error('this upload has no checkpoints')
}

function plain({ write, ready, identity, complete, finish, cancel }: UploadStream): Ends {
  return {
    emit: write,
    ready,
    identity,
    complete,
    finish: async () => void (await finish()),
    mark: notMarked,
    keep: () => undefined,
    abandon: cancel,
  }
}
