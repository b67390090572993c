/** Names that files give to the samples in them, and notes on these names. */
import { type Advice, advice, option } from '../../advice.ts'
import { messageText } from '../../operations/faces.ts'
import { isHlaError } from '../../errors.ts'
import { formatCount } from '../../format-count.ts'
import type { ByteInput } from '../../io/file-port.ts'
import type { DialectHints } from '../input/dialect.ts'
import { readTableInput } from '../input/input.ts'
import type { SampleNote } from '../input/places.ts'
import { haveEqualNames, nameSamples, type ProgramFile, type SampleNames } from './gathering/sample-names.ts'
import { recognizeProgram } from './programs/programs.ts'
import { tableProgram } from './record-formats.ts'
import type { TypingRecord } from './typing-record.ts'

export interface FileSamples {
  /** Path -> name; undefined when each file has a name of its own. */
  readonly names: SampleNames['names'] | undefined
  /** Call with the records of each file: notes are about files that name a person. */
  readonly add: (path: string, records: readonly TypingRecord[]) => void
  readonly notes: () => readonly SampleNote[]
}

interface SamplesRequest {
  readonly sheet: string | undefined
  readonly ofFile: (name: string) => { readonly dialect: DialectHints }
}

/** Programs are looked up only where files have equal names. */
export async function fileSamples(
  parts: readonly ByteInput[],
  request: SamplesRequest,
): Promise<FileSamples> {
  const files: ProgramFile[] = []
  if (haveEqualNames(parts.map(({ name }) => name)))
    for (const part of parts) files.push({ path: part.name, program: await knownProgram(part, request) })
  const found = nameSamples(files)
  const unnamed = new Set<string>()
  return {
    names: files.length === 0 ? undefined : found.names,
    add(path, records) {
      if (records.some(({ person }) => person === undefined)) unnamed.add(path)
    },
    notes: () => sampleNotes(found, unnamed),
  }
}

/** Program that wrote a file, by its beginning; undefined for another table, or a file that cannot be read. */
async function knownProgram(
  { name, bytes }: ByteInput,
  { ofFile, sheet }: SamplesRequest,
): Promise<string | undefined> {
  const { dialect } = ofFile(name)
  try {
    const input = await readTableInput(name, bytes(), { sheet, dialect })
    for await (const _ of input.chunks()) break
    return tableProgram(input.lines[0] ?? '') ?? recognizeProgram(input.lines)?.name
  } catch (error) {
    // reported when it is read
    if (isHlaError(error)) return undefined
    throw error
  }
}

function sampleNotes({ names, byPath, open }: SampleNames, unnamed: ReadonlySet<string>): SampleNote[] {
  const listed = (paths: ReadonlySet<string>) => {
    const all = [...new Set([...paths].flatMap((path) => (unnamed.has(path) ? [names.get(path) ?? ''] : [])))]
    const more = all.length > MAX_SHOWN ? ` and ${formatCount(all.length - MAX_SHOWN)} more` : ''
    return all.slice(0, MAX_SHOWN).join(', ') + more
  }
  const note = (level: SampleNote['level'], message: Advice) => ({
    level,
    code: 'sample-names',
    message: messageText(message, 'command-line'),
  })
  const [named, either] = [listed(byPath), listed(open)]
  const byName = option('sample-from', 'name')
  const notes: SampleNote[] = []
  if (named !== '')
    notes.push(note('note', advice`samples of files with equal names are named by the part of the path in which they differ: ${named}; ${byName} names them by the files`)) // prettier-ignore
  if (either !== '')
    notes.push(note('warning', advice`${either}: either the files or their folders are named after samples, so each file has a row; ${byName} or ${option('sample-from', 'folder')} says which`)) // prettier-ignore
  return notes
}

const MAX_SHOWN = 3
