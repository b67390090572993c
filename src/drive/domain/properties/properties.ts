/** Properties of files: key-value pairs, public or private to one client (spec 12). */
import type { PropertyBody } from '../../contract/bodies.ts'
import { type Caller, invalid, notFound, required } from '../../contract/failure.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import type { PropertyView } from '../items/file-view.ts'
import { readLimits } from '../settings.ts'
import { type EntityTags, etagOf, requireTag } from '../../protocol/etags.ts'
import { type VisibleFile, fileToRead } from '../access/access.ts'
import { touch } from '../changes/change-log.ts'
import { payerFor, withinQuota } from '../accounts/quota.ts'
import { requireFile } from '../access/rights.ts'

/** Adds or replaces properties; others stay. @throws 400 — too many, too long, no key */
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
      throw invalid(`A property's key and value together must not be longer than ${longest} bytes.`, 'value')
    const sql =
      'INSERT INTO properties(file, app, key, value) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value'
    tx.run(sql, file, isPublic(visibility) ? 0 : client, key, value)
  }
  checkCounts(tx, client, file)
}

/** Parses the visibility, in any case; the default is private. @throws 400 */
export function isPublic(visibility = 'PRIVATE'): boolean {
  const upper = visibility.toUpperCase()
  if (upper !== 'PRIVATE' && upper !== 'PUBLIC')
    throw invalid(`Invalid value: ${visibility}. It must be PRIVATE or PUBLIC.`, 'visibility')
  return upper === 'PUBLIC'
}

/** `file` is the file's id. */
export function propertyEtag({ key, value, isPublic: open }: PropertyView, file: string): string {
  return etagOf(JSON.stringify([file, key, value, open]))
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

/** Names a property among the public ones or those of the caller's client. */
export interface PropertyName {
  readonly id: string
  readonly key: string
  /** Upper or lower case; undefined means private. */
  readonly visibility: string | undefined
}

interface PutProperty extends PropertyName {
  readonly value: string | null | undefined
}

interface ChangeProperty extends PropertyName {
  readonly body: PropertyBody
  readonly ifMatch?: EntityTags | undefined
}

/** Public properties, and those of the caller's client. @throws 404, 403 */
export function listProperties(db: Database, caller: Caller, id: string): PropertyView[] {
  const file = fileToRead(db, caller, id)
  const sql = 'SELECT key, value, app FROM properties WHERE file = ? AND app IN (0, ?) ORDER BY key, app'
  return db
    .all<{ key: string; value: string; app: number }>(sql, file.pk, caller.client)
    .map(({ key, value, app }) => ({ key, value, isPublic: app === 0 }))
}

/** @throws 404, 403 */
export function getProperty(db: Database, caller: Caller, name: PropertyName): PropertyView {
  return found(db, caller, fileToRead(db, caller, name.id), name)
}

/** Adds the property or replaces its value. @throws 404, 403, 400 */
export function putProperty(tx: Transaction, caller: Caller, input: PutProperty): PropertyView {
  const file = requireFile(tx, caller, input.id, 'canEdit')
  const { key, value, visibility } = input
  const property = { key, value: value ?? '', visibility: visibility ?? 'PRIVATE' }
  withinQuota(tx, payerFor(tx, file), () => putProperties(tx, caller, file.pk, [property]))
  touch(tx, file)
  return found(tx, caller, file, input)
}

/** @throws 404, 403, 412, 400 — the visibility of a property is fixed */
export function changeProperty(tx: Transaction, caller: Caller, input: ChangeProperty): PropertyView {
  const { body, ifMatch, ...name } = input
  const file = requireFile(tx, caller, input.id, 'canEdit')
  const before = found(tx, caller, file, name)
  requireTag(ifMatch, () => propertyEtag(before, file.id))
  if (body.visibility !== undefined && isPublic(body.visibility) !== before.isPublic)
    throw invalid('The visibility of a property cannot be changed.', 'visibility')
  if (body.value === undefined) return before
  return putProperty(tx, caller, { ...name, value: body.value })
}

/** @throws 404, 403, 412 */
export function removeProperty(tx: Transaction, caller: Caller, input: Omit<ChangeProperty, 'body'>): void {
  const file = requireFile(tx, caller, input.id, 'canEdit')
  const before = found(tx, caller, file, input)
  requireTag(input.ifMatch, () => propertyEtag(before, file.id))
  const sql = 'DELETE FROM properties WHERE file = ? AND app = ? AND key = ?'
  tx.run(sql, file.pk, propertyApp(caller, input), input.key)
  touch(tx, file)
}

function found(db: Database, caller: Caller, file: VisibleFile, name: PropertyName): PropertyView {
  const sql = 'SELECT value FROM properties WHERE file = ? AND app = ? AND key = ?'
  const row = db.get<{ value: string }>(sql, file.pk, propertyApp(caller, name), name.key)
  if (row === undefined) throw notFound('Property', `key = ${name.key}`, 'propertyKey')
  return { key: name.key, value: row.value, isPublic: isPublic(name.visibility) }
}

function propertyApp({ client }: Caller, { visibility }: PropertyName): number {
  return isPublic(visibility) ? 0 : client
}
