/** Which contents are let in: the limit of one file, and what its owner has room for. */
import { quotaExceeded } from '../../domain/accounts/quota.ts'
import { type Room, roomsFor, type UploadTarget } from '../../domain/uploads/store-upload.ts'
import type { Caller } from '../../contract/caller.ts'
import { invalid, StorageFailure } from '../../contract/failure.ts'
import { expectedMd5 } from '../../protocol/bodies/upload-headers.ts'
import type { Staged } from '../../persistence/contents/blob-rows.ts'
import type { Admit } from '../../persistence/contents/staging.ts'
import type { Call, DriveContext } from '../requests/call.ts'

export interface Admitting {
  readonly target: UploadTarget
  /** Of an upload in several requests: what is on disk already. */
  readonly received?: number
  readonly few?: number
}

export interface Admission {
  readonly admit: Admit
  /** Before the store is told of the bytes, and in any case when nothing more is done with them. */
  readonly end: () => void
}

/**
 * The room that is there beside what else is under way, looked up for more than `few` bytes; the transaction that makes the file
 * has the last word. What is let in is under way until it ends: of two that do not fit together, the one that asks first has the room.
 */
export function admission(
  { store, options, underWay }: DriveContext,
  caller: Caller,
  { target, received, few = -1 }: Admitting,
): Admission {
  const arriving = underWay.begin()
  let found: { readonly era: number; readonly rooms: readonly Room[] } | undefined
  const admit = (size: number) => {
    if (size > options.maxUpload)
      throw new StorageFailure(413, 'uploadTooLarge', `A file has at most ${options.maxUpload} bytes.`)
    if (size <= few) return
    const era = arriving.era()
    if (found?.era !== era) found = { era, rooms: roomsFor(store.read, caller, target, received) }
    const isTooMuch = ({ user, bytes }: Room) => bytes !== undefined && size > bytes - arriving.ofOthers(user)
    if (found.rooms.some(isTooMuch)) {
      arriving.end()
      throw quotaExceeded()
    }
    const users = found.rooms.map(({ user }) => user)
    arriving.reach(users, size - (received ?? 0))
  }
  return { admit, end: arriving.end }
}

/** Now; nothing is kept free. @throws 413, 403 */
export function mustHaveRoom(drive: DriveContext, caller: Caller, admitting: Admitting, size: number): void {
  const { admit, end } = admission(drive, caller, admitting)
  try {
    admit(size)
  } finally {
    end()
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
