/** about.get: the caller, the quota, and the latest entry of the change log (spec 17). */
import type { Caller } from '../../contract/caller.ts'
import type { Database } from '../../persistence/database/database.ts'
import { COUNTED } from './quota.ts'
import { realId } from '../items/file-row.ts'
import { type UserView, userView } from './user-view.ts'

export interface AboutView {
  readonly user: UserView
  readonly rootId: string
  /** Bytes; undefined: no limit. */
  readonly quota: number | undefined
  readonly used: number
  readonly usedInTrash: number
  readonly largestChange: number
}

export function about(db: Database, caller: Caller): AboutView {
  const user = userView(db, caller.user)
  if (user === undefined) throw new Error(`there is no user ${caller.user}`)
  const sql = `SELECT quota, ${COUNTED} AS used FROM principals WHERE pk = ?`
  const { quota = null, used = 0 } = db.get<{ quota: number | null; used: number }>(sql, caller.user) ?? {}
  return {
    user,
    rootId: realId(db, caller, 'root'),
    quota: quota ?? undefined,
    used,
    usedInTrash: usedInTrash(db, caller.user),
    largestChange: largestChange(db),
  }
}

/** Number of the last entry; no number below or at it will be given again. */
export function largestChange(db: Database): number {
  return db.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'changes'")?.seq ?? 0
}

/** Through the sets of rights: there is an index of what is in the trash for each. */
function usedInTrash(db: Database, owner: number): number {
  const sql = `SELECT sum(used) AS used FROM files WHERE trashed = 1 AND owner = ?1
    AND acl IN (SELECT acl FROM acl_entries WHERE principal = ?1)`
  return db.get<{ used: number | null }>(sql, owner)?.used ?? 0
}
