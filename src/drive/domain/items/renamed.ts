/** A person or a group is shown by another name: whatever shows it has another etag. */
import type { Transaction } from '../../persistence/database/database.ts'
import { forgetUsers } from '../accounts/user-view.ts'

export function rename(tx: Transaction, principal: number, name: string): void {
  tx.run('UPDATE principals SET name = ? WHERE pk = ?', name, principal)
  forgetUsers(tx)
  tx.run(SHOWN, principal)
  tx.run('UPDATE revisions SET version = version + 1 WHERE modifier = ?', principal)
}

const SHOWN = `UPDATE files SET version = version + 1 WHERE ?1 IN (owner, modifier, trasher)
  OR acl IN (SELECT acl FROM acl_entries WHERE principal = ?1)
  OR pk IN (SELECT item FROM user_state WHERE sharer = ?1) OR json_extract(extra, '$.restriction.by') = ?1`
