/** Opens a connection to the file store for one command.  [network] */
import type { OutageOptions } from '../../../remote/attempts.ts'
import type { DriveOptions } from '../../client/options.ts'
import { RESTART_MS } from '../../../remote/patience.ts'
import { type DriveConnection, openConnection } from '../../client/connection.ts'
import { type DriveFlags, readDriveOptions, tokenMissing } from '../options/connection-options.ts'
import { tell } from '../../../io/stdout.ts'
import { formatNote } from '../../../cli/messages.ts'
import { isOpenToReading } from '../../../cli/options/remote-options.ts'

export interface DriveClient {
  readonly connection: DriveConnection
  /** Attempts after the first. */
  readonly retries: number
}

/** @throws {HlaError} usage, not-found — no address, no token */
export async function connectDrive(flags: DriveFlags, awaiting?: OutageOptions): Promise<DriveClient> {
  const given = { ...readDriveOptions(flags), ...(awaiting === undefined ? {} : { awaiting }) }
  const { url, retries } = given
  const token = given.token ?? (await readStoredSignIn(given))
  if (token === undefined) throw tokenMissing()
  warnIfOpen(url)
  return { connection: await openConnection({ ...given, token }), retries }
}

/** Reads the stored sign-in only when no token is given. */
async function readStoredSignIn(options: DriveOptions): Promise<DriveOptions['token']> {
  return (await import('./signed-in.ts')).tokenSource(options)
}

export function warnIfOpen(url: string): void {
  if (!isOpenToReading(url)) return
  const message = `files and the token travel unencrypted to ${url}`
  tell(formatNote({ level: 'warning', code: 'unencrypted', message }))
}

/** For transfers: waits for a restarting store, unless the number of attempts was given. */
export function withDriveAwaited<Result>(
  flags: DriveFlags,
  run: (drive: DriveClient) => Promise<Result>,
): Promise<Result> {
  const awaiting = {
    time: RESTART_MS,
    tell: (message: string) => tell(formatNote({ level: 'note', code: 'waiting', message })),
  }
  return withDrive(flags, run, flags.retries === undefined ? awaiting : undefined)
}

export async function withDrive<Result>(
  flags: DriveFlags,
  run: (drive: DriveClient) => Promise<Result>,
  awaiting?: OutageOptions,
): Promise<Result> {
  const drive = await connectDrive(flags, awaiting)
  try {
    return await run(drive)
  } finally {
    await drive.connection.close()
  }
}
