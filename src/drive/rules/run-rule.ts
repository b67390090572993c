/** One run of a rule: each table that is new or changed since the last run gets its output once.  [disk, threads] */
import { largestChange } from '../domain/changes/change-log.ts'
import { join } from 'node:path'
import { HlaError, errorMessage, isHlaError } from '../../errors.ts'
import { formatCount } from '../../format-count.ts'
import { globTest } from '../../glob.ts'
import { readLossReason } from '../../service/threads/threads.ts'
import { isTableName } from '../../table/plan/layouts.ts'
import { contentBytes, tableName } from '../api/conversion/conversions.ts'
import { type Caller, StorageFailure, isStorageFailure } from '../contract/failure.ts'
import { TABLE_MIME, isNativeDocument } from '../contract/kinds.ts'
import { type VisibleFile, findVisibleFile } from '../domain/access/access.ts'
import { OPERATOR, command } from '../domain/commands.ts'
import { type FileContent, findContent, findDocument } from '../domain/revisions/file-contents.ts'
import { type RuleFile, changedFiles, filesOf, folderPath } from '../domain/rules/rule-files.ts'
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
import type { ConvertedTable, TableToConvert } from './convert-table.ts'
import { refusalLines } from './messages.ts'
import { outputName } from './output-name.ts'
import type { RuleThreads } from './rule-thread.ts'

export interface RuleRun {
  readonly store: Store
  readonly rule: RuleRow
  readonly threads: RuleThreads
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

/** Maximum number of empty tables to remember. */
const MAX_EMPTY_LOOKS = 1000

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
  const { from, empty: known = {} } = rule.progress
  const files =
    from === undefined ? filesOf(read, rule, maker) : changedFiles(read, rule, maker, { from, to })
  const empty = new Map(Object.entries(known))
  let trouble: string | undefined
  for await (const found of files) {
    if (run.isOver()) return undefined
    try {
      await convertFile(run, maker, found, empty)
    } catch (error) {
      if (isHlaError(error)) throw error
      // a fault of one table holds up no other
      if (!isStorageFailure(error)) run.warn(`rule ${rule.id}: ${errorMessage(error)}`)
      trouble = `the store says: ${errorMessage(error).replace(/\.$/, '')}`
    }
  }
  await commentOnEmpty(run, maker, empty)
  const progress = {
    // after a refusal the position stays, so that the table comes up again
    from: trouble === undefined ? to + 1 : from,
    empty: empty.size === 0 ? undefined : Object.fromEntries(empty),
    trouble,
  }
  await command(store, 'noteRule', OPERATOR, { id: rule.id, progress })
  if (trouble !== undefined) return REFUSED_MS
  return empty.size === 0 ? undefined : EMPTY_MS
}

/** A table with the facts that decide whether it is converted. */
interface FoundTable extends RuleFile {
  readonly maker: Caller
  readonly revision: string
  /** Title of the output. */
  readonly title: string
  readonly isSure: boolean
}

/** @throws {StorageFailure} the store refuses the output */
async function convertFile(
  run: RuleRun,
  maker: Caller,
  { file, folder }: RuleFile,
  empty: Map<string, string>,
): Promise<void> {
  const { store, rule } = run
  const { read } = store
  const { match, name: template } = rule.terms
  const fits = match === undefined ? mayHoldTypings : globTest(match, { choices: true })
  if (file.trashed === 1 || !fits(file.title) || isRuleOutput(read, file)) return
  const revision = headRevision(read, file)
  const isSure = match !== undefined || isTable(file.title)
  // many programs create a file first and fill it later
  if (file.size === 0 && !isNativeDocument(file.mime)) {
    if (isSure && empty.size < MAX_EMPTY_LOOKS) empty.set(file.id, revision)
    return
  }
  const table: FoundTable = { file, folder, maker, revision, title: outputName(file.title, template), isSure }
  const words = ruleWords(rule.terms)
  const output = findOutput(read, maker, { source: file.id, template }, '')
  if (output !== undefined && hasMark(read, output, DONE, doneMark(revision, words))) {
    if (isToRename(read, output, table.title)) await settle(run, table, { outcome: 'nothing' })
    return
  }
  // a further attempt would fail the same way
  if (hasComment(read, file, { kind: 'failed', revision, words })) return
  await convertTable(run, table)
}

/** Excludes reports of conversions: they are tables without typings. */
function isTable(title: string): boolean {
  return isTableName(title) && !title.endsWith('.errors.csv')
}

/** True for documents and outputs of typing programs, whose content decides. */
function mayHoldTypings(title: string): boolean {
  return isTable(title) || /\.(?:xml|hml|json|txt|sum)(?:\.gz|\.zst)?$/i.test(title)
}

async function convertTable(run: RuleRun, table: FoundTable): Promise<void> {
  const { store } = run
  const { uploads } = store.blobs
  const { 'rule-bytes': most } = readLimits(store.read)
  if (table.file.size > most) return refuse(run, table, tooLarge(most))
  const content = readContent(run, table)
  const name = uploads.newName()
  try {
    const made = await converted(run, table, content, name)
    if (made === undefined || made.kind === 'no-typings') return
    if (made.kind === 'refused') return await refuse(run, table, made.lines)
    await keep(run, table, made, name)
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
function readContent(run: RuleRun, { file, maker }: FoundTable): FileContent {
  const isDocument = isNativeDocument(file.mime)
  const content = (isDocument ? findDocument : findContent)(run.store.read, maker, file.id)
  const method = isDocument ? 'files.export' : 'files.get'
  noteAccess(run, maker, { action: 'download', method, file: file.id })
  return content
}

/** The record of accesses names the maker. */
function noteAccess(
  { accesses }: RuleRun,
  { user, client }: Caller,
  access: Pick<Access, 'action' | 'method' | 'file'>,
): void {
  accesses.note({ ...access, user, client })
}

/** Suffix of the staged source, where contents are in a bucket. */
const SOURCE = '.source'

/** @returns undefined if the rule has ended meanwhile */
async function converted(
  run: RuleRun,
  table: FoundTable,
  content: FileContent,
  name: string,
): Promise<ConvertedTable | undefined> {
  const { store, rule, threads, warn } = run
  const { file, folder, title, isSure } = table
  const path = `drive:${folderPath(store.read, rule, folder)}`
  const target = rule.target === rule.folder ? path : `drive:${titleOf(run, rule.target_id)}/`
  const { 'table-bytes': most, 'table-milliseconds': time, 'rule-seconds': seconds } = readLimits(store.read)
  const isTableDocument = file.mime === TABLE_MIME
  const asked: TableToConvert = {
    words: ruleWords(rule.terms),
    name: `${path}${file.title}`,
    title: file.title,
    content: await localContent(store, content, `${name}${SOURCE}`),
    size: content.blob.size,
    document: isTableDocument
      ? { name: tableName({ title: content.title, type: content.mime }), most, time }
      : undefined,
    isSure,
    output: `${target}${title}`,
    path: join(store.folder.staging, name),
  }
  try {
    return await threads.convert(asked)
  } catch (error) {
    const reason = readLossReason(error)
    if (run.isOver()) return undefined
    if (reason === 'time') return refused(new HlaError('io', tooLong(seconds)))
    if (reason === 'memory' && isHlaError(error)) return refused(error)
    if (isHlaError(error) || isStorageFailure(error)) throw error
    warn(`rule ${rule.id}: ${errorMessage(error)}`)
    return refused(new HlaError('io', errorMessage(error)))
  }
}

function refused(error: HlaError): ConvertedTable {
  return { kind: 'refused', lines: refusalLines(error) }
}

function tooLong(seconds: number): string {
  return `it took longer than this store allows a rule: ${seconds} s`
}

function titleOf({ store: { read } }: RuleRun, folder: string | null): string {
  return read.get<{ title: string }>('SELECT title FROM files WHERE id = ?', folder ?? '')?.title ?? ''
}

/** Bytes of a small content, or the path of its file; a content of a bucket is fetched into `name`. */
async function localContent(
  { blobs, place, folder }: Store,
  { blob }: FileContent,
  name: string,
): Promise<Uint8Array | string> {
  const { pathOf } = place.contents
  if (blob.kind === 'inline' || blob.size === 0)
    return Buffer.concat(await collect(contentBytes({ blobs }, blob)))
  if (pathOf !== undefined) return pathOf(blob.sha256)
  const { broken } = await blobs.uploads.append(name, 0, contentBytes({ blobs }, blob), () => undefined)
  if (broken !== undefined) throw broken
  return join(folder.staging, name)
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return all
}

function refuse(run: RuleRun, table: FoundTable, lines: readonly string[]): Promise<void> {
  return settle(run, table, { comment: { kind: 'failed', lines }, outcome: 'failed' })
}

type Made = Extract<ConvertedTable, { readonly kind: 'converted' }>

/** Publishes the files of the conversion, and names them in one transaction. @throws {StorageFailure} 413, 503; those of the transaction */
async function keep(run: RuleRun, table: FoundTable, made: Made, name: string): Promise<void> {
  const { store, maxUpload } = run
  const { files, release, isWhole, lines } = made
  if (files.some(({ size }) => size > maxUpload))
    throw new StorageFailure(413, 'uploadTooLarge', `A file has at most ${maxUpload} bytes.`)
  const comment = lines && { kind: 'cells' as const, lines }
  const outcome = isWhole ? 'converted' : 'failed'
  const publish = async (rest: Made['files'], outputs: readonly RuleOutput[]): Promise<void> => {
    const [next, ...others] = rest
    if (next === undefined) return settle(run, table, { outputs, release, comment, outcome })
    const { suffix, size } = next
    return store.blobs.uploads.complete(`${name}${suffix}`, size, (content) =>
      publish(others, [...outputs, { suffix, content }]),
    )
  }
  await publish(files, [])
}

async function settle(
  run: RuleRun,
  { file, folder, maker, revision, title }: FoundTable,
  result: Pick<TableResult, 'outcome'> & Partial<Pick<TableResult, 'outputs' | 'release' | 'comment'>>,
): Promise<void> {
  const { store, rule } = run
  const target = rule.target === rule.folder ? folder.id : (rule.target_id ?? '')
  const about = { rule: rule.id, table: file.id, folder: target, revision, title }
  const isKept = await command(store, 'settleTable', OPERATOR, { outputs: [], ...about, ...result })
  if (!isKept || result.outputs === undefined) return
  for (const { suffix } of result.outputs) {
    const output = findOutput(store.read, maker, { source: file.id, template: rule.terms.name }, suffix)
    if (output !== undefined)
      noteAccess(run, maker, { action: 'change', method: 'files.update', file: output.id })
  }
}

/** Comments on tables that are still empty, once for each revision, and forgets them and those that are not. */
async function commentOnEmpty(run: RuleRun, maker: Caller, empty: Map<string, string>): Promise<void> {
  const { read } = run.store
  for (const [id, revision] of empty) {
    const file = findVisibleFile(read, maker, id)
    const isSame = file !== undefined && isStillEmpty(file) && headRevision(read, file) === revision
    if (isSame && Date.now() - file.modified < EMPTY_MS) continue
    empty.delete(id)
    if (!isSame) continue
    const lines = ['this table is empty (0 bytes): hla converts it as soon as it has content']
    const title = outputName(file.title, run.rule.terms.name)
    const table = { file, folder: file, maker, revision, title, isSure: true }
    await settle(run, table, { comment: { kind: 'empty', lines }, outcome: 'nothing' })
  }
}

function isStillEmpty({ size, trashed }: VisibleFile): boolean {
  return size === 0 && trashed === 0
}
