/** A sink into a file store: it is uploaded as it is written, and nothing is there before its end.  [network] */
import { choosePacker } from '../../../../io/packing/packing.ts'
import { type UploadTarget, startUpload } from '../../upload.ts'
import { type UploadStream, uploadStream } from '../../upload-stream.ts'
import { type Ends, type Sink, type SinkOptions, holdingBack, packed } from '../../../../io/sink.ts'
import type { DriveClient } from './connect.ts'

/** @throws {HlaError} usage — it cannot be packed; io, not-found — the store refuses it; remote */
export async function openStoredSink(
  { connection, retries }: DriveClient,
  { title, target }: StoredPlace,
  { encode, isMaybe = false }: SinkOptions = {},
): Promise<Sink> {
  const pack = await choosePacker(title)
  const upload = uploadStream(() => startUpload(connection, target, { size: undefined, retries }))
  if (!isMaybe) await upload.begin()
  return holdingBack(packed(plain(upload), pack), encode)
}

function plain({ write, ready, identity, complete, finish, cancel }: UploadStream): Ends {
  return {
    emit: write,
    ready,
    identity,
    complete,
    finish: async () => void (await finish()),
    abandon: cancel,
  }
}

export interface StoredPlace {
  /** What it is called in an error. */
  readonly name: string
  /** Its end says whether it is packed. */
  readonly title: string
  readonly target: UploadTarget
}
