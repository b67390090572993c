/** Input files that form one table: `-i` once, several times, or as a pattern.  [disk] */
import { type Dirent, existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { HlaError, errorReason } from '../../../errors.ts'
import { globTest, isGlob } from '../../../glob.ts'
import type { SkippedFile } from '../../../table/input/places.ts'
import { type ByteInput, type FilePort, isStored, joinedName } from '../../../io/file-port.ts'

interface OutputFiles {
  readonly output: string
  /** Other output files. */
  readonly written?: readonly unknown[]
}

export interface OpenedFiles {
  readonly source: ByteInput
  /** The files of one table. A single one when a folder or pattern names it. */
  readonly parts?: readonly ByteInput[]
  /** Files of folders that were not opened, with reasons. */
  readonly skipped?: readonly SkippedFile[]
}

/** True for several files, a folder, or a pattern that is not itself a file. */
export function areMany(files: readonly string[]): boolean {
  return files.length > 1 || files.some(isMany)
}

/** True for a folder, or a pattern that is not itself a file. */
export function isMany(file: string): boolean {
  return isFolder(file) || (!isStored(file) && isGlob(file, GLOBS) && !existsSync(file))
}

function isFolder(file: string): boolean {
  return !isStored(file) && file !== '-' && statSync(file, { throwIfNoEntry: false })?.isDirectory() === true
}

/** @throws {HlaError} usage, not-found — a pattern without matches, a folder without files */
export async function openFiles(
  filePort: Pick<FilePort, 'source'>,
  words: readonly string[],
  { output, written = [] }: OutputFiles,
): Promise<OpenedFiles> {
  const expansions = words.map((word) => expand(word, [output, ...written]))
  const files = expansions.flatMap((expansion) => expansion.files)
  const skipped = expansions.flatMap((expansion) => expansion.skipped)
  const [first = '-'] = files
  if (!areMany(words)) return { source: await filePort.source(first) }
  const clash = files.find((file, at) => file === '-' || file === output || files.indexOf(file) < at)
  if (clash !== undefined) throw clashError(clash, output)
  const parts: ByteInput[] = []
  for (const file of files) parts.push(await filePort.source(file))
  return { source: joined(parts), parts, ...(words.some(isFolder) ? { skipped } : {}) }
}

function clashError(file: string, output: string): HlaError {
  if (file === '-') return new HlaError('usage', 'standard input cannot be one of several files')
  const why = file === output ? 'is the output, so it cannot be an input' : 'is given twice'
  return new HlaError('usage', `${file} ${why}`, { offending: file })
}

const GLOBS = { choices: true }

/** True for a pattern that matches a file. */
export function matchesFiles(word: string): boolean {
  return isGlob(word, GLOBS) && findFiles(word).length > 0
}

interface Expansion {
  readonly files: readonly string[]
  readonly skipped: readonly SkippedFile[]
}

/** Expands folders and patterns; any other name, and an existing file, is returned unchanged. */
function expand(file: string, written: readonly unknown[]): Expansion {
  if (isFolder(file)) return filesBelow(file, written)
  const files = isMany(file) ? findFiles(file) : [file]
  if (files.length > 0) return { files, skipped: [] }
  throw new HlaError('not-found', `no file matches ${file}`, { offending: file })
}

/** Endings of files without typings from any program, and of files that hla writes beside a table. */
const OTHER_ENDINGS =
  /\.(?:errors\.(?:csv|tsv|jsonl?)|hla\.json|md|rst|pdf|docx?|pptx?|html?|png|jpe?g|gif|svg|log|err|out|sh|py|r|rmd|ipynb|ya?ml|toml|ini|lock|bam|bai|cram|crai|sam|fa|fasta|fai|fq|fastq|vcf|bcf|bed|gtf|gff3?|tbi|csi|tar|7z|rar|bz2|xz|db|sqlite|rds|rdata|pkl|h5|tmp|swp|bak)(?:\.gz)?$/i

/** Files in alphabetical order, folder by folder. Hidden files are skipped; links to folders are not followed. */
function filesBelow(folder: string, written: readonly unknown[]): Expansion {
  const outputs = new Set(written.flatMap((file) => (typeof file === 'string' && existsSync(file) ? [realpathSync(file)] : []))) // prettier-ignore
  const [files, skipped]: [string[], SkippedFile[]] = [[], []]
  const visit = (at: string) => {
    for (const entry of entriesIn(at)) {
      const name = join(at, entry.name)
      if (entry.name.startsWith('.')) continue
      if (entry.isDirectory()) visit(name)
      else if (statSync(name, { throwIfNoEntry: false })?.isFile() !== true) continue
      else if (outputs.has(realpathSync(name)))
        skipped.push({ name, reason: 'it is written by this command' })
      else if (OTHER_ENDINGS.test(entry.name))
        skipped.push({ name, reason: 'files with this ending hold no typings' })
      else files.push(name)
    }
  }
  visit(folder)
  if (files.length > 0) return { files, skipped }
  throw new HlaError('not-found', `there is no file with typings in ${folder}`, { offending: folder })
}

/** In alphabetical order; none where there is no folder. @throws {HlaError} io */
function entriesIn(folder: string): Dirent[] {
  const entries = unlessMissing(folder, () => readdirSync(folder, { withFileTypes: true })) ?? []
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** @throws {HlaError} io */
function unlessMissing<T>(path: string, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new HlaError('io', `cannot read ${path}: ${errorReason(error)}`, { offending: path, cause: error })
  }
}

/** Matches in alphabetical order, folder by folder. */
function findFiles(pattern: string): string[] {
  const parts = pattern.split('/')
  let paths = [parts[0] === '' ? '/' : '']
  for (const part of parts[0] === '' ? parts.slice(1) : parts) {
    if (part === '') continue
    paths = isGlob(part, GLOBS)
      ? paths.flatMap((folder) => namesIn(folder, part))
      : paths
          .map((folder) => join(folder, part))
          .filter((path) => unlessMissing(path, () => statSync(path)) !== undefined)
  }
  return paths
}

/** Names that begin with a dot match only a pattern that does. */
function namesIn(folder: string, pattern: string): string[] {
  const fits = globTest(pattern, GLOBS)
  const isShown = (name: string) => !name.startsWith('.') || pattern.startsWith('.')
  return entriesIn(folder === '' ? '.' : folder)
    .filter(({ name }) => isShown(name) && fits(name))
    .map(({ name }) => join(folder, name))
}

/** One input that represents all the files, with their total size. */
function joined(parts: readonly ByteInput[]): ByteInput {
  const size = parts.reduce<number | undefined>(
    (sum, part) => (sum === undefined || part.size === undefined ? undefined : sum + part.size),
    0,
  )
  const [first] = parts
  const name = joinedName(parts.length, first?.name ?? '')
  return {
    name,
    title: first?.title ?? name,
    size,
    bytes() {
      throw new Error('several files are read one by one')
    },
  }
}
