/** Rules of folders: a writer of a folder sets how its tables are converted, and owns the outputs. */
import { largestChange } from '../changes/change-log.ts'
import { assured } from '../../../errors.ts'
import { type Caller, StorageFailure, invalid, notFound } from '../../contract/failure.ts'
import {
  type RuleProgress,
  type RuleRow,
  type RuleTerms,
  activeRules,
  clashingRule,
  findRule,
  isWithin,
  maySee,
} from './rule-rows.ts'
import type { Transaction } from '../../persistence/database/database.ts'
import { newId } from '../../protocol/ids.ts'
import type { VisibleFile } from '../access/access.ts'
import { requireFile } from '../access/rights.ts'
import { requireLiveToken } from '../accounts/tokens.ts'
import { readLimits } from '../settings.ts'

export interface NewRule {
  /** Ids of folders. */
  readonly folder: string
  /** Undefined to write outputs next to the tables. */
  readonly target?: string | undefined
  readonly terms: RuleTerms
  /** Converts files that are already in the folder too. */
  readonly includesExisting: boolean
}

/** @throws 400, 403, 404; 409 — such a rule exists */
export function addRule(tx: Transaction, caller: Caller, given: NewRule): RuleRow {
  requireLiveToken(tx, caller)
  requireFullScope(caller)
  const folder = folderFor(tx, caller, given.folder)
  const target = given.target === undefined ? folder : folderFor(tx, caller, given.target)
  const limits = readLimits(tx)
  const { terms } = given
  if (terms.withSubfolders === true && given.target !== undefined)
    throw invalid('Give either target or withSubfolders: the results of several folders would mix.')
  const others = activeRules(tx)
  if (others.filter((one) => one.folder === folder.pk).length >= limits['folder-rules'])
    throw tooMany('The folder has the maximum number of rules; remove one first.')
  const { n = 0 } = tx.get<{ n: number }>('SELECT count(*) AS n FROM rules') ?? {}
  if (n >= limits['store-rules'])
    throw tooMany('The store has the maximum number of rules; remove one first.')
  if (!isWithin(tx, { folder: folder.pk, terms }, limits['rule-folders']))
    throw tooMany('There are more subfolders than a rule may cover.')
  const clashing = clashingRule(tx, { folder: folder.pk, terms }, others)
  if (clashing !== undefined) throw new StorageFailure(409, 'duplicate', whyClashing(clashing, folder.pk))
  const id = newId()
  const progress: RuleProgress = given.includesExisting ? {} : { from: largestChange(tx) + 1 }
  tx.run(
    'INSERT INTO rules(id, folder, maker, target, terms, created, progress) VALUES (?, ?, ?, ?, ?, ?, ?)',
    id,
    folder.pk,
    caller.user,
    target.pk,
    JSON.stringify(terms),
    tx.now,
    JSON.stringify(progress),
  )
  return ruleNamed(tx, id)
}

/** Removes a rule; writers of the folder and the rule's maker may. @throws 404 */
export function removeRule(tx: Transaction, caller: Caller, { id }: { readonly id: string }): void {
  requireFullScope(caller)
  const rule = findRule(tx, id)
  if (rule === undefined || !maySee(tx, caller, rule)) throw notFound('Rule', id)
  tx.run('DELETE FROM rules WHERE pk = ?', rule.pk)
}

export interface RuleEnd {
  readonly id: string
  readonly reason: string
}

/** Ends a rule but keeps its row, so that its reason can be shown. */
export function endRule(tx: Transaction, _caller: Caller, { id, reason }: RuleEnd): void {
  tx.run('UPDATE rules SET ended = ?, reason = ? WHERE id = ? AND ended IS NULL', tx.now, reason, id)
}

export interface RuleNote {
  readonly id: string
  readonly progress: RuleProgress
}

/** Members of `progress` replace those of the rule; undefined removes one. */
export function noteRule(tx: Transaction, _caller: Caller, { id, progress }: RuleNote): void {
  const rule = findRule(tx, id)
  if (rule === undefined) return
  const text = JSON.stringify({ ...rule.progress, ...progress })
  tx.run('UPDATE rules SET progress = ? WHERE id = ?', text, id)
}

/** A rule acts with all rights of its maker, so only a token with the scope `drive` may create one. @throws 403 */
export function requireFullScope({ scopes }: Caller): void {
  if (!scopes.includes('drive'))
    throw new StorageFailure(403, 'insufficientPermissions', 'Rules need a token with the scope drive.')
}

function folderFor(tx: Transaction, caller: Caller, id: string): VisibleFile {
  const folder = requireFile(tx, caller, id, 'canAddChildren')
  if (folder.kind !== 'folder' || folder.space !== 'drive')
    throw invalid(`${id} is not a folder of My Drive or of a shared drive.`)
  if (folder.trashed === 1) throw invalid(`The folder ${id} is in the trash.`)
  return folder
}

function ruleNamed(tx: Transaction, id: string): RuleRow {
  return assured(findRule(tx, id), `there is no rule ${id}`)
}

/** The message does not name other folders, because the caller may not be allowed to see them. */
function whyClashing({ folder }: RuleRow, asked: number): string {
  const where = folder === asked ? 'the folder' : 'a folder above it or below it'
  return `A rule of ${where} writes files with the same names: choose another method.`
}

function tooMany(message: string): StorageFailure {
  return new StorageFailure(403, 'limitExceeded', message)
}
