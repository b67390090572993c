/** What is in a folder that a link alone opens: whoever knows the folder sees what is in it, though no list or search shows it. */
import { type Caller, GUEST } from '../../contract/caller.ts'
import type { Database } from '../../persistence/database/database.ts'
import type { QNode } from '../../protocol/q/q-tree.ts'
import { findSeen, MY_ACLS, MY_PRINCIPALS } from '../access/access.ts'
import type { FileRow } from '../items/file-row.ts'
import type { Corpus } from './corpus.ts'
import type { Driver } from './driver.ts'
import { asItemSet } from './sets.ts'

/** Sets of rights by which the caller may open an item, listed or not. */
export const LINKED_ACLS = `(SELECT acl FROM acl_entries WHERE principal IN ${MY_PRINCIPALS})`

const UNLISTED = `SELECT 1 FROM files WHERE pk = ?2 AND acl NOT IN ${MY_ACLS}`

export interface Searched {
  readonly search: QNode | undefined
  readonly corpus: Corpus
}

/** Where a search of such a folder starts: other indexes know only what is listed. Undefined: it is of none. */
export function chooseLinkedFolder(
  db: Database,
  caller: Caller,
  { search, corpus }: Searched,
): Driver | undefined {
  const tests = search === undefined ? [] : search.kind === 'and' ? search.parts : [search]
  const test = tests.find((one) => isOfLinkedFolder(db, caller, one, corpus))
  const set = test === undefined ? undefined : asItemSet(test)
  return set === undefined ? undefined : { set, rest: tests.filter((other) => other !== test), count: 0 }
}

function isOfLinkedFolder(db: Database, caller: Caller, test: QNode, corpus: Corpus): boolean {
  if (test.kind !== 'member' || test.of !== 'parents') return false
  // who has no lists is asked for folders alone (`guestFor`)
  if (caller.user === GUEST.user) return true
  const folder = findSeen(db, caller, test.value)
  if (folder === undefined || !isIn(folder, corpus)) return false
  return db.get(UNLISTED, caller.user, folder.pk) !== undefined
}

function isIn({ drive }: FileRow, corpus: Corpus): boolean {
  switch (corpus.kind) {
    case 'mine':
      return drive === null
    case 'drive':
      return drive === corpus.drive
    case 'given':
    case 'all':
      return true
    case 'domain':
      return false
  }
}
