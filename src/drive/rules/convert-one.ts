/**
 * Converts one table of a rule's folder exactly once: each of its revisions gets one revision of the output, even
 * after failures.  [network]
 */
import { keepHeapsSmall } from '../../io/heap.ts'
import { isRefusal } from '../client/failure.ts'
import { getRevision, trashFile } from '../client/files.ts'
import type { DriveFile } from '../client/resource.ts'
import { HlaError, isHlaError } from '../../errors.ts'
import type { SummaryRecord } from '../../table/output/summary.ts'
import { storedSource } from '../commands/files/drive-file-port.ts'
import { shownTitle } from '../commands/files/shown-title.ts'
import { EXIT } from '../../io/exit-status.ts'
import { formatError } from '../../cli/messages.ts'
import { tell } from '../../io/stdout.ts'
import { makeJob, makeTableRun, runStatus } from '../../cli/run/table/table-command.ts'
import { runTable } from '../../table/run/run-table.ts'
import { complainAboutCells, complainAboutTable, hasFailed } from './complaints.ts'
import { recordIdRefusal, releaseClaims } from './claims.ts'
import { unpackBeginning } from '../../io/packing/packing.ts'
import { recognizeRecords } from '../../table/input/records/open-records.ts'
import { findOutput, followTitle, presentFile, chooseTarget } from './made-files.ts'
import { type OutputSuffix, doneMark, hasDoneMark } from './marks.ts'
import { outputName } from './output-name.ts'
import type { FolderRule } from './folder-rule.ts'
import { openStoredSink } from '../commands/files/stored-sink.ts'
import type { FilePort } from '../../io/file-port.ts'
import { formatCount } from '../../format-count.ts'

export type ConversionOutcome = 'converted' | 'failed' | 'nothing'

/** Maximum attempts: several processes may convert the same table, one succeeds, and the others notice. */
const MAX_CONTESTS = 20

/** @throws {HlaError} remote, io — a refusal of the store */
export async function convertOne(folderRule: FolderRule, found: DriveFile): Promise<ConversionOutcome> {
  const source = await withRevision(folderRule, found)
  for (let contest = 1; ; contest += 1) {
    const outcome = await convertUnlessDone(folderRule, source)
    if (outcome !== 'contested') return outcome
    if (contest === MAX_CONTESTS)
      throw new HlaError('io', `${shownTitle(source.title)} changes faster than it can be converted`, {
        facts: { status: '412' },
      })
  }
}

/** Adds the revision to a document, whose resource lacks it. */
async function withRevision({ drive }: FolderRule, file: DriveFile): Promise<DriveFile> {
  if (!file.isDocument) return file
  try {
    return { ...file, revision: (await getRevision(drive.connection, file.id, 'head')).id }
  } catch (error) {
    // the deletion is noticed when the table is read
    if (isRefusal(error, 404)) return file
    throw error
  }
}

async function convertUnlessDone(
  folderRule: FolderRule,
  source: DriveFile,
): Promise<ConversionOutcome | 'contested'> {
  const { revision = '' } = source
  const done = doneMark(revision, folderRule.command)
  const found = await findOutput(folderRule, source.id, '')
  const name = `drive:${folderRule.toPath}${outputName(source.title, folderRule.template)}`
  try {
    const there = found === undefined ? undefined : await followTitle(folderRule, source, found)
    if (there !== undefined && hasDoneMark(there, done)) {
      // another process created it with this claim
      await releaseClaims(folderRule)
      return 'nothing'
    }
    if (await hasFailed(folderRule, source)) return 'nothing'
    refuseLarge(folderRule, source)
    if (!folderRule.isSure(source.title) && !(await holdsTypings(folderRule, source))) return 'nothing'
    const status = await run(folderRule, source, { name, there, done })
    await releaseClaims(folderRule)
    return status === EXIT.ok ? 'converted' : 'failed'
  } catch (error) {
    // another process created, changed or claimed it
    if (isRefusal(error, 409) || isRefusal(error, 412)) return 'contested'
    if (!isOfTable(error)) return unlessGone(folderRule, source, error)
    tell(`hla: ${shownTitle(source.title)}:\n${formatError(error)}`)
    await complainAboutTable(folderRule, source, error)
    return 'failed'
  }
}

/** @throws {HlaError} usage */
function refuseLarge({ mostBytes = Infinity }: FolderRule, { size = 0 }: DriveFile): void {
  if (size <= mostBytes) return
  const most = `${formatCount(mostBytes)} bytes`
  throw new HlaError('usage', `it exceeds the size limit for rules in this store: ${most}`, {
    hint: 'hla redux -i drive:… converts it on another machine',
  })
}

type Output = Parameters<typeof ruleFilePort>[2]

async function run(folderRule: FolderRule, source: DriveFile, output: Output): Promise<number> {
  const { drive, asked, answering, reporter } = folderRule
  const { files: _, ...table } = makeTableRun({
    given: [],
    ...asked,
    options: { ...asked.options, input: [''] },
  })
  const name = `drive:${folderRule.path}${source.title}`
  const job = makeJob({
    ...table,
    argv: [...folderRule.words, '-i', name, '-o', output.name],
    source: storedSource(drive, source, name),
    output: output.name,
    beside: output.name,
    filePort: ruleFilePort(folderRule, source, output),
    answering,
    operation: asked.operation,
    quiet: true,
    reporter,
    isUnbroken: true,
    converted: (record) => tellFailures(folderRule, source, output, record),
  })
  keepHeapsSmall()
  return runStatus((await runTable(job)).record, asked)
}

/** Comments on failed cells before the output is uploaded, so that no output lacks its comment. */
async function tellFailures(
  folderRule: FolderRule,
  source: DriveFile,
  { name }: Output,
  record: SummaryRecord,
): Promise<void> {
  const failed = record.status['error'] ?? 0
  if (failed === 0) return
  const codes = Object.entries(record.codes).map(([code, count]) => `${count} ${code}`)
  await complainAboutCells(folderRule, source, [
    `hla could not convert ${failed} of ${record.typings} typings (${codes.join(', ')}):`,
    `${name}.errors.csv lists them`,
  ])
}

/** True for an error of the table itself, which a retry would repeat. */
function isOfTable(error: unknown): error is HlaError {
  return (
    isHlaError(error) &&
    error.code !== 'remote' &&
    error.code !== 'pin' &&
    error.facts?.['status'] === undefined
  )
}

/**
 * Ignores an error when the table was deleted or changed during the conversion: the feed reports it again.
 * @throws `error` otherwise
 */
async function unlessGone(
  folderRule: FolderRule,
  source: DriveFile,
  error: unknown,
): Promise<ConversionOutcome> {
  if (!isRefusal(error, 404)) throw error
  const now = await presentFile(folderRule, source.id)
  if (now?.revision === source.revision) throw error
  return 'nothing'
}

/** Size of the examined beginning, in bytes. */
const BEGINNING = 64 * 1024

/**
 * True when the content is a document of typings, or the output of a typing program, though the name does not show it.
 * @throws {HlaError} remote
 */
async function holdsTypings({ drive, path }: FolderRule, file: DriveFile): Promise<boolean> {
  const source = storedSource(drive, file, `drive:${path}${file.title}`)
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of source.bytes()) {
    pieces.push(piece)
    size += piece.length
    if (size >= BEGINNING) break
  }
  return recognizeRecords(file.title, await unpackBeginning(Buffer.concat(pieces)))
}

interface RuleOutput {
  /** Name of the output, and the start of the names of its report and provenance. */
  readonly name: string
  /** Existing output. */
  readonly there: DriveFile | undefined
  readonly done: string
}

function ruleFilePort(folderRule: FolderRule, source: DriveFile, output: RuleOutput): FilePort {
  const { drive } = folderRule
  const endingOf = (file: string): OutputSuffix => {
    const ending = file.slice(output.name.length)
    if (file.startsWith(output.name) && (ending === '' || ending === '.errors.csv' || ending === '.hla.json'))
      return ending
    throw new Error(`a rule does not write ${file}`)
  }
  return {
    source() {
      throw new Error('a rule opens its sources itself')
    },
    async sink(file, options) {
      const ending = endingOf(file)
      const isOutput = ending === ''
      const there = isOutput ? output.there : await findOutput(folderRule, source.id, ending)
      const done = isOutput ? { done: output.done } : {}
      const target = await chooseTarget(folderRule, source, there, { ending, ...done })
      const isNew = target.kind === 'new'
      const noting = <Result>(step: () => Promise<Result> | Result) =>
        recordIdRefusal(folderRule.claims, isNew ? target.id : undefined, step)
      const title = isNew ? target.title : file
      const sink = await noting(() => openStoredSink(drive, { name: file, title, target }, options))
      return {
        ...sink,
        complete: () => noting(() => sink.complete()),
        finish: () => noting(() => sink.finish()),
      }
    },
    isRemote: () => true,
    beside: (file) => file,
    async removeOwn(file) {
      const there = await findOutput(folderRule, source.id, endingOf(file))
      if (there !== undefined && !there.isTrashed) await trashFile(drive.connection, there.id)
    },
    close: () => Promise.resolve(),
  }
}
