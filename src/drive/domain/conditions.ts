/** `If-Match`: a change happens only to what the caller has seen, decided in the transaction of the change. */
import type { Caller } from '../contract/caller.ts'
import { conditionNotMet } from '../contract/failure.ts'
import { type EntityTags, matches } from '../protocol/etags.ts'
import type { Database } from '../persistence/database/database.ts'
import { viewFile } from './items/file-view.ts'

/** @throws 412 */
export function mustMatch(db: Database, caller: Caller, file: number, wanted: EntityTags | undefined): void {
  if (wanted !== undefined && !matches(wanted, viewFile(db, caller, file).etag)) throw conditionNotMet()
}
