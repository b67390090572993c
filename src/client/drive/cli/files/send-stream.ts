/** Bytes that nobody can read twice, into the store.  [network] */
import type { DriveFile } from '../../resource.ts'
import { startUpload, type UploadTarget } from '../../upload.ts'
import { uploadStream } from '../../upload-stream.ts'
import { onInterrupt } from '../../../../io/interrupt.ts'
import type { DriveClient } from './connect.ts'

/** Nothing is there before all of them are. */
export async function sendStream(
  { connection, retries }: DriveClient,
  target: UploadTarget,
  bytes: AsyncIterable<Uint8Array>,
): Promise<DriveFile> {
  const upload = uploadStream(() => startUpload(connection, target, { size: undefined, retries }))
  const stop = onInterrupt(upload.cancel)
  try {
    await upload.begin()
    for await (const chunk of bytes) {
      upload.write(chunk)
      await upload.ready()
    }
    return await upload.finish()
  } catch (error) {
    await upload.cancel()
    throw error
  } finally {
    stop()
  }
}
