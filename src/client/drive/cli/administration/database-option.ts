/**
 * Checks the address of a shared store's database: no secret visible to others, no unencrypted connection over a
 * network unless explicitly allowed.
 */
import { HlaError } from '../../../../errors.ts'
import { parseDatabaseAddress } from '../../../../drive/persistence/shared/postgres.ts'
import { tell } from '../../../../io/stdout.ts'

/** @throws {HlaError} usage — not an address, or a password on the command line */
export function checkDatabase(given: string, words: readonly string[] = process.argv): void {
  const { hasPassword, protection, isRemote, shown } = parseDatabaseAddress(given)
  if (hasPassword && words.some((word) => word.includes(given)))
    throw new HlaError(
      'usage',
      'the database URL contains a password, and every user of this machine can see command lines',
      {
        hint: 'set HLA_DRIVE_DATABASE to the URL instead, put the password into PGPASSWORD, or add ?passwordfile=FILE',
      },
    )
  if (isRemote && protection === 'unsaid')
    tell(
      `hla: warning: ${shown} is used without TLS: add ?sslmode=verify-full, or sslmode=disable on a private network\n`,
    )
}

export interface SharedOptions {
  readonly database?: string
  readonly contents?: string
}

/** Returns undefined for a store in a folder. @throws {HlaError} usage */
export function readShared({
  database: url,
  contents,
}: SharedOptions): { readonly url: string; readonly contents: string } | undefined {
  if (url === undefined) {
    return undefined
  }
  if (contents === undefined)
    throw new HlaError(
      'usage',
      '--database needs --contents: s3://bucket/prefix, or a folder that all servers of the store can access',
    )
  checkDatabase(url)
  return { url, contents }
}
