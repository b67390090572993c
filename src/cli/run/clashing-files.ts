/** Refuses a command line whose files would overwrite each other, or cannot be written.  [disk] */
import { FORMAT_FILES } from '../../table/plan/output-format-names.ts'
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileEnding } from '../../io/file-ending.ts'
import { isStored } from '../../io/file-port.ts'
import { HlaError } from '../../errors.ts'
import { isDevice, checkPlace } from '../../io/part-file.ts'
import type { CommandOptions } from '../options/operation-options.ts'
import { parseSummary } from '../options/table-options.ts'

/**
 * A file in a store may be both read and written in one run: the store keeps its content as an earlier version.
 * @throws {HlaError} usage — an output would overwrite an input or another output; io — an output cannot be written
 */
export function refuseClashingFiles(options: CommandOptions): void {
  const { input = [], patients, donors, planFrom, output, errors, rows, provenance, summary } = options
  const inputs = [
    ...input.map((file) => ['-i', file]),
    ['--patients', patients],
    ['--donors', donors],
    ['--plan-from', planFrom],
  ] as const
  const outputs = [
    ['-o', output],
    ['--errors', errors],
    ['--rows', rows],
    ['--provenance', provenance],
    ['--summary', typeof summary === 'string' ? parseSummary(summary).file : undefined],
  ] as const
  const users = new Map<string, string>()
  for (const [option, file] of inputs) {
    const place = file === undefined || isStored(file) ? undefined : resolvePlace(file)
    if (place !== undefined) users.set(place, `the file that ${option} reads`)
  }
  for (const [option, file] of outputs) {
    // --provenance without a file is named by the output
    const place = typeof file === 'string' ? resolvePlace(file) : undefined
    if (typeof file !== 'string' || place === undefined) continue
    if (!isStored(file)) checkPlace(file)
    const other = users.get(place)
    if (other !== undefined)
      throw new HlaError('usage', `${option} ${file} is ${other}`, {
        offending: file,
        hint: 'give each its own name',
      })
    users.set(place, `also the file that ${option} writes`)
  }
}

/** Kinds of files, and the endings of their names; a table is written as none of them. */
const FILE_KINDS: readonly (readonly [kind: string, ...endings: readonly string[]])[] = [
  ['JSON', 'json'],
  ['JSON lines', 'jsonl', 'ndjson'],
  ['XML', 'xml', 'hml'],
  ['HTML', 'htm', 'html'],
  ['Parquet', 'parquet'],
  ['Arrow', 'arrow', 'feather'],
  ['a PDF document', 'pdf'],
  ['a database', 'sqlite', 'sqlite3', 'db'],
]

/** Kind of file that the options ask for; undefined for text. */
function writtenKind({ format, outputFormat }: CommandOptions): string | undefined {
  if (outputFormat !== undefined) return FORMAT_FILES[outputFormat].kind
  if (format === 'jsonl') return 'JSON lines'
  return format === 'json' ? 'JSON' : undefined
}

/**
 * Refuses an output whose name says another kind of file than is written: readers of that kind would fail on it.
 * @throws {HlaError} usage
 */
export function refuseOtherKind(options: CommandOptions): void {
  const { output, input } = options
  if (output === undefined) return
  const ending = fileEnding(output)
  const [kind] = FILE_KINDS.find(([, ...endings]) => endings.includes(ending)) ?? []
  if (kind === undefined || kind === writtenKind(options)) return
  if (!isStored(output) && isDevice(output)) return
  const format = kind === 'JSON' ? 'json' : kind === 'JSON lines' ? 'jsonl' : undefined
  const alternative =
    format === undefined || input !== undefined ? '' : `, or write JSON with --format ${format}`
  throw new HlaError('usage', `${output}: hla writes text here, not ${kind}`, {
    hint: `name it .csv or .tsv, with .gz to compress it${alternative}`,
    offending: output,
  })
}

/** Key that identifies the file; undefined for a file that several options may share, such as standard output. */
function resolvePlace(file: string): string | undefined {
  if (file === '-') return undefined
  if (isStored(file)) return file
  if (existsSync(file)) return isDevice(file) ? undefined : realpathSync(file)
  const folder = dirname(resolve(file))
  return join(existsSync(folder) ? realpathSync(folder) : folder, basename(file))
}
