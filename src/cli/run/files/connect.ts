/** A connection to the file store of a command line, for as long as it is needed.  [network] */
import { type DriveConnection, openConnection } from '../../../client/drive/connection.ts'
import { type DriveFlags, driveOptionsOf } from '../../options/drive-connection-options.ts'
import { tell } from '../../../io/stdout.ts'
import { formatNote } from '../../messages.ts'
import { isOpenToReading } from '../../options/remote-options.ts'

export interface Drive {
  readonly connection: DriveConnection
  /** Attempts after the first. */
  readonly retries: number
}

/** @throws {HlaError} usage, not-found — no address, no token */
export async function connectDrive(flags: DriveFlags): Promise<Drive> {
  const options = driveOptionsOf(flags)
  const { url, retries } = options
  if (isOpenToReading(url)) {
    const message = `files and the token travel unencrypted to ${url}`
    tell(formatNote({ level: 'warning', code: 'unencrypted', message }))
  }
  return { connection: await openConnection(options), retries }
}

export async function withDrive<Result>(
  flags: DriveFlags,
  run: (drive: Drive) => Promise<Result>,
): Promise<Result> {
  const drive = await connectDrive(flags)
  try {
    return await run(drive)
  } finally {
    await drive.connection.close()
  }
}
