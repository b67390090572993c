/** Converts one table of a rule's folder into files, as the command line would. Runs in the thread of rules.  [disk] */
import { createHash } from 'node:crypto'
import { closeSync, createReadStream, openSync } from 'node:fs'
import { openKnowledge } from '../../cli/run/open-knowledge.ts'
import { probeQuestions } from '../../cli/run/open-executor.ts'
import { makeQuestions } from '../../cli/run/questions.ts'
import type { Reporter } from '../../cli/run/reporter.ts'
import { openAnswering } from '../../cli/run/table/open-answering.ts'
import { type ParsedCommandLine, parseConversion } from '../../cli/run/table/parse-command-line.ts'
import { makeJob, makeTableRun, runStatus } from '../../cli/run/table/table-command.ts'
import { HlaError, errorReason, isHlaError } from '../../errors.ts'
import { EXIT } from '../../io/exit-status.ts'
import type { ByteInput, FilePort } from '../../io/file-port.ts'
import { choosePacker, unpackBeginning } from '../../io/packing/packing.ts'
import { type ByteSink, type SinkOptions, bufferedSink, packSink } from '../../io/sink.ts'
import { writeAll } from '../../io/stdout.ts'
import { SILENT_TABLE } from '../../service/table/table-conversion.ts'
import { recognizeRecords } from '../../table/sources/open-records.ts'
import type { SummaryRecord } from '../../table/output/summary.ts'
import type { Answering } from '../../table/run/table-job.ts'
import { runTable } from '../../table/run/run-table.ts'
import type { StoredData } from '../commands/tables/convert-stored.ts'
import { cellSource } from '../commands/tables/convert-stored.ts'
import { rewriteTable } from '../../table/rewrite/rewrite-table.ts'
import { OUTPUT_SUFFIXES, type OutputSuffix } from '../domain/rules/rule-marks.ts'
import { noRelease, refusalLines } from './messages.ts'

export interface TableToConvert {
  /** Converting command, for the provenance. */
  readonly words: readonly string[]
  /** Name of the table in messages and provenance: `drive:registry/donors.csv`. */
  readonly name: string
  readonly title: string
  /** Bytes of a small content, or its file. */
  readonly content: Uint8Array | string
  readonly size: number
  /** The name for a document of the store, whose suffix tells the format, and its limits. */
  readonly document: { readonly name: string; readonly most: number; readonly time: number } | undefined
  /** False if the beginning of the content decides whether it has typings. */
  readonly isSure: boolean
  /** Name of the output in messages and provenance. */
  readonly output: string
  /** Path of the output; suffixes are added for the other files. */
  readonly path: string
}

export type ConvertedTable =
  | { readonly kind: 'no-typings' }
  /** Lines of the comment: the table cannot be converted, now or later. */
  | { readonly kind: 'refused'; readonly lines: readonly string[] }
  | {
      readonly kind: 'converted'
      readonly files: readonly { readonly suffix: OutputSuffix; readonly size: number }[]
      readonly release: string
      /** False if cells failed. */
      readonly isWhole: boolean
      /** Lines of the comment on failed cells. */
      readonly lines: readonly string[] | undefined
    }

/** Opens the reference data for the first table of a command. */
export function tableConversions(data: StoredData): (table: TableToConvert) => Promise<ConvertedTable> {
  const opened = new Map<string, Promise<Opened>>()
  return async (table) => {
    const key = JSON.stringify(table.words)
    const known = opened.get(key) ?? openCommand(table.words, data)
    opened.set(key, known)
    return convertTable(table, await known)
  }
}

interface Opened {
  readonly asked: ParsedCommandLine
  readonly answering: Answering
}

/** @throws {HlaError} no-data, unknown-release, io */
async function openCommand(words: readonly string[], { release, dataDir }: StoredData): Promise<Opened> {
  const command: ParsedCommandLine = await parseConversion([
    ...words,
    ...(words.includes('-r') ? [] : ['-r', release]),
    ...(dataDir === undefined ? [] : ['--data-dir', dataDir]),
  ])
  const { options, operation } = command
  if (openKnowledge(options.release, options.dataDir).isFallback) throw noRelease()
  const { answering } = await openAnswering(options, SILENT)
  const questions = makeQuestions(operation, options, answering.methods)
  await probeQuestions(answering.executor, operation, questions)
  return { asked: { ...command, questions }, answering }
}

/** Comments and the rule's state report to its users. */
const SILENT: Reporter = {
  isVerbose: false,
  error: () => undefined,
  note: () => undefined,
  summary: () => undefined,
  kinds: () => undefined,
  more: () => undefined,
}

/** @throws {HlaError} io — the files cannot be written */
async function convertTable(table: TableToConvert, opened: Opened): Promise<ConvertedTable> {
  const port = outputPort(table)
  try {
    if (!table.isSure && !(await holdsTypings(table))) return { kind: 'no-typings' }
    return await convert(table, opened, port)
  } catch (error) {
    const broken = port.broken()
    if (broken !== undefined || !isHlaError(error)) throw broken ?? error
    return { kind: 'refused', lines: refusalLines(error) }
  }
}

async function convert(
  table: TableToConvert,
  { asked, answering }: Opened,
  port: OutputPort,
): Promise<ConvertedTable> {
  const { files: _, ...run } = makeTableRun({
    operands: [],
    ...asked,
    options: { ...asked.options, input: [''] },
  })
  const job = makeJob({
    ...run,
    argv: [...table.words, '-i', table.name, '-o', table.output],
    source: sourceOf(table),
    output: table.output,
    beside: table.output,
    filePort: port,
    answering,
    operation: asked.operation,
    quiet: true,
    reporter: SILENT,
  })
  // the comment and the list of failures report to users; the service's log holds no typings
  const { record } = await runTable({ ...job, reporter: SILENT_TABLE })
  return {
    kind: 'converted',
    files: port.files(),
    release: (await answering.dataFacts()).release,
    isWhole: runStatus(record, asked) === EXIT.ok,
    lines: cellLines(table, record),
  }
}

function cellLines({ output }: TableToConvert, record: SummaryRecord): string[] | undefined {
  const failed = record.status['error'] ?? 0
  if (failed === 0) return undefined
  const codes = Object.entries(record.codes).map(([code, count]) => `${count} ${code}`)
  return [
    `hla could not convert ${failed} of ${record.typings} typings (${codes.join(', ')}):`,
    `${output}.errors.csv lists them`,
  ]
}

/** A table that is a document of the store is read as its export to CSV. */
function sourceOf({ name, title, size, document, ...table }: TableToConvert): ByteInput {
  if (document === undefined) return { name, title, size, bytes: () => contentBytes(table.content) }
  const { most, time } = document
  const cells = cellSource({ name: document.name, bytes: contentBytes(table.content), most, time })
  return { name, title, size: undefined, bytes: () => asBuffers(rewriteTable(cells, 'csv')) }
}

const READ_BYTES = 256 * 1024

async function* contentBytes(content: TableToConvert['content']): AsyncGenerator<Buffer> {
  if (typeof content !== 'string') yield Buffer.from(content)
  else yield* createReadStream(content, { highWaterMark: READ_BYTES }) as AsyncIterable<Buffer>
}

async function* asBuffers(pieces: AsyncIterable<Uint8Array | string>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece as Uint8Array)
}

/** Size of the examined beginning, in bytes. */
const BEGINNING_BYTES = 64 * 1024

/** True when the content is a document of typings, or the output of a typing program, though the name does not show it. */
async function holdsTypings(table: TableToConvert): Promise<boolean> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of sourceOf(table).bytes()) {
    pieces.push(piece)
    size += piece.length
    if (size >= BEGINNING_BYTES) break
  }
  return recognizeRecords(table.title, await unpackBeginning(Buffer.concat(pieces)))
}

interface OutputPort extends FilePort {
  /** Files that are complete. */
  readonly files: () => { readonly suffix: OutputSuffix; readonly size: number }[]
  /** Error that prevented writing: the table is not at fault. */
  readonly broken: () => HlaError | undefined
}

/** Writes the files of the conversion beside each other; their names in the store come later. */
function outputPort({ output, path }: Pick<TableToConvert, 'output' | 'path'>): OutputPort {
  const files = new Map<OutputSuffix, number>()
  let broken: HlaError | undefined
  const written = <Result>(step: () => Result): Result => {
    try {
      return step()
    } catch (cause) {
      broken = new HlaError('io', `cannot write ${output}: ${errorReason(cause)}`, { cause })
      throw broken
    }
  }
  return {
    files: () => [...files].map(([suffix, size]) => ({ suffix, size })),
    broken: () => broken,
    source() {
      throw new Error('a rule opens its sources itself')
    },
    async sink(file, { encode }: SinkOptions = {}) {
      const suffix = OUTPUT_SUFFIXES.find((one) => file === `${output}${one}`)
      if (suffix === undefined) throw new Error(`a rule does not write ${file}`)
      const handle = written(() => openSync(`${path}${suffix}`, 'w', 0o600))
      const sha256 = createHash('sha256')
      let [bytes, isOpen] = [0, true]
      const close = () => {
        if (isOpen) closeSync(handle)
        isOpen = false
      }
      const ends: ByteSink = {
        emit(piece) {
          sha256.update(piece)
          bytes += piece.length
          written(() => writeAll(handle, piece))
        },
        ready: () => undefined,
        identity: () => ({ bytes, sha256: sha256.copy().digest('hex') }),
        complete: () => undefined,
        finish() {
          close()
          files.set(suffix, bytes)
        },
        // the run of the rule removes the file
        abandon: close,
      }
      return bufferedSink(packSink(ends, await choosePacker(file)), encode)
    },
    isRemote: () => true,
    beside: (file) => file,
    // the transaction of the result removes outdated ones
    removeOwn: () => undefined,
    close: () => Promise.resolve(),
  }
}
