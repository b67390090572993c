/** Rules as they are kept, and as they are shown. */
import { ABOVE, FOLDERS_BELOW } from '../folders/tree.ts'
import type { Caller } from '../../contract/failure.ts'
import type { Database } from '../../persistence/database/database.ts'
import { findSeen } from '../access/access.ts'
import { may } from '../access/rights.ts'
import { userView } from '../access/principals.ts'

export interface RuleRow {
  readonly pk: number
  readonly id: string
  /** Keys and ids of folders; null: it is gone. */
  readonly folder: number
  readonly folder_id: string | null
  readonly folder_title: string | null
  readonly target: number
  readonly target_id: string | null
  readonly maker: number
  readonly terms: RuleTerms
  /** ms since 1970 */
  readonly created: number
  readonly ended: number | null
  readonly reason: string | null
  readonly progress: RuleProgress
}

const SELECT = `SELECT r.*, f.id AS folder_id, f.title AS folder_title, t.id AS target_id FROM rules r
  LEFT JOIN files f ON f.pk = r.folder LEFT JOIN files t ON t.pk = r.target`

export function findRule(db: Database, id: string): RuleRow | undefined {
  return rowsOf(db, `${SELECT} WHERE r.id = ?`, id)[0]
}

/** Those that have not ended. */
export function activeRules(db: Database): RuleRow[] {
  return rowsOf(db, `${SELECT} WHERE r.ended IS NULL ORDER BY r.pk`)
}

/** Those of folders above that are about what is below them, too, last. */
export function rulesAbout(db: Database, folder: number): RuleRow[] {
  return rowsOf(db, ABOUT, folder)
}

const IS_DEEP = `coalesce(json_extract(r.terms, '$.withSubfolders'), 0)`
const ABOUT = `${ABOVE} ${SELECT} WHERE r.folder = ?1 OR (r.folder IN (SELECT pk FROM above) AND ${IS_DEEP}) ORDER BY r.folder <> ?1, r.pk`

/** A rule, kept or not yet, as far as it says which files it makes of what. */
export interface RuleReach {
  readonly folder: number
  readonly terms: Pick<RuleTerms, 'name' | 'withSubfolders'>
}

/** One among them that makes files of the same names of some of the same tables: each would put its own in place of the other's. */
export function clashingRule(db: Database, one: RuleReach, among: readonly RuleRow[]): RuleRow | undefined {
  return among.find(
    (other) => other.terms.name === one.terms.name && (reaches(db, one, other) || reaches(db, other, one)),
  )
}

function reaches(db: Database, one: RuleReach, { folder }: RuleReach): boolean {
  if (one.folder === folder || one.terms.withSubfolders !== true) return one.folder === folder
  return db.get(`${ABOVE} SELECT 1 FROM above WHERE pk = ?2`, folder, one.folder) !== undefined
}

/** @returns false — there are more folders below it than that */
export function isWithin(db: Database, { folder, terms }: RuleReach, mostFolders: number): boolean {
  if (terms.withSubfolders !== true) return true
  const below = `${FOLDERS_BELOW} SELECT count(*) AS n FROM below`
  // with itself
  return (db.get<{ n: number }>(below, folder, mostFolders + 2)?.n ?? 0) <= mostFolders + 1
}

/** Of the folders that the caller may write, and those that the caller made. */
export function rulesOfCaller(db: Database, caller: Caller): RuleRow[] {
  return rowsOf(db, `${SELECT} ORDER BY r.pk`).filter((rule) => maySee(db, caller, rule))
}

export function maySee(db: Database, caller: Caller, { maker, folder_id: id }: RuleRow): boolean {
  return maker === caller.user || mayWrite(db, caller, id)
}

export function mayWrite(db: Database, caller: Caller, id: string | null): boolean {
  const folder = id === null ? undefined : findSeen(db, caller, id)
  return folder !== undefined && may(db, folder, 'canAddChildren')
}

type Kept = Omit<RuleRow, 'terms' | 'progress'> & { readonly terms: string; readonly progress: string }

function rowsOf(db: Database, sql: string, ...values: (string | number)[]): RuleRow[] {
  // JSON of our own
  return db.all<Kept>(sql, ...values).map((row) => ({
    ...row,
    terms: JSON.parse(row.terms) as RuleTerms,
    progress: JSON.parse(row.progress) as RuleProgress,
  }))
}

/** For whoever may see it. */
export function viewRule(db: Database, rule: RuleRow): Readonly<Record<string, unknown>> {
  const { id, folder_id, folder_title, folder, target, target_id, terms, created, ended, reason, progress } =
    rule
  const maker = userView(db, rule.maker)
  const { converted = 0, failed = 0, last, trouble } = progress
  return {
    kind: 'hla#rule',
    id,
    folder: { id: folder_id, title: folder_title },
    target: target === folder ? undefined : { id: target_id },
    maker: { displayName: maker?.name ?? '', emailAddress: maker?.email ?? undefined },
    ...terms,
    withSubfolders: terms.withSubfolders === true,
    createdDate: new Date(created).toISOString(),
    endedDate: ended === null ? undefined : new Date(ended).toISOString(),
    reason: reason ?? undefined,
    converted,
    failed,
    lastDate: last === undefined ? undefined : new Date(last).toISOString(),
    trouble,
  }
}

/** Why it does nothing any more; undefined: it goes on. */
export function whyOver(db: Database, { maker, folder_id, target_id }: RuleRow): string | undefined {
  const user = db.get(IN_USE, maker)
  if (user === undefined) return 'who made it has no access to the store any more'
  const caller: Caller = { user: maker, client: 0, scopes: ['drive'] }
  if (!mayWrite(db, caller, folder_id)) return 'who made it may not write the folder any more'
  return mayWrite(db, caller, target_id)
    ? undefined
    : 'who made it may not write the folder of the outputs any more'
}

const IN_USE = 'SELECT 1 FROM principals WHERE pk = ? AND is_known = 1 AND is_disabled = 0'

export interface ChangesSeen {
  /** Of the change log. */
  readonly from: number
  readonly to: number
  /** A property of files that rules have made. */
  readonly made: string
}

/** Ids of rules in whose folders something else has changed. */
export function touchedRules(db: Database, { from, to, made }: ChangesSeen): string[] {
  const isDeep = db.get(`SELECT 1 FROM rules r WHERE r.ended IS NULL AND ${IS_DEEP}`) !== undefined
  const sql = isDeep ? TOUCHED_BELOW : TOUCHED
  return db.all<{ id: string }>(sql, from, to, made).map(({ id }) => id)
}

const CHANGED = `FROM changes c JOIN parents l ON l.child = c.item WHERE c.seq > ? AND c.seq <= ?
  AND NOT EXISTS (SELECT 1 FROM properties p WHERE p.file = c.item AND p.app = 0 AND p.key = ?)`
const TOUCHED = `SELECT DISTINCT r.id FROM rules r WHERE r.ended IS NULL AND r.folder IN (SELECT l.parent ${CHANGED})`
/** Each folder is met twice at most: as one in which something changed, and as one above such. */
const TOUCHED_BELOW = `WITH RECURSIVE above(pk, is_near) AS (SELECT l.parent, 1 ${CHANGED}
  UNION SELECT l.parent, 0 FROM above JOIN parents l ON l.child = above.pk)
  SELECT DISTINCT r.id FROM above JOIN rules r ON r.folder = above.pk WHERE r.ended IS NULL AND (is_near OR ${IS_DEEP})`

/** What is made of a table. */
export interface RuleTerms {
  readonly method: string
  /** Of the data; undefined: the newest that the server has. */
  readonly release?: string | undefined
  /** Of the names of outputs: `{stem}.lgx{suffix}`. */
  readonly name: string
  /** A glob of titles; undefined: tables, and what holds typings. */
  readonly match?: string | undefined
  /** It is about the folders below, too. */
  readonly withSubfolders?: boolean | undefined
}

/** Where a rule goes on, and what came of it. */
export interface RuleProgress {
  /** Of the maker's feed of changes; undefined: everything that is there is still to be looked at. */
  readonly pageToken?: string | undefined
  /** Id -> revision of tables without a byte, of which that is still to be said. */
  readonly empty?: Readonly<Record<string, string>> | undefined
  readonly converted?: number | undefined
  readonly failed?: number | undefined
  /** When one was converted, or could not be: ms since 1970. */
  readonly last?: number | undefined
  /** Why it waits; it goes on by itself. */
  readonly trouble?: string | undefined
}

export interface RuleOffers {
  readonly methods: readonly string[]
  /** The newest first; none: nothing can be converted here. */
  readonly releases: readonly string[]
}

/** Who reads typings. */
export interface RuleEngine {
  readonly offers: () => RuleOffers
  /** The terms, complete. @throws {StorageFailure} 400 — they could never be met; 503 — there is no release here */
  readonly check: (given: Partial<RuleTerms>) => Promise<RuleTerms>
}
