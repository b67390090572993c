/** Which of the caller's items a list is about, as SQL (spec 5.8, 19). */
import { MY_ACLS, MY_GROUPS } from '../access/access.ts'

export type Corpus =
  /** Items in no shared drive. */
  | { readonly kind: 'mine' }
  /** Also items of shared drives that the caller made, changed, opened, shared or was given. */
  | { readonly kind: 'given' }
  /** Also everything in shared drives. */
  | { readonly kind: 'all' }
  /** Items granted to the caller's domain. */
  | { readonly kind: 'domain' }
  | { readonly kind: 'drive'; readonly drive: number }

/** Sets of rights of the items in question. */
export function aclsIn(corpus: Corpus): string {
  switch (corpus.kind) {
    case 'mine':
      return among('a.drive IS NULL')
    case 'drive':
      return among(`a.drive = ${corpus.drive}`)
    case 'domain':
      return among(`a.drive IS NULL AND EXISTS (SELECT 1 FROM acl_entries o JOIN principals p ON p.pk = o.principal
        WHERE o.acl = a.pk AND p.kind = 'domain' AND p.pk IN ${MY_GROUPS})`)
    case 'given':
    case 'all':
      return MY_ACLS
  }
}

function among(condition: string): string {
  return `(SELECT e.acl FROM acl_entries e CROSS JOIN acls a ON a.pk = e.acl
    WHERE e.is_listed = 1 AND e.principal IN ${MY_GROUPS} AND ${condition})`
}

/** What is to be asked of each of them; undefined: nothing. */
export function corpusCondition({ kind }: Corpus): string | undefined {
  if (kind !== 'given') return undefined
  return `(f.drive IS NULL OR f.modifier = ?1
    OR EXISTS (SELECT 1 FROM grants WHERE item = f.pk AND (granter = ?1 OR principal IN ${MY_GROUPS}))
    OR EXISTS (SELECT 1 FROM user_state WHERE user = ?1 AND item = f.pk
      AND (viewed_at IS NOT NULL OR modified_at IS NOT NULL)))`
}
