/** Whether items are in the trash: by themselves, or because every folder they are in is (spec 10). Kept in `files.trashed`. */
import type { Transaction } from '../../persistence/database/database.ts'
import { recordChange } from '../changes/change-log.ts'

interface TrashState {
  readonly pk: number
  readonly id: string
  readonly trashed: number
  /** What `trashed` should be. */
  readonly next: number
}

const NEXT = `(f.explicit_trash = 1 OR (EXISTS (SELECT 1 FROM parents l WHERE l.child = f.pk)
    AND NOT EXISTS (SELECT 1 FROM parents l JOIN files p ON p.pk = l.parent WHERE l.child = f.pk AND p.trashed = 0)))`
const STATE = `SELECT f.pk, f.id, f.trashed, ${NEXT} AS next FROM files f WHERE f.pk = ?`

/** Items whose `trashed` does not follow from their own flag and their folders: `key` and `what`, as a check has them. */
export const WRONG_TRASH = `SELECT f.pk AS key, 'file ' || f.id || ' is ' || iif(f.trashed, '', 'not ') || 'marked as in the trash' AS what
  FROM files f WHERE f.trashed <> ${NEXT}`

/**
 * After a change of the item's own flag or of its folders: it and everything below are set right. The change log
 * has an entry for each one below that turned; that of the item itself is the caller's to write.
 */
export function recomputeTrash(tx: Transaction, item: number): void {
  const waiting = [item]
  for (let pk = waiting.pop(); pk !== undefined; pk = waiting.pop()) {
    const state = tx.get<TrashState>(STATE, pk)
    if (state === undefined || state.next === state.trashed) continue
    tx.run('UPDATE files SET trashed = ? WHERE pk = ?', state.next, pk)
    if (pk !== item) recordChange(tx, state)
    for (const { child } of tx.all<{ child: number }>('SELECT child FROM parents WHERE parent = ?', pk))
      waiting.push(child)
  }
}
