/** Which contents are let in: the limit of one file, and what its owner has room for. */
import { quotaExceeded } from '../../domain/accounts/quota.ts'
import { roomFor, type UploadTarget } from '../../domain/uploads/store-upload.ts'
import type { Caller } from '../../contract/caller.ts'
import { invalid, StorageFailure } from '../../contract/failure.ts'
import { expectedMd5 } from '../../protocol/bodies/upload-headers.ts'
import type { Staged } from '../../persistence/contents/blob-rows.ts'
import type { Admit } from '../../persistence/contents/staging.ts'
import type { Call, Drive } from '../requests/call.ts'

export interface Admitting {
  readonly target: UploadTarget
  /** Of an upload in several requests: what is on disk already. */
  readonly received?: number
  readonly few?: number
}

/** The room that is there now, looked up for more than `few` bytes; the transaction that makes the file has the last word. */
export function admission(
  { store, options }: Drive,
  caller: Caller,
  { target, received, few = -1 }: Admitting,
): Admit {
  let found: { readonly room: number | undefined } | undefined
  return (size) => {
    if (size > options.maxUpload)
      throw new StorageFailure(413, 'uploadTooLarge', `A file has at most ${options.maxUpload} bytes.`)
    if (size <= few) return
    found ??= { room: roomFor(store.read, caller, target, received) }
    if (found.room !== undefined && size > found.room) throw quotaExceeded()
  }
}

/** @throws 400 — the bytes are not those that were sent */
export function mustHave({ md5 }: Staged, wanted: string | undefined): void {
  if (wanted !== undefined && wanted !== md5)
    throw invalid('The bytes that arrived do not have the MD5 that was sent.', 'Content-MD5')
}

/** Of requests whose own body is not the content. */
export function expectedHash({ request }: Call): string | undefined {
  return expectedMd5({ 'x-goog-hash': request.headers['x-goog-hash'] })
}
