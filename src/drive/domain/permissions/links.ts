/**
 * Links of their own: each has an address, and may have a password and a limit of downloads. Such a link is a principal
 * of the kind `anyone` with a key below 0, so that folders and restrictions of shared drives hold for it as for other
 * grants. In its row `password` is a hash, `quota` the limit of downloads, and `used` counts them.
 */
import { assured } from '../../../errors.ts'
import { randomBytes } from 'node:crypto'
import { type Caller, notFound } from '../../contract/failure.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { findPrincipalByKey } from '../access/principals.ts'
import { grantToLink, removePermission } from './share.ts'

export interface LinkFacts {
  /** `anyone` for the link that is the file's own address. */
  readonly id: string
  /** Key of the principal. */
  readonly pk: number
  readonly file: string
  readonly title: string
  readonly kind: 'file' | 'folder' | 'shortcut'
  readonly role: string
  /** ms since 1970; `expires` is null for a link without an end. */
  readonly created: number
  readonly expires: number | null
  /** E-mail address of the user who made the link. */
  readonly maker: string | null
  readonly password: string | null
  /** Limit of downloads; null for none. */
  readonly most: number | null
  readonly downloads: number
}

const LINKS = `SELECT p.id, p.pk, f.id AS file, f.title, f.kind, g.role, g.created, g.expires, u.email AS maker, p.password,
  iif(p.pk < 0, p.quota, NULL) AS most, iif(p.pk < 0, p.used, 0) AS downloads
  FROM principals p JOIN grants g ON g.principal = p.pk JOIN files f ON f.pk = g.item
  LEFT JOIN principals u ON u.pk = g.granter WHERE p.kind = 'anyone'`

/** Undefined if it has ended. */
export function findLink(db: Database, id: string): LinkFacts | undefined {
  return db.get<LinkFacts>(`${LINKS} AND p.id = ? AND p.pk < 0`, id)
}

export function findLinkByKey(db: Database, pk: number): LinkFacts | undefined {
  return db.get<LinkFacts>(`${LINKS} AND p.pk = ? AND p.pk < 0`, pk)
}

/** Links that the user made or that open the user's files, or all; the newest first. */
export function listLinks(db: Database, user: number | undefined): LinkFacts[] {
  const own = user === undefined ? '' : 'AND (g.granter = ?1 OR f.owner = ?1)'
  const sql = `${LINKS} ${own} ORDER BY g.created DESC, f.pk DESC, p.pk`
  return db.all<LinkFacts>(sql, ...(user === undefined ? [] : [user]))
}

export interface NewLink {
  readonly file: string
  /** Null for none. */
  readonly hash: string | null
  readonly downloads: number | null
  /** ms since 1970; null for no end, undefined for the store's default. */
  readonly expires: number | null | undefined
}

/** @throws 404, 403, 400 */
export function openLink(
  tx: Transaction,
  caller: Caller,
  { file, hash, downloads, expires }: NewLink,
): LinkFacts {
  const lowest = tx.get<{ pk: number }>('SELECT min(pk) AS pk FROM principals')?.pk ?? 0
  const [pk, id] = [lowest - 1, `link-${randomBytes(18).toString('base64url')}`]
  const sql = `INSERT INTO principals(pk, kind, id, name, is_known, password, quota) VALUES (?, 'anyone', ?, '', 0, ?, ?)`
  tx.run(sql, pk, id, hash, downloads)
  const to = assured(findPrincipalByKey(tx, pk), 'the link was not inserted')
  grantToLink(tx, caller, file, { to, expires })
  return assured(findLink(tx, id), 'the link opens nothing')
}

/** @throws 404, 403 */
export function closeLink(tx: Transaction, caller: Caller, { id }: { readonly id: string }): void {
  const link = findLink(tx, id)
  if (link === undefined) throw notFound('Link', id)
  removePermission(tx, caller, { id: link.file, permission: id })
}

/** @returns false if the limit is reached; the download is then not counted */
export function countDownload(tx: Transaction, _caller: Caller, { pk }: { readonly pk: number }): boolean {
  const sql =
    'UPDATE principals SET used = used + 1 WHERE pk = ? AND pk < 0 AND (quota IS NULL OR used < quota)'
  return tx.run(sql, pk).changes === 1
}

// the lowest key stays, so that no key is given again
const CLOSED = `SELECT pk FROM principals p WHERE pk < 0 AND pk > (SELECT min(pk) FROM principals)
  AND NOT EXISTS (SELECT 1 FROM grants g WHERE g.principal = p.pk) LIMIT ?`

/** Deletes links that open nothing any more. The record of accesses has their ids itself. @returns the number deleted */
export function purgeLinks(tx: Transaction, most: number): number {
  return tx.run(`DELETE FROM principals WHERE pk IN (${CLOSED})`, most).changes
}
