/** The files of a command line that are one table: `-i` once, several times, or as a pattern.  [disk] */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { HlaError, errorReason } from '../../../errors.ts'
import { globTest, isGlob } from '../../../glob.ts'
import { isStored } from '../files/open-file-port.ts'
import { type ByteInput, type FilePort, joinedName } from '../../../io/file-port.ts'

interface Asked {
  readonly sampleFrom?: string | undefined
  readonly output: string
}

/** @throws {HlaError} usage, not-found — a pattern that no file has */
export async function openFiles(
  filePort: Pick<FilePort, 'source'>,
  given: readonly string[],
  { sampleFrom, output }: Asked,
): Promise<{ readonly source: ByteInput; readonly parts?: readonly ByteInput[] }> {
  const files = sampleFrom === undefined ? given : given.flatMap(expandPattern)
  if (sampleFrom === undefined) given.forEach(refusePattern)
  const [first = '-', another] = files
  if (another === undefined) return { source: await filePort.source(first) }
  const twice = files.find((file, at) => file === '-' || file === output || files.indexOf(file) < at)
  if (twice !== undefined) throw refused(twice, output)
  const parts: ByteInput[] = []
  for (const file of files) parts.push(await filePort.source(file))
  return { source: joined(parts), parts }
}

/** @throws {HlaError} usage */
export function onlyFile(files: readonly string[]): string {
  const [file = '-', another] = files
  if (another === undefined) return file
  throw new HlaError('usage', 'only one table can be compared at a time, but -i was given twice')
}

function refused(file: string, output: string): HlaError {
  if (file === '-') return new HlaError('usage', 'standard input cannot be one of several files')
  const why = file === output ? 'is the output, and would be one of its inputs' : 'is given twice'
  return new HlaError('usage', `${file} ${why}`, { offending: file })
}

/** A pattern is one table of several files, and whoever gives it says where their persons are named. @throws {HlaError} not-found */
function refusePattern(file: string): void {
  if (isStored(file) || !isGlob(file, GLOBS) || existsSync(file) || expandPattern(file).length === 0) return
  throw new HlaError('not-found', `there is no file ${file}; several files have such names`, {
    offending: file,
    hint: '--sample-from column makes one table of them; name, folder: each is about the person it is named after',
  })
}

const GLOBS = { choices: true }

/** A pattern that some file has. */
export function matchesFiles(word: string): boolean {
  return isGlob(word, GLOBS) && findFiles(word).length > 0
}

/** In the order of the alphabet, folder by folder. What is no pattern, or is the name of a file, stays as it is. */
function expandPattern(pattern: string): string[] {
  if (isStored(pattern) || !isGlob(pattern, GLOBS)) return [pattern]
  const found = findFiles(pattern)
  if (found.length > 0) return found
  throw new HlaError('not-found', `no file is named like ${pattern}`, { offending: pattern })
}

function findFiles(pattern: string): string[] {
  const parts = pattern.split('/')
  let found = [parts[0] === '' ? '/' : '']
  for (const part of parts[0] === '' ? parts.slice(1) : parts) {
    if (part === '') continue
    found = isGlob(part, GLOBS)
      ? found.flatMap((folder) => namesIn(folder, part))
      : found.map((folder) => join(folder, part))
  }
  return found
}

/** What begins with a dot is hidden, unless the pattern does. */
function namesIn(folder: string, pattern: string): string[] {
  const fits = globTest(pattern, GLOBS)
  const isShown = (name: string) => !name.startsWith('.') || pattern.startsWith('.')
  try {
    const names = readdirSync(folder === '' ? '.' : folder)
    return names
      .filter((name) => isShown(name) && fits(name))
      .sort((a, b) => (a < b ? -1 : 1))
      .map((name) => join(folder, name))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw new HlaError('io', `cannot read ${folder}: ${errorReason(error)}`, {
      offending: folder,
      cause: error,
    })
  }
}

/** What is said of all of them together. */
function joined(parts: readonly ByteInput[]): ByteInput {
  const sizes = parts.map(({ size }) => size)
  const size = sizes.every((one) => one !== undefined)
    ? sizes.reduce<number>((sum, one) => sum + one, 0)
    : undefined
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
