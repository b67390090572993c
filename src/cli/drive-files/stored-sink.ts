/** A sink into a file store: it is uploaded as it is written, and nothing is there before its end.  [network] */
import { packerOf } from '../../batch/packing.ts'
import { startUpload, type UploadTarget } from '../../client/drive/upload.ts'
import { type UploadStream, uploadStream } from '../../client/drive/upload-stream.ts'
import { inMembers } from '../io/members.ts'
import { type Ends, holdingBack, type Sink, type SinkOptions } from '../io/sink.ts'
import type { Drive } from './connect.ts'

export interface StoredPlace {
  /** What it is called in an error. */
  readonly name: string
  /** Its end says whether it is packed. */
  readonly title: string
  readonly target: UploadTarget
}

/** @throws {HlaError} usage — it cannot be packed; io, not-found — the store refuses it; remote */
export async function openStoredSink(
  { connection, retries }: Drive,
  { title, target }: StoredPlace,
  { encode, isMaybe = false }: SinkOptions = {},
): Promise<Sink> {
  const pack = await packerOf(title)
  const upload = uploadStream(() => startUpload(connection, target, { size: undefined, retries }))
  if (!isMaybe) await upload.begin()
  return holdingBack(pack === undefined ? plain(upload) : packed(upload, pack), encode)
}

/** Of a store nothing is gone on with that an earlier run began. */
function notResumed(): never {
  throw new Error('an upload has no checkpoints')
}

function plain({ write, ready, identity, complete, finish, cancel }: UploadStream): Ends {
  return {
    emit: write,
    ready,
    identity,
    complete,
    finish: async () => void (await finish()),
    mark: notResumed,
    keep: () => undefined,
    abandon: cancel,
  }
}

function packed(upload: UploadStream, pack: (bytes: Uint8Array) => Buffer): Ends {
  const members = inMembers((bytes) => upload.write(pack(bytes)), { held: new Uint8Array(0), isEmpty: true })
  const ends = plain(upload)
  return {
    ...ends,
    emit: members.write,
    complete() {
      members.finish()
      return ends.complete()
    },
    finish() {
      members.finish()
      return ends.finish()
    },
  }
}
