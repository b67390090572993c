/** Sink that uploads to a file store while it is written; the file appears only at the end.  [network] */
import { choosePacker } from '../../../io/packing/packing.ts'
import { type UploadTarget, startUpload } from '../../client/upload.ts'
import { type UploadStream, uploadStream } from '../../client/upload-stream.ts'
import { type ByteSink, type Sink, type SinkOptions, bufferedSink, packSink } from '../../../io/sink.ts'
import type { DriveClient } from './connect.ts'

/** @throws {HlaError} usage — unsupported compression; io, not-found — a refusal of the store; remote */
export async function openStoredSink(
  { connection, retries }: DriveClient,
  { title, target }: OutputTarget,
  { encode, isMaybe = false }: SinkOptions = {},
): Promise<Sink> {
  const pack = await choosePacker(title)
  const upload = uploadStream(() => startUpload(connection, target, { size: undefined, retries }))
  if (!isMaybe) await upload.begin()
  return bufferedSink(packSink(plain(upload), pack), encode)
}

function plain({ write, ready, identity, complete, finish, cancel }: UploadStream): ByteSink {
  return {
    emit: write,
    ready,
    identity,
    complete,
    finish: async () => void (await finish()),
    abandon: cancel,
  }
}

export interface OutputTarget {
  /** Name for error messages. */
  readonly name: string
  /** Title of the file; its ending selects the compression. */
  readonly title: string
  readonly target: UploadTarget
}
