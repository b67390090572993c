/** What there is in a store, counted. */
import type { Database } from '../../persistence/database/database.ts'

export interface StoreFacts extends Readonly<Record<string, number>> {
  readonly users: number
  readonly files: number
  readonly folders: number
  readonly trashed: number
  readonly revisions: number
  readonly contents: number
  /** Bytes of the contents, each counted once. */
  readonly bytes: number
  readonly uploads: number
  readonly largestChange: number
}

const COUNTS = `SELECT
  (SELECT count(*) FROM principals WHERE kind = 'user' AND is_known = 1) AS users,
  (SELECT count(*) FROM files WHERE kind <> 'folder') AS files,
  (SELECT count(*) FROM files WHERE kind = 'folder' AND is_root = 0) AS folders,
  (SELECT count(*) FROM files WHERE trashed = 1) AS trashed,
  (SELECT count(*) FROM revisions) AS revisions,
  (SELECT count(*) FROM blobs) AS contents,
  (SELECT coalesce(sum(size), 0) FROM blobs) AS bytes,
  (SELECT count(*) FROM uploads WHERE state = 'open') AS uploads,
  (SELECT coalesce(max(seq), 0) FROM changes) AS largestChange`

export function storeFacts(db: Database): StoreFacts {
  const facts = db.get<StoreFacts>(COUNTS)
  if (facts === undefined) throw new Error('the store counts nothing')
  return facts
}
