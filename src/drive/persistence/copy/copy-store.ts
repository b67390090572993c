/** Copies a whole store between a folder of one machine and the database of several servers, either way.  [disk, network] */
import { HlaError } from '../../../errors.ts'
import { copyToDatabase } from './copy-to-database.ts'
import { copyToFolder } from './copy-to-folder.ts'
import type { CopyReport } from './copy-source.ts'

export interface CopyRequest {
  /** A folder, or `postgres://…`: one is the one, the other the other. */
  readonly from: string
  readonly to: string
  /** Of the store in the database. */
  readonly contents: string
}

/**
 * Nothing of the target can be used before all of it is there and compared. Cut off, it goes on where it was.
 * @throws {HlaError} usage; not-found; io — the target is not empty, a service uses the source; data-differs — a content is damaged
 */
export function copyStore({ from, to, contents }: CopyRequest): Promise<CopyReport> {
  const [isFrom, isTo] = [isDatabase(from), isDatabase(to)]
  if (isFrom === isTo)
    throw new HlaError('usage', 'one of --from and --to is a folder, the other postgres://…', {
      hint: isFrom
        ? 'PostgreSQL copies its databases itself (pg_dump); the folder of the contents is copied beside'
        : 'hla drive backup and hla drive restore copy a folder',
    })
  return isTo ? copyToDatabase(from, to, contents) : copyToFolder(from, contents, to)
}

export function isDatabase(address: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(address)
}
