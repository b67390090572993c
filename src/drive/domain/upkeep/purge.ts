/** Removes expired rows; the garbage collection deletes unreferenced contents afterwards. */
import { assured } from '../../../errors.ts'
import type { PurgeInput, Purged } from './purge-step.ts'
import type { Caller } from '../../contract/failure.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { purgeRecords } from '../administration/administer.ts'
import { oldRevisions } from '../revisions/revisions.ts'
import { purgeLinks } from '../permissions/links.ts'
import { purgeAttempts } from '../sign-in/passwords.ts'
import { oldTrash } from '../trash/trash.ts'

/** Works in small steps, because other commands wait for the writer. */
type Purge = (tx: Transaction, input: PurgeInput) => Purged

const PURGES: readonly Purge[] = [
  inBatches(purgeTokens),
  oldTrash,
  oldRevisions,
  supersededChanges,
  inBatches(purgeAttempts),
  inBatches(purgeRecords),
  inBatches(purgeLinks),
]

export function purge(tx: Transaction, _caller: Caller, input: PurgeInput): Purged {
  const one = assured(PURGES[input.kind], `there is no purge ${input.kind}`)
  return one(tx, input)
}

/** Runs all purges step by step. @returns the number of rows removed. @throws the first failure, after all other purges have run */
export async function purgeAll(step: (input: PurgeInput) => Promise<Purged>): Promise<number> {
  let count = 0
  const failures: unknown[] = []
  const purgeKind = async (kind: number) => {
    for (let after: number | undefined = 0; after !== undefined;) {
      const { removed, next }: Purged = await step({ kind, after })
      count += removed
      after = next
    }
  }
  for (const kind of PURGES.keys()) await purgeKind(kind).catch((error: unknown) => void failures.push(error))
  if (failures.length > 0) throw failures[0]
  return count
}

/** Rows deleted in one step. */
const MAX_ROWS = 1000

/** @returns a purge that deletes rows until a step finds fewer than it may delete */
function inBatches(remove: (tx: Transaction, most: number) => number): Purge {
  return (tx) => {
    const removed = remove(tx, MAX_ROWS)
    return { removed, next: removed < MAX_ROWS ? undefined : 0 }
  }
}

function purgeTokens(tx: Transaction, most: number): number {
  const sql = 'DELETE FROM tokens WHERE digest IN (SELECT digest FROM tokens WHERE expires < ? LIMIT ?)'
  return tx.run(sql, tx.now, most).changes
}

const MAX_CHANGES = 10_000

/** Reads the log of each principal in turn, in the order of its index. */
const LIVE = `SELECT i.seq FROM principals p CROSS JOIN change_index i ON i.principal = p.pk
  WHERE i.seq > ?1 AND i.seq <= ?2`

/** Deletes entries that no log shows any longer, because a later entry of the item replaced them. Entries of deleted items stay. */
function supersededChanges(tx: Transaction, { after }: PurgeInput): Purged {
  // the last entry always stays: the store's clock is read from it
  const last = lastKey(tx) - 1
  if (after >= last) return { removed: 0, next: undefined }
  const end = Math.min(after + MAX_CHANGES, last)
  const sql = `DELETE FROM changes WHERE seq > ?1 AND seq <= ?2 AND is_gone = 0 AND seq NOT IN (${LIVE})`
  return { removed: tx.run(sql, after, end).changes, next: end }
}

function lastKey(db: Database): number {
  return db.get<{ seq: number | null }>('SELECT max(seq) AS seq FROM changes')?.seq ?? 0
}
