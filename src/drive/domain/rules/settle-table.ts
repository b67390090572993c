/** Result of a rule for one revision of a table: outputs, marks, comment and progress in one transaction. */
import type { Caller } from '../../contract/failure.ts'
import { guessMediaType } from '../../contract/media-types.ts'
import type { Staged } from '../../persistence/contents/blob-rows.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { type VisibleFile, findVisibleFile } from '../access/access.ts'
import { isAllowed } from '../access/rights.ts'
import { addComment } from '../comments/comments.ts'
import { insertFile } from '../files/insert-file.ts'
import { updateFile } from '../files/update-file.ts'
import { putProperties } from '../properties/properties.ts'
import { trashFile } from '../trash/trash.ts'
import {
  DONE,
  MADE,
  OUTPUT_SUFFIXES,
  OWN,
  type OutputOf,
  type OutputSuffix,
  doneMark,
  findOutput,
  hasMark,
  isToRename,
  madeMark,
  shownMarks,
  titleMark,
} from './rule-marks.ts'
import { type RuleRow, findLiveRule, makerOf, ruleWords } from './rule-rows.ts'
import { noteRule } from './rules.ts'

/** `failed`: no output; `cells`: an output with gaps; `empty`: nothing to convert. */
export type CommentKind = 'failed' | 'cells' | 'empty'

export interface RuleOutput {
  readonly suffix: OutputSuffix
  readonly content: Staged
}

export interface TableResult {
  /** Ids of the rule, the table, and the folder of the outputs. */
  readonly rule: string
  readonly table: string
  readonly folder: string
  /** Revision that was converted. */
  readonly revision: string
  /** Title of the converted table; the other outputs add their suffix. */
  readonly title: string
  /** All outputs of a conversion; empty without one. */
  readonly outputs: readonly RuleOutput[]
  /** Release of the data behind the outputs. */
  readonly release?: string | undefined
  readonly comment?: { readonly kind: CommentKind; readonly lines: readonly string[] } | undefined
  readonly outcome: 'converted' | 'failed' | 'nothing'
}

/**
 * Does nothing if the rule has ended, or the table has another revision by now: its change is in the log. A revision that
 * already has its output gets no second.
 * @returns true if the result was kept
 */
export function settleTable(tx: Transaction, _caller: Caller, result: TableResult): boolean {
  const rule = findLiveRule(tx, result.rule)
  if (rule === undefined) return false
  const maker = makerOf(tx, rule)
  const table = findVisibleFile(tx, maker, result.table)
  if (table === undefined || table.trashed === 1 || headRevision(tx, table) !== result.revision) return false
  const of = { source: table.id, method: rule.terms.method }
  const settling: Settling = { ...result, rule, maker, of, words: ruleWords(rule.terms) }
  if (settling.outputs.length > 0 && isDone(tx, settling)) return false
  followTitle(tx, settling)
  if (settling.outputs.length > 0) keepOutputs(tx, settling)
  if (result.comment !== undefined) commentOnce(tx, table, settling)
  if (result.outcome !== 'nothing') {
    const { outcome } = result
    const count = (rule.progress[outcome] ?? 0) + 1
    noteRule(tx, maker, { id: rule.id, progress: { [outcome]: count, last: tx.now } })
  }
  return true
}

/** Id of the revision that is the file's content. */
export function headRevision(db: Database, { head }: VisibleFile): string {
  return db.get<{ id: string }>('SELECT id FROM revisions WHERE pk = ?', head)?.id ?? ''
}

interface Settling extends Omit<TableResult, 'rule'> {
  readonly rule: RuleRow
  readonly maker: Caller
  readonly of: OutputOf
  readonly words: readonly string[]
}

function isDone(tx: Transaction, { maker, of, revision, words }: Settling): boolean {
  const output = findOutput(tx, maker, of, '')
  return output !== undefined && hasMark(tx, output, DONE, doneMark(revision, words))
}

/** Renames outputs after their table was renamed, unless a user has renamed the table's output. */
function followTitle(tx: Transaction, { maker, of, title }: Settling): void {
  const first = findOutput(tx, maker, of, '')
  if (first === undefined || !isToRename(tx, first, title)) return
  for (const suffix of OUTPUT_SUFFIXES) {
    const file = findOutput(tx, maker, of, suffix)
    const name = `${title}${suffix}`
    if (file === undefined || !isToRename(tx, file, name)) continue
    const body = { title: name, properties: formatMarks(titleMark(name)) }
    updateFile(tx, maker, { id: file.id, body, behavior: 'now', isViewed: true })
  }
}

function keepOutputs(tx: Transaction, settling: Settling): void {
  const { maker, of, outputs } = settling
  for (const suffix of OUTPUT_SUFFIXES) {
    const output = outputs.find((one) => one.suffix === suffix)
    const file = findOutput(tx, maker, of, suffix)
    const there = file?.trashed === 1 ? undefined : file
    if (output !== undefined) keepOutput(tx, settling, output, there)
    // a list of failures of an earlier revision would be mistaken for one of this
    else if (there !== undefined) trashFile(tx, maker, { id: there.id })
  }
}

/** A revision of the file that is there, or a new file. */
function keepOutput(
  tx: Transaction,
  { rule, maker, of, revision, words, release = '', ...settling }: Settling,
  { suffix, content: staged }: RuleOutput,
  there: VisibleFile | undefined,
): void {
  const marks = {
    [MADE]: madeMark(of, suffix),
    ...(suffix === ''
      ? { [DONE]: doneMark(revision, words), ...shownMarks(rule.id, of.source, words, release) }
      : {}),
  }
  if (there !== undefined) {
    const content = { staged, isNewRevision: true, isPinned: false, type: there.mime }
    const body = { properties: formatMarks({ ...marks, [OWN]: there.id }) }
    updateFile(tx, maker, { id: there.id, body, behavior: 'now', isViewed: true, content })
    return
  }
  const title = `${settling.title}${suffix}`
  const body = {
    title,
    mimeType: guessMediaType(title),
    parents: [{ id: settling.folder }],
    properties: formatMarks({ ...marks, ...titleMark(title) }),
  }
  const { row } = insertFile(tx, maker, { body, content: staged })
  putProperties(tx, maker, row.pk, formatMarks({ [OWN]: row.id }))
}

function formatMarks(marks: Readonly<Record<string, string>>) {
  return Object.entries(marks).map(([key, value]) => ({ key, value, visibility: 'PUBLIC' }))
}

/** A maker who may only read the table leaves no comment. */
function commentOnce(tx: Transaction, table: VisibleFile, { maker, comment, ...settling }: Settling): void {
  if (comment === undefined || !isAllowed(tx, table, 'canComment')) return
  const about = { ...settling, kind: comment.kind }
  if (hasComment(tx, table, about)) return
  const content = [...comment.lines, commentSign(about)].join('\n')
  addComment(tx, maker, { id: table.id, body: { content } })
}

interface CommentOf {
  readonly kind: CommentKind
  readonly revision: string
  readonly words: readonly string[]
}

/** Last line of a comment, which identifies it. */
function commentSign({ kind, revision, words }: CommentOf): string {
  return `(hla ${words.join(' ')}: ${kind}, revision ${revision})`
}

/** True if a rule of this command has commented on this revision. */
export function hasComment(db: Database, { pk }: VisibleFile, about: CommentOf): boolean {
  const sql =
    'SELECT 1 FROM comments WHERE file = ?1 AND is_deleted = 0 AND substr(content, -length(?2)) = ?2'
  return db.get(sql, pk, commentSign(about)) !== undefined
}
