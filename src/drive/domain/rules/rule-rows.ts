/** Rules: their stored rows and their views. */
import { ABOVE, FOLDERS_BELOW } from '../folders/tree.ts'
import type { Caller } from '../../contract/failure.ts'
import type { Database } from '../../persistence/database/database.ts'
import { findVisibleFile } from '../access/access.ts'
import { isAllowed } from '../access/rights.ts'
import { OWN_CLIENT, findClient } from '../accounts/clients.ts'
import { userView } from '../access/principals.ts'
import { MADE } from './rule-marks.ts'

export interface RuleRow {
  readonly pk: number
  readonly id: string
  /** Keys and ids of folders; an id is null if the folder was deleted. */
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

/** Rules that have not ended. */
export function activeRules(db: Database): RuleRow[] {
  return rowsOf(db, `${SELECT} WHERE r.ended IS NULL ORDER BY r.pk`)
}

/** Rules for a folder: its own first, then those of folders above that include subfolders. */
export function rulesAbout(db: Database, folder: number): RuleRow[] {
  return rowsOf(db, ABOUT, folder)
}

const IS_DEEP = `coalesce(json_extract(r.terms, '$.withSubfolders'), 0)`
const ABOUT = `${ABOVE} ${SELECT} WHERE r.folder = ?1 OR (r.folder IN (SELECT pk FROM above) AND ${IS_DEEP}) ORDER BY r.folder <> ?1, r.pk`

/** Folders and method of a rule, stored or new: enough to detect clashes. */
export interface RuleReach {
  readonly folder: number
  readonly terms: Pick<RuleTerms, 'method' | 'withSubfolders'>
}

/** Finds a rule whose outputs have the same names for some of the same tables: the two rules would overwrite each other's files. */
export function clashingRule(db: Database, one: RuleReach, among: readonly RuleRow[]): RuleRow | undefined {
  return among.find(
    (other) =>
      other.terms.method === one.terms.method && (reaches(db, one, other) || reaches(db, other, one)),
  )
}

function reaches(db: Database, one: RuleReach, { folder }: RuleReach): boolean {
  if (one.folder === folder || one.terms.withSubfolders !== true) return one.folder === folder
  return db.get(`${ABOVE} SELECT 1 FROM above WHERE pk = ?2`, folder, one.folder) !== undefined
}

/** @returns false if the rule covers more folders below than that */
export function isWithin(db: Database, { folder, terms }: RuleReach, mostFolders: number): boolean {
  if (terms.withSubfolders !== true) return true
  const below = `${FOLDERS_BELOW} SELECT count(*) AS n FROM below`
  // the count includes the folder itself, and one row more shows the excess
  return (db.get<{ n: number }>(below, folder, mostFolders + 2)?.n ?? 0) <= mostFolders + 1
}

/** Rules of folders that the caller may write, and rules that the caller made. */
export function rulesOfCaller(db: Database, caller: Caller): RuleRow[] {
  return rowsOf(db, `${SELECT} ORDER BY r.pk`).filter((rule) => maySee(db, caller, rule))
}

export function maySee(db: Database, caller: Caller, { maker, folder_id: id }: RuleRow): boolean {
  return maker === caller.user || mayWrite(db, caller, id)
}

export function mayWrite(db: Database, caller: Caller, id: string | null): boolean {
  const folder = id === null ? undefined : findVisibleFile(db, caller, id)
  return folder !== undefined && isAllowed(db, folder, 'canAddChildren')
}

type RuleCells = Omit<RuleRow, 'terms' | 'progress'> & { readonly terms: string; readonly progress: string }

function rowsOf(db: Database, sql: string, ...values: (string | number)[]): RuleRow[] {
  // only rules.ts writes these columns
  return db.all<RuleCells>(sql, ...values).map((row) => ({
    ...row,
    terms: JSON.parse(row.terms) as RuleTerms,
    progress: JSON.parse(row.progress) as RuleProgress,
  }))
}

/** View of a rule as JSON, for callers who may see it. */
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

/** Undefined if the rule has ended, or must end. */
export function findLiveRule(db: Database, id: string): RuleRow | undefined {
  const rule = findRule(db, id)
  return rule === undefined || rule.ended !== null || findEndReason(db, rule) !== undefined ? undefined : rule
}

/** Reason why the rule must end; undefined if it may continue. */
export function findEndReason(db: Database, rule: RuleRow): string | undefined {
  const { maker, folder_id, target_id } = rule
  const user = db.get(IN_USE, maker)
  if (user === undefined) return 'its owner no longer has access to the store'
  const caller = makerOf(db, rule)
  if (!mayWrite(db, caller, folder_id)) return 'its owner may no longer write to the folder'
  return mayWrite(db, caller, target_id) ? undefined : 'its owner may no longer write to the output folder'
}

const IN_USE = 'SELECT 1 FROM principals WHERE pk = ? AND is_known = 1 AND is_disabled = 0'

/** A rule acts with the present rights of its maker. */
export function makerOf(db: Database, { maker }: RuleRow): Caller {
  return { user: maker, client: findClient(db, OWN_CLIENT)?.pk ?? 0, scopes: ['drive'] }
}

/** Ids of rules whose folders have entries of the change log after `from` and up to `to`, except by outputs of rules. */
export function findChangedRules(db: Database, from: number, to: number): string[] {
  return db.all<{ id: string }>(TOUCHED, from, to, MADE).map(({ id }) => id)
}

/** Each folder occurs at most twice: as a changed folder, and as one above a changed folder. */
const TOUCHED = `WITH RECURSIVE above(pk, is_near) AS (
  SELECT l.parent, 1 FROM changes c JOIN parents l ON l.child = c.item WHERE c.seq > ? AND c.seq <= ?
    AND NOT EXISTS (SELECT 1 FROM properties p WHERE p.file = c.item AND p.app = 0 AND p.key = ?)
  UNION SELECT l.parent, 0 FROM above JOIN parents l ON l.child = above.pk)
  SELECT DISTINCT r.id FROM above JOIN rules r ON r.folder = above.pk WHERE r.ended IS NULL AND (is_near OR ${IS_DEEP})`

/** Conversion that a rule makes, and its limits. */
export interface RuleTerms {
  readonly method: string
  /** Release of the data; undefined for the newest on the server. */
  readonly release?: string | undefined
  /** Glob for titles; undefined matches tables and files with typings. */
  readonly match?: string | undefined
  /** Includes the folders below. */
  readonly withSubfolders?: boolean | undefined
}

/** Command line that converts as the rule does. */
export function ruleWords({ method, release }: Pick<RuleTerms, 'method' | 'release'>): string[] {
  return ['redux', '-m', method, ...(release === undefined ? [] : ['-r', release])]
}

/** Position of a rule in the change log, and its results. */
export interface RuleProgress {
  /** Number of the first entry to examine; undefined until the existing files have been processed. */
  readonly from?: number | undefined
  readonly converted?: number | undefined
  readonly failed?: number | undefined
  /** Time of the last conversion, or failed conversion: ms since 1970. */
  readonly last?: number | undefined
  /** Reason why the rule is waiting; it resumes without action. */
  readonly trouble?: string | undefined
}

export interface RuleOffers {
  readonly methods: readonly string[]
  /** Newest first; empty if this server cannot convert. */
  readonly releases: readonly string[]
}

/** Methods and releases that rules can use, and the check of a rule's terms. */
export interface RuleEngine {
  readonly offers: () => RuleOffers
  /** Completes the terms. @throws {StorageFailure} 400 — the terms can never be met; 503 — no release is installed */
  readonly check: (given: Partial<RuleTerms>) => RuleTerms
}
