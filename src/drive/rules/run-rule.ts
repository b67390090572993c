/** One run of a rule: each table that is new or changed since the last run gets its output once.  [disk, threads] */
import { largestChange } from '../domain/changes/change-log.ts'
import { join } from 'node:path'
import { HlaError, errorMessage, isHlaError } from '../../errors.ts'
import { formatCount } from '../../format-count.ts'
import { fileEnding } from '../../io/file-ending.ts'
import { globTest } from '../../glob.ts'
import { readLossReason } from '../../service/threads/threads.ts'
import { tableSuffix } from '../../table/output/written-row.ts'
import { isTableName } from '../../table/plan/layouts.ts'
import { tableName } from '../api/conversion/conversions.ts'
import { type Caller, StorageFailure, isStorageFailure } from '../contract/failure.ts'
import { TABLE_MIME, isNativeDocument } from '../contract/kinds.ts'
import { OPERATOR, command } from '../domain/commands.ts'
import { type FileContent, findContent, findDocument } from '../domain/revisions/file-contents.ts'
import { type RuleFile, filesToExamine, folderPath } from '../domain/rules/rule-files.ts'
import {
  DONE,
  OUTPUT_SUFFIXES,
  doneMark,
  findOutput,
  hasMark,
  isRuleOutput,
  isToRename,
} from '../domain/rules/rule-marks.ts'
import { type RuleRow, makerOf, ruleWords } from '../domain/rules/rule-rows.ts'
import { type RuleOutput, type TableResult, hasComment, headRevision } from '../domain/rules/settle-table.ts'
import { readLimits } from '../domain/settings.ts'
import type { Access, AccessRecord } from '../persistence/access-record.ts'
import type { Store } from '../persistence/store.ts'
import type { ConvertedTable } from './convert-table.ts'
import { refusalLines } from './messages.ts'
import type { RuleThread } from './rule-thread.ts'

export interface RuleRun {
  readonly store: Store
  readonly rule: RuleRow
  readonly thread: RuleThread
  /** Maximum bytes of a file. */
  readonly maxUpload: number
  readonly accesses: Pick<AccessRecord, 'note'>
  readonly warn: (text: string) => void
  /** True if the rule must end at once. */
  readonly isOver: () => boolean
}

/** ms before a refused table is tried again, and before an empty table is checked again. */
const REFUSED_MS = 30_000
const EMPTY_MS = 60_000

/**
 * A table that the store refuses waits alone, and the next run looks at it again.
 * @returns ms until the next run, even without changes; undefined for none
 * @throws {HlaError} no-data, unknown-release, io — no table can be converted
 */
export async function runRule(run: RuleRun): Promise<number | undefined> {
  const { store, rule } = run
  const { read } = store
  const maker = makerOf(read, rule)
  // read first, so that the next run looks at changes made meanwhile
  const to = largestChange(read)
  let [trouble, isWaiting]: [string | undefined, boolean] = [undefined, false]
  for await (const found of filesToExamine(read, rule, maker, to)) {
    try {
      if (await examineFile(run, maker, found)) isWaiting = true
    } catch (error) {
      if (isHlaError(error)) throw error
      // a fault of one table holds up no other
      if (!isStorageFailure(error)) run.warn(`rule ${rule.id}: ${errorMessage(error)}`)
      trouble = `the store says: ${errorMessage(error).replace(/\.$/, '')}`
    }
    // the table that was given up comes up again at the next start
    if (run.isOver()) return undefined
  }
  // otherwise the position stays, so that these tables come up again
  const isDone = trouble === undefined && !isWaiting
  const progress = isDone ? { from: to + 1, trouble } : { trouble }
  await command(store, 'noteRule', OPERATOR, { id: rule.id, progress })
  if (trouble !== undefined) return REFUSED_MS
  return isWaiting ? EMPTY_MS : undefined
}

/** A table with the facts that decide whether it is converted. */
interface FoundTable extends RuleRun, RuleFile {
  readonly maker: Caller
  readonly revision: string
  /** Title of the output. */
  readonly title: string
  readonly words: readonly string[]
  readonly isSure: boolean
}

/** Converts the file unless that is done. @returns true for a new table without content. @throws {StorageFailure} the store refuses the output */
async function examineFile(run: RuleRun, maker: Caller, { file, folder }: RuleFile): Promise<boolean> {
  const { read } = run.store
  const { match, method } = run.rule.terms
  const fits = match === undefined ? mayHoldTypings : globTest(match, { choices: true })
  if (file.trashed === 1 || !fits(file.title) || isRuleOutput(read, file)) return false
  const table: FoundTable = {
    ...run,
    file,
    folder,
    maker,
    revision: headRevision(read, file),
    title: outputName(file.title, method),
    words: ruleWords(run.rule.terms),
    isSure: match !== undefined || isTable(file.title),
  }
  if (file.size === 0 && !isNativeDocument(file.mime)) return commentOnEmpty(table)
  const output = findOutput(read, maker, { source: file.id, method }, '')
  if (output !== undefined && hasMark(read, output, DONE, doneMark(table.revision, table.words))) {
    if (isToRename(read, output, table.title)) await settle(table, { outcome: 'nothing' })
  } else if (!hasComment(read, file, { ...table, kind: 'failed' })) {
    // another attempt would fail the same way
    await convertTable(table)
  }
  return false
}

/** Excludes reports of conversions: they are tables without typings. */
function isTable(title: string): boolean {
  return isTableName(title) && !title.endsWith('.errors.csv')
}

/** True for documents and outputs of typing programs, whose content decides. */
function mayHoldTypings(title: string): boolean {
  return isTable(title) || ['xml', 'hml', 'json', 'txt', 'sum'].includes(fileEnding(title))
}

/**
 * `donors.csv` -> `donors.lgx.csv`. The suffix is that of the table with its compression: `.csv.gz`. The output of a
 * workbook or document is a table.
 */
export function outputName(title: string, method: string): string {
  const [, stem = title, suffix = ''] = /(.*?)((?:\.[^.]{1,8})?(?:\.gz|\.zst)?)$/s.exec(title) ?? []
  return `${stem}.${method}${tableSuffix(suffix)}`
}

/** Many programs create a file first and fill it later. @returns true while it is too new for a comment */
async function commentOnEmpty(table: FoundTable): Promise<boolean> {
  if (!table.isSure) return false
  if (Date.now() - table.file.modified < EMPTY_MS) return true
  const lines = ['this table is empty (0 bytes): hla converts it as soon as it has content']
  await settle(table, { comment: { kind: 'empty', lines }, outcome: 'nothing' })
  return false
}

async function convertTable(table: FoundTable): Promise<void> {
  const { store, file } = table
  const { uploads } = store.blobs
  const { 'rule-bytes': most } = readLimits(store.read)
  if (file.size > most) return refuse(table, tooLarge(most))
  const name = uploads.newName()
  try {
    const made = await converted(table, readContent(table), name)
    if (made === undefined || made.kind === 'no-typings') return
    if (made.kind === 'refused') return await refuse(table, made.lines)
    await keep(table, made, name)
  } finally {
    for (const suffix of [...OUTPUT_SUFFIXES, SOURCE]) await uploads.discard(`${name}${suffix}`)
  }
}

function tooLarge(most: number): string[] {
  const limit = `${formatCount(most)} bytes`
  return refusalLines(
    new HlaError('usage', `it exceeds the size limit for rules in this store: ${limit}`, {
      hint: 'hla redux -i drive:… converts it on another machine',
    }),
  )
}

/** @throws {StorageFailure} 403 — the maker may not download the table */
function readContent({ store, file, maker, accesses }: FoundTable): FileContent {
  const isDocument = isNativeDocument(file.mime)
  const content = (isDocument ? findDocument : findContent)(store.read, maker, file.id)
  const method = isDocument ? 'files.export' : 'files.get'
  accesses.note({ ...byMaker(maker), action: 'download', method, file: file.id })
  return content
}

/** The record of accesses names the maker. */
function byMaker({ user, client }: Caller): Pick<Access, 'user' | 'client'> {
  return { user, client }
}

/** Suffix of the staged source, where contents are in a bucket. */
const SOURCE = '.source'

/** @returns undefined if the rule has ended meanwhile */
async function converted(
  table: FoundTable,
  content: FileContent,
  name: string,
): Promise<ConvertedTable | undefined> {
  const { store, rule, thread, warn, isOver, file, folder, title, words, isSure } = table
  const path = `drive:${folderPath(store.read, rule, folder)}`
  const target = rule.target === rule.folder ? path : `drive:${titleOf(store, rule.target)}/`
  const { 'table-bytes': most, 'table-milliseconds': time, 'rule-seconds': seconds } = readLimits(store.read)
  const asked = {
    words,
    name: `${path}${file.title}`,
    title: file.title,
    content: await localContent(store, content, `${name}${SOURCE}`),
    size: content.blob.size,
    document:
      file.mime === TABLE_MIME
        ? { name: tableName({ title: content.title, type: content.mime }), most, time }
        : undefined,
    isSure,
    output: `${target}${title}`,
    path: join(store.folder.staging, name),
  }
  try {
    return await thread.convert(asked)
  } catch (error) {
    const reason = readLossReason(error)
    if (isOver()) return undefined
    if (reason === 'time') return refused(`it took longer than this store allows a rule: ${seconds} s`)
    if (reason === 'memory' && isHlaError(error)) return { kind: 'refused', lines: refusalLines(error) }
    if (isHlaError(error) || isStorageFailure(error)) throw error
    warn(`rule ${rule.id}: ${errorMessage(error)}`)
    return refused(errorMessage(error))
  }
}

function refused(message: string): ConvertedTable {
  return { kind: 'refused', lines: refusalLines(new HlaError('io', message)) }
}

function titleOf({ read }: Store, folder: number): string {
  return read.get<{ title: string }>('SELECT title FROM files WHERE pk = ?', folder)?.title ?? ''
}

/** Bytes of a small content, or the path of its file; a content of a bucket is fetched into `name`. */
async function localContent(
  { blobs, place, folder }: Store,
  { blob }: FileContent,
  name: string,
): Promise<Uint8Array | string> {
  const { pathOf } = place.contents
  if (blob.kind === 'file' && blob.size > 0 && pathOf !== undefined) return pathOf(blob.sha256)
  const opened = await blobs.open(blob)
  if (opened instanceof Uint8Array) return opened
  const { broken } = await blobs.uploads.append(name, 0, opened, () => undefined)
  if (broken !== undefined) throw broken
  return join(folder.staging, name)
}

function refuse(table: FoundTable, lines: readonly string[]): Promise<void> {
  return settle(table, { comment: { kind: 'failed', lines }, outcome: 'failed' })
}

type Made = Extract<ConvertedTable, { readonly kind: 'converted' }>

/** Publishes the files of the conversion, and names them in one transaction. @throws {StorageFailure} 413, 503; those of the transaction */
async function keep(table: FoundTable, made: Made, name: string): Promise<void> {
  const { store, maxUpload } = table
  const { files, release, isWhole, lines } = made
  if (files.some(({ size }) => size > maxUpload))
    throw new StorageFailure(413, 'uploadTooLarge', `A file has at most ${maxUpload} bytes.`)
  const comment = lines && { kind: 'cells' as const, lines }
  const outcome = isWhole ? 'converted' : 'failed'
  const publish = async (rest: Made['files'], outputs: readonly RuleOutput[]): Promise<void> => {
    const [next, ...others] = rest
    if (next === undefined) return settle(table, { outputs, release, comment, outcome })
    const { suffix, size } = next
    return store.blobs.uploads.complete(`${name}${suffix}`, size, (content) =>
      publish(others, [...outputs, { suffix, content }]),
    )
  }
  await publish(files, [])
}

async function settle(
  { store, rule, file, folder, maker, revision, title, accesses }: FoundTable,
  result: Pick<TableResult, 'outcome'> & Partial<Pick<TableResult, 'outputs' | 'release' | 'comment'>>,
): Promise<void> {
  const target = rule.target === rule.folder ? folder.id : (rule.target_id ?? '')
  const about = { rule: rule.id, table: file.id, folder: target, revision, title }
  const isKept = await command(store, 'settleTable', OPERATOR, { outputs: [], ...about, ...result })
  if (!isKept) return
  for (const { suffix } of result.outputs ?? []) {
    const output = findOutput(store.read, maker, { source: file.id, method: rule.terms.method }, suffix)
    if (output !== undefined)
      accesses.note({ ...byMaker(maker), action: 'change', method: 'files.update', file: output.id })
  }
}
