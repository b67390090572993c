/** Restores lost or damaged contents from other copies, or marks their revisions as lost.  [disk] */
import { existsSync } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { blobFiles } from '../../contents/blob-files.ts'
import type { BadContent } from './content-check.ts'
import type { ContentPlace } from '../../contents/places/place.ts'
import { findContentUsers } from './content-users.ts'
import { hasContent, putFile } from './copy-content.ts'
import { type Connection, wrapConnection } from '../../database/connection.ts'
import { digestBytes } from '../../contents/digest.ts'
import type { Finding } from '../row-checks.ts'
import { type StoreFolder, storeFolder } from '../../folder.ts'
import { loadSqlite } from '../../database/sqlite.ts'

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
  const sources = [folder, ...(from === undefined ? [] : [storeFolder(from)])]
  const isBack = await broughtBack()
  const mark = isBack === undefined ? 1 : 0
  connection.run('UPDATE revisions SET is_lost = ? WHERE blob = ?', mark, bad.pk)
  return isBack === undefined ? MARKED : `taken from ${isBack}`

  function broughtBack(): Promise<string | undefined> {
    if (bad.place !== 'file') return bytesBack(connection, sources, bad)
    return placedBack(place, sources, bad)
  }
}

/** @returns the path of the file that was put in its place */
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
  [, backup]: readonly StoreFolder[],
  bad: BadContent,
): Promise<string | undefined> {
  const found = goodBytes(connection, bad)
  if (found !== undefined) return insertContent(connection, bad, found, 'another revision')
  if (backup === undefined) return undefined
  const { DatabaseSync } = await loadSqlite()
  const other = wrapConnection(new DatabaseSync(backup.database, { readOnly: true }))
  try {
    const kept = goodBytes(other, bad)
    return kept === undefined ? undefined : insertContent(connection, bad, kept, backup.path)
  } finally {
    other.close()
  }
}

function goodBytes(db: Connection, { sha256, size }: BadContent): Uint8Array | undefined {
  const rows = db.all<{ data: Uint8Array }>(ALIKE, sha256, size)
  return rows.find(({ data }) => digestBytes(data).sha256 === sha256)?.data
}

function insertContent(connection: Connection, { pk }: BadContent, data: Uint8Array, from: string): string {
  connection.run('INSERT OR REPLACE INTO blob_data(blob, data) VALUES (?, ?)', pk, data)
  return from
}
