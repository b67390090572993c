/** Address and token of a file store, from options, variables and files.  [disk] */
import { DEFAULT_DRIVE, DEFAULT_DRIVE_URL, type DriveOptions } from '../../client/options.ts'
import { HlaError } from '../../../errors.ts'
import type { OptionRow } from '../../../options/option-row.ts'
import { readNamed } from '../../../cli/named-file.ts'
import { type NetworkLimits, parseAddress } from '../../../cli/options/remote-options.ts'

/** Values as commander parses them. */
export interface DriveFlags {
  readonly driveUrl?: string
  readonly driveTokenFile?: string
  readonly retries?: number
  readonly timeout?: number
  readonly connectTimeout?: number
  readonly network?: NetworkLimits
}

export const DRIVE_CONNECTION = [
  { name: 'drive-url', value: 'url', help: `address of the file store (default ${DEFAULT_DRIVE_URL})`, env: 'HLA_DRIVE_URL' },
  { name: 'drive-token-file', value: 'file', help: 'file that contains the access token for the file store', env: 'HLA_DRIVE_TOKEN_FILE' },
] as const satisfies readonly OptionRow[] // prettier-ignore

/**
 * The token may come from the environment or a file, never from the command line; undefined without one.
 * @throws {HlaError} usage, not-found
 */
export function readDriveOptions(
  flags: DriveFlags,
): Omit<DriveOptions, 'token'> & { readonly token: string | undefined } {
  const { driveUrl = DEFAULT_DRIVE_URL, retries, timeout, connectTimeout } = { ...flags, ...flags.network }
  const { retries: many, lasting, timeout: long, connectTimeout: brief } = DEFAULT_DRIVE
  return {
    url: parseAddress(driveUrl, STORE),
    token: readTokenFile(flags),
    retries: retries ?? many,
    ...(retries === undefined && lasting !== undefined ? { lasting } : {}),
    timeout: timeout ?? long,
    connectTimeout: connectTimeout ?? brief,
  }
}

const STORE = {
  option: '--drive-url',
  server: 'a file store',
  secret: '--drive-token-file FILE contains the token',
}

function readTokenFile({ driveTokenFile }: DriveFlags): string | undefined {
  const given = process.env['HLA_DRIVE_TOKEN'] ?? ''
  const text = driveTokenFile === undefined ? given : readNamed(driveTokenFile)
  const token = text.trim()
  if (/^[\w.~+/=-]+$/.test(token)) return token
  if (token !== '')
    // the content may be another secret, so the message does not show it
    throw new HlaError('usage', `${driveTokenFile ?? 'HLA_DRIVE_TOKEN'} contains no token`)
  return undefined
}

export function tokenMissing(): HlaError {
  return new HlaError('usage', 'the file store requires an access token', {
    hint: 'hla drive login signs in; or hla drive token create --user … > FILE creates a token; pass it with --drive-token-file FILE or HLA_DRIVE_TOKEN_FILE',
  })
}
