/** Refuses a command line whose files would overwrite each other, or cannot be written.  [disk] */
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isStored } from '../../io/file-port.ts'
import { HlaError } from '../../errors.ts'
import { isDevice, checkPlace } from '../../io/part-file.ts'
import type { CommandOptions } from '../options/declare/operation.ts'
import { parseSummary } from '../options/table-options.ts'

/** File with the option that names it. */
interface NamedFile {
  readonly option: string
  readonly file: string
}

/**
 * A file in a store may be both read and written in one run: the store keeps its content as an earlier version.
 * @throws {HlaError} usage
 */
function refuseClashes(read: readonly NamedFile[], written: readonly NamedFile[]): void {
  const readers = new Map(read.filter(({ file }) => !isStored(file)).map(byPlace))
  const writers = new Map<string, NamedFile>()
  for (const named of written) {
    const [place] = byPlace(named)
    if (place === undefined) continue
    if (!isStored(named.file)) checkPlace(named.file)
    const reader = readers.get(place)
    if (reader !== undefined) throw clash(named, `the file that ${reader.option} reads`)
    const other = writers.get(place)
    if (other !== undefined) throw clash(named, `also the file that ${other.option} writes`)
    writers.set(place, named)
  }
}

function clash({ option, file }: NamedFile, other: string): HlaError {
  return new HlaError('usage', `${option} ${file} is ${other}`, {
    offending: file,
    hint: 'give each its own name',
  })
}

function byPlace(named: NamedFile): [place: string | undefined, named: NamedFile] {
  return [resolvePlace(named.file), named]
}

/** Key that identifies the file; undefined for a file that several options may share, such as standard output. */
function resolvePlace(file: string): string | undefined {
  if (file === '-') return undefined
  if (isStored(file)) return file
  if (existsSync(file)) return isDevice(file) ? undefined : realpathSync(file)
  const folder = dirname(resolve(file))
  return join(existsSync(folder) ? realpathSync(folder) : folder, basename(file))
}

/**
 * @throws {HlaError} usage — an output would overwrite an input or another output; io — an output cannot be written
 */
export function refuseClashingFiles(options: CommandOptions): void {
  const { input = [], planFrom, output, errors, rows, provenance, summary } = options
  const summaryFile = typeof summary === 'string' ? parseSummary(summary).file : undefined
  refuseClashes(
    [...input.flatMap((file) => named('-i', file)), ...named('--plan-from', planFrom)],
    [
      ...named('-o', output),
      ...named('--errors', errors),
      ...named('--rows', rows),
      ...named('--provenance', provenance),
      ...named('--summary', summaryFile),
    ],
  )
}

function named(option: string, file: unknown): NamedFile[] {
  return typeof file === 'string' ? [{ option, file }] : []
}
