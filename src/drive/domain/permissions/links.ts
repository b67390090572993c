/**
 * Links of their own: each has an address, and may have a password and a limit of downloads. Such a link is a principal
 * with the role of reader, so that folders and restrictions of shared drives hold for it as for other grants.
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
  /** Null for the file's own address, where they are not counted. */
  readonly downloads: number | null
}

const LINKS = `SELECT p.id, p.pk, f.id AS file, f.title, f.kind, g.role, g.created, g.expires, u.email AS maker, k.password,
  k.max_downloads AS most, k.downloads
  FROM principals p JOIN grants g ON g.principal = p.pk JOIN files f ON f.pk = g.item
  LEFT JOIN links k ON k.principal = p.pk LEFT JOIN principals u ON u.pk = g.granter
  WHERE p.kind IN ('anyone', 'link')`

/** Undefined if it has ended. */
export function findLink(db: Database, id: string): LinkFacts | undefined {
  return db.get<LinkFacts>(`${LINKS} AND p.id = ? AND k.principal IS NOT NULL`, id)
}

export function findLinkByKey(db: Database, pk: number): LinkFacts | undefined {
  return db.get<LinkFacts>(`${LINKS} AND p.pk = ? AND k.principal IS NOT NULL`, pk)
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
  const id = `link-${randomBytes(18).toString('base64url')}`
  const sql = `INSERT INTO principals(kind, id, name, is_known) VALUES ('link', ?, '', 0)`
  const { lastKey: pk } = tx.run(sql, id)
  tx.run('INSERT INTO links(principal, password, max_downloads) VALUES (?, ?, ?)', pk, hash, downloads)
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
  const sql = `UPDATE links SET downloads = downloads + 1
    WHERE principal = ? AND (max_downloads IS NULL OR downloads < max_downloads)`
  return tx.run(sql, pk).changes === 1
}

const CLOSED = `SELECT principal AS pk FROM links
  WHERE NOT EXISTS (SELECT 1 FROM grants g WHERE g.principal = links.principal) LIMIT ?`

/** Deletes links that open nothing any more. The record of accesses has their ids itself. @returns the number deleted */
export function purgeLinks(tx: Transaction, most: number): number {
  const closed = tx.all<{ pk: number }>(CLOSED, most)
  for (const { pk } of closed) {
    tx.run('DELETE FROM links WHERE principal = ?', pk)
    tx.run('DELETE FROM principals WHERE pk = ?', pk)
  }
  return closed.length
}
