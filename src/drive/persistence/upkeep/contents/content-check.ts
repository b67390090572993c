/**
 * Checks that every content is in its place, unchanged. Restores lost or damaged ones from other copies, or marks their
 * revisions as lost.  [disk, network]
 */
import { existsSync } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { blobFiles, isNamed } from '../../contents/blob-files.ts'
import type { BlobRow } from '../../contents/blob-rows.ts'
import { type Digests, digestBytes } from '../../contents/digest.ts'
import { digesting } from '../../contents/digest-threads.ts'
import { type ContentPlace, LostObject, type PlacedContents } from '../../contents/places/place.ts'
import type { Connection } from '../../database/connection.ts'
import { type Database, countRows } from '../../database/database.ts'
import { openForReading, withConnection } from '../../database/open-database.ts'
import { type StoreFolder, storeFolder } from '../../folder.ts'
import type { Finding } from '../row-checks.ts'
import { hasContent, putFile } from './copy-content.ts'

export interface ContentRow extends BlobRow, Digests {}

/** A missing or changed content. */
export interface BadContent extends ContentRow {
  readonly found: Pick<Finding, 'problem' | 'what'>
}

export interface ContentCheck {
  readonly bad: readonly BadContent[]
  readonly contents: number
  readonly bytes: number
}

/** If `isDeep`, all bytes are read and digested. */
export async function checkContents(
  { name, contents: placed }: ContentPlace,
  read: Database,
  isDeep: boolean,
): Promise<ContentCheck> {
  const find = placed.finder()
  const bad: BadContent[] = []
  let [contents, bytes] = [0, 0]
  const check = async (row: ContentRow, found: Found | Promise<Found>) => {
    contents++
    bytes += row.size
    const wrong = await found
    if (wrong !== undefined) bad.push({ ...row, found: wrong })
  }
  const checkPlaced = async (row: ContentRow): Promise<Found> => {
    const found = await find(row)
    if (found === undefined)
      return { problem: 'lost-content', what: `content ${row.sha256} is not in ${name}` }
    if (found.size !== row.size) return wrongSize(row, found.size)
    return isDeep ? checkBytes(placed, row) : undefined
  }
  for (const row of read.each<ContentRow>(PLACED)) await check(row, checkPlaced(row))
  for (const row of read.each<ContentRow>(INLINE)) await check(row, checkInline(read, row, isDeep))
  return { bad: bad.toSorted((one, other) => one.pk - other.pk), contents, bytes }
}

const PLACED = `SELECT pk, sha256, sha1, md5, size, kind FROM blobs WHERE kind = 'file' ORDER BY sha256`
const INLINE = `SELECT pk, sha256, sha1, md5, size, kind FROM blobs WHERE kind = 'inline' ORDER BY pk`

type Found = Pick<Finding, 'problem' | 'what'> | undefined

async function checkBytes(contents: PlacedContents, row: ContentRow): Promise<Found> {
  const digest = digesting()
  try {
    const bytes: Readable = await contents.open(row)
    // the stream has no encoding set, so its chunks are bytes
    for await (const chunk of bytes as AsyncIterable<Uint8Array>) await digest.update(chunk)
  } catch (error) {
    digest.forget()
    if (error instanceof LostObject) return { problem: 'damaged-content', what: error.message }
    throw error
  }
  return compare(row, await digest.digests())
}

function checkInline(read: Database, row: ContentRow, isDeep: boolean): Found {
  const { pk, size } = row
  if (!isDeep) {
    const found = read.get<{ size: number }>('SELECT length(data) AS size FROM blob_data WHERE blob = ?', pk)
    if (found === undefined) return withoutBytes(row)
    return found.size === size ? undefined : wrongSize(row, found.size)
  }
  const data = read.get<{ data: Uint8Array }>('SELECT data FROM blob_data WHERE blob = ?', pk)?.data
  return data === undefined ? withoutBytes(row) : compare(row, digestBytes(data))
}

function withoutBytes({ sha256 }: ContentRow): Found {
  return { problem: 'lost-content', what: `content ${sha256} has no bytes` }
}

function wrongSize({ sha256, size }: ContentRow, found: number): Found {
  return { problem: 'damaged-content', what: `content ${sha256} has ${found} bytes instead of ${size}` }
}

function compare(row: ContentRow, found: Digests): Found {
  const wrong = (['sha256', 'sha1', 'md5'] as const).find((name) => row[name] !== found[name])
  return (
    wrong && {
      problem: 'damaged-content',
      what: `content ${row.sha256} has another ${wrong} than was stored`,
    }
  )
}

/** Counts contents that no row names and that were stored more than `grace` ms ago. */
export async function countLeftovers(
  contents: PlacedContents,
  read: Database,
  grace: number,
): Promise<number> {
  let count = 0
  for await (const { sha256, age } of contents.list()) if (age > grace && !isNamed(read, sha256)) count += 1
  return count
}

/** Reports bad contents. With `repairing`, restores them or marks their revisions; the connection must then be able to write. */
export async function repairContents(
  folder: StoreFolder,
  connection: Connection,
  bad: readonly BadContent[],
  repairing: Repairing | undefined,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const one of bad) {
    const isMarked = isKnown(connection, one)
    const what = `${one.found.what}: ${findContentUsers(connection, one.pk, true)}`
    const how = repairing === undefined ? undefined : await repaired(folder, connection, one, repairing)
    const isTold = !isMarked || (how !== undefined && how !== MARKED)
    const told = how === undefined ? what : `${what}; ${how}`
    if (isTold) findings.push({ problem: one.found.problem, what: told, isRepaired: how !== undefined })
  }
  // only a deep check proves that a marked content is intact again
  if (repairing?.isDeep === true) unmark(connection, bad)
  return findings
}

interface Repairing {
  readonly from: string | undefined
  readonly isDeep: boolean
  readonly place: ContentPlace
}

const MARKED = 'marked as lost'

/** Tells whether all revisions of the content are already marked as lost. */
function isKnown(connection: Connection, { pk }: BadContent): boolean {
  const sql = 'SELECT min(is_lost) AS least FROM revisions WHERE blob = ?'
  return connection.get<{ least: number | null }>(sql, pk)?.least === 1
}

async function repaired(
  folder: StoreFolder,
  connection: Connection,
  bad: BadContent,
  { from, place }: Repairing,
): Promise<string> {
  const backup = from === undefined ? undefined : storeFolder(from)
  const source = await (bad.kind === 'file'
    ? placedBack(place, backup === undefined ? [folder] : [folder, backup], bad)
    : bytesBack(connection, backup, bad))
  connection.run('UPDATE revisions SET is_lost = ? WHERE blob = ?', source === undefined ? 1 : 0, bad.pk)
  return source === undefined ? MARKED : `taken from ${source}`
}

/** @returns the path of the file that now has the content */
async function placedBack(
  { contents }: ContentPlace,
  sources: readonly StoreFolder[],
  bad: BadContent,
): Promise<string | undefined> {
  for await (const path of copiesIn(sources, bad)) {
    if (!(await hasContent(path, bad))) continue
    await putFile(path, contents, bad)
    return path
  }
  return undefined
}

/** Removes the marks of contents that are intact again. */
function unmark(connection: Connection, bad: readonly BadContent[]): void {
  const lost = JSON.stringify(bad.map(({ pk }) => pk))
  const sql =
    'UPDATE revisions SET is_lost = 0 WHERE is_lost = 1 AND blob NOT IN (SELECT value FROM json_each(?))'
  connection.run(sql, lost)
}

/** Candidate files in each source: the content's own path, and all staged files, whose names do not tell their contents. */
async function* copiesIn(sources: readonly StoreFolder[], { sha256 }: BadContent): AsyncGenerator<string> {
  for (const source of sources) {
    yield blobFiles(source.blobs).pathOf(sha256)
    if (!existsSync(source.staging)) continue
    for await (const entry of await opendir(source.staging))
      if (entry.isFile()) yield join(source.staging, entry.name)
  }
}

const ALIKE = `SELECT d.data FROM blobs b JOIN blob_data d ON d.blob = b.pk WHERE b.sha256 = ? AND b.size = ?`

/** Restores a content in the database from an equal one, here or in the backup. */
async function bytesBack(
  connection: Connection,
  backup: StoreFolder | undefined,
  bad: BadContent,
): Promise<string | undefined> {
  const found = goodBytes(connection, bad)
  if (found !== undefined) return insertContent(connection, bad, found, 'another revision')
  if (backup === undefined) return undefined
  const kept = await withConnection(openForReading(backup.database), (other) => goodBytes(other, bad))
  return kept === undefined ? undefined : insertContent(connection, bad, kept, backup.path)
}

function goodBytes(db: Connection, { sha256, size }: BadContent): Uint8Array | undefined {
  const rows = db.all<{ data: Uint8Array }>(ALIKE, sha256, size)
  return rows.find(({ data }) => digestBytes(data).sha256 === sha256)?.data
}

function insertContent(connection: Connection, { pk }: BadContent, data: Uint8Array, from: string): string {
  connection.run('INSERT OR REPLACE INTO blob_data(blob, data) VALUES (?, ?)', pk, data)
  return from
}

/** Maximum revisions named for a content. */
const MAX_NAMED = 3

interface User {
  readonly revision: string
  readonly id: string
  readonly file: number
  readonly owner: string | null
}

const USERS = `SELECT r.id AS revision, f.id, f.pk AS file, p.email AS owner FROM revisions r JOIN files f ON f.pk = r.file
  LEFT JOIN principals p ON p.pk = f.owner WHERE r.blob = ? ORDER BY r.pk LIMIT ?`

/** `revision R of file F of ada@example.org, and 2 more`. With `withPath` also the path of each file. */
export function findContentUsers(db: Database, blob: number, withPath: boolean): string {
  const users = db.all<User>(USERS, blob, MAX_NAMED)
  const count = countRows(db, 'SELECT count(*) AS count FROM revisions WHERE blob = ?', blob)
  const named = users.map(({ revision, id, file, owner }) => {
    const path = withPath ? ` (${describePath(db, file)})` : ''
    return `revision ${revision} of file ${id}${path} of ${owner ?? 'a shared drive'}`
  })
  const more = count > users.length ? [`${count - users.length} more`] : []
  return users.length === 0 ? 'no revision' : [...named, ...more].join(', ')
}

const ABOVE = `WITH RECURSIVE above(pk, depth) AS (SELECT ?1, 0 UNION
  SELECT (SELECT min(l.parent) FROM parents l WHERE l.child = above.pk), depth + 1 FROM above WHERE pk IS NOT NULL AND depth < 1000)
  SELECT f.title FROM above JOIN files f ON f.pk = above.pk WHERE f.is_root = 0 ORDER BY depth DESC`

/** `/folder/title`, along the first parent of each item. */
function describePath(db: Database, file: number): string {
  return db
    .all<{ title: string }>(ABOVE, file)
    .map(({ title }) => `/${title}`)
    .join('')
}
