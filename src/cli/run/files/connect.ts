/** A connection to the file store of a command line, for as long as it is needed.  [network] */
import type { Awaiting } from '../../../client/attempts.ts'
import { RESTART } from '../../../client/drive/options.ts'
import { type DriveConnection, openConnection } from '../../../client/drive/connection.ts'
import { type DriveFlags, readDriveOptions } from '../../options/drive-connection-options.ts'
import { tell } from '../../../io/stdout.ts'
import { formatNote } from '../../messages.ts'
import { isOpenToReading } from '../../options/remote-options.ts'

export interface DriveClient {
  readonly connection: DriveConnection
  /** Attempts after the first. */
  readonly retries: number
}

/** @throws {HlaError} usage, not-found — no address, no token */
export async function connectDrive(flags: DriveFlags, awaiting?: Awaiting): Promise<DriveClient> {
  const options = { ...readDriveOptions(flags), ...(awaiting === undefined ? {} : { awaiting }) }
  const { url, retries } = options
  if (isOpenToReading(url)) {
    const message = `files and the token travel unencrypted to ${url}`
    tell(formatNote({ level: 'warning', code: 'unencrypted', message }))
  }
  return { connection: await openConnection(options), retries }
}

/** For a transfer: a store that is started again meanwhile is waited for, unless the attempts were said. */
export function withDriveAwaited<Result>(
  flags: DriveFlags,
  run: (drive: DriveClient) => Promise<Result>,
): Promise<Result> {
  const awaiting = {
    time: RESTART,
    tell: (message: string) => tell(formatNote({ level: 'note', code: 'waiting', message })),
  }
  return withDrive(flags, run, flags.retries === undefined ? awaiting : undefined)
}

export async function withDrive<Result>(
  flags: DriveFlags,
  run: (drive: DriveClient) => Promise<Result>,
  awaiting?: Awaiting,
): Promise<Result> {
  const drive = await connectDrive(flags, awaiting)
  try {
    return await run(drive)
  } finally {
    await drive.connection.close()
  }
}
