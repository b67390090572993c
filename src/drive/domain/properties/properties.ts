/** Properties of files: pairs of a key and a value, public or of one program alone (spec 12). */
import { createHash } from 'node:crypto'
import type { PropertyBody } from '../../contract/bodies.ts'
import type { Caller } from '../../contract/caller.ts'
import { invalid, required } from '../../contract/failure.ts'
import type { Transaction } from '../../persistence/database/database.ts'
import type { PropertyView } from '../items/file-view.ts'
import { readLimits } from '../limits.ts'

/** Adds them or gives them another value; others stay. @throws 400 — too many, too long, no key */
export function putProperties(
  tx: Transaction,
  { client }: Caller,
  file: number,
  properties: readonly PropertyBody[],
): void {
  if (properties.length === 0) return
  const longest = readLimits(tx)['property-bytes']
  for (const { key, value: given, visibility } of properties) {
    const value = given ?? ''
    if (key === undefined || key === '') throw required('key')
    if (Buffer.byteLength(key) + Buffer.byteLength(value) > longest)
      throw invalid(`A property's key and value must not be longer than ${longest} bytes.`, 'value')
    const sql =
      'INSERT INTO properties(file, app, key, value) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value'
    tx.run(sql, file, isPublic(visibility) ? 0 : client, key, value)
  }
  checkCounts(tx, client, file)
}

/** In any case; private unless said. @throws 400 */
export function isPublic(visibility = 'PRIVATE'): boolean {
  const upper = visibility.toUpperCase()
  if (upper !== 'PRIVATE' && upper !== 'PUBLIC')
    throw invalid(`Invalid value: ${visibility}. It must be PRIVATE or PUBLIC.`, 'visibility')
  return upper === 'PUBLIC'
}

/** `file`: its id. */
export function propertyEtag({ key, value, isPublic: open }: PropertyView, file: string): string {
  const text = JSON.stringify([file, key, value, open])
  return `"${createHash('sha1').update(text).digest('base64url')}"`
}

function checkCounts(tx: Transaction, client: number, file: number): void {
  const sql =
    'SELECT count(*) AS all_of_them, count(*) FILTER (WHERE app = 0) AS open, count(*) FILTER (WHERE app = ?1) AS own ' +
    'FROM properties WHERE file = ?2'
  const counts = tx.get<{ all_of_them: number; open: number; own: number }>(sql, client, file)
  const { all_of_them: all = 0, open = 0, own = 0 } = counts ?? {}
  const { 'app-properties': mostOfApp, 'file-properties': most } = readLimits(tx)
  if (open > mostOfApp || own > mostOfApp || all > most)
    throw invalid(
      `A file has at most ${mostOfApp} public, ${mostOfApp} private and ${most} properties in all.`,
    )
}
