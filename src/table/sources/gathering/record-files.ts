/** Files of one table in sequence: their records, and their columns besides typings. */
import { HlaError, isHlaError } from '../../../errors.ts'
import { quoted, errorAt } from '../../placed-error.ts'
import type { PersonFile } from './person.ts'
import type { RecordSource, TypingRecord } from '../typing-record.ts'

export interface RecordFile {
  /** undefined for a single file. */
  readonly name: string | undefined
  /** Person of records that name none. */
  readonly person: string
  readonly source: RecordSource
  /** Program that wrote it. */
  readonly program?: string | undefined
  /** True for a file of which nothing else is known. */
  readonly isUnreadable?: boolean
}

export interface OpenBlock {
  readonly records: readonly TypingRecord[]
  readonly file: PersonFile
}

export interface OpenedFiles {
  readonly open: (file: RecordFile) => PersonFile
  readonly first: () => RecordFile | undefined
  readonly count: () => number
  /** True for a single file in which each person occurs once. */
  readonly isApart: () => boolean
  /** Release stated by the typings read so far -> number of typings. */
  readonly releases: () => ReadonlyMap<string, number>
  /** Text read so far that looks like a typing but is not -> number of occurrences. */
  readonly leftOut: () => ReadonlyMap<string, number>
  /** Other content of the files opened so far, which is not read; distinct texts. */
  readonly ignored: () => readonly string[]
  readonly scores: readonly string[]
  readonly facts: readonly string[]
  /** Program -> number of files. */
  readonly programs: () => ReadonlyMap<string, number>
  /** Call when no new columns may follow. */
  readonly close: () => void
}

type Counts = ReadonlyMap<string, number> | undefined

interface SaidOfFile {
  readonly releases: Counts
  readonly leftOut: Counts
  readonly ignored: readonly string[]
}

/** Columns besides typings are identified by name across files. */
export function openedFiles(): OpenedFiles {
  const [scores, facts]: [string[], string[]] = [[], []]
  const programs = new Map<string, number>()
  const said: SaidOfFile[] = []
  let [first, count, isClosed]: [RecordFile | undefined, number, boolean] = [undefined, 0, false]
  return {
    scores,
    facts,
    first: () => first,
    count: () => count,
    isApart: () => first?.name === undefined && first?.source.isApart === true,
    releases: () => summed(said.flatMap(({ releases }) => releases ?? [])),
    leftOut: () => summed(said.flatMap(({ leftOut }) => leftOut ?? [])),
    ignored: () => [...new Set(said.flatMap(({ ignored }) => ignored))],
    programs: () => programs,
    close: () => (isClosed = true),
    open(file) {
      const { program } = file
      if (program !== undefined) programs.set(program, (programs.get(program) ?? 0) + 1)
      if (file.isUnreadable !== true) first ??= file
      count += 1
      const { extras, releases, leftOut, ignored } = file.source
      if (!isClosed) said.push({ releases, leftOut, ignored })
      for (const { name, isOfTyping } of extras) {
        const known = isOfTyping ? scores : facts
        if (known.includes(name)) continue
        if (isClosed) throw lateColumn(name, file.name)
        known.push(name)
      }
      const indexOf = (name: string, slot: 1 | 2) => {
        const at = extras.findIndex(
          (one) => one.isOfTyping && one.name === name && (one.slot === undefined || one.slot === slot),
        )
        return at < 0 ? undefined : at
      }
      return {
        name: file.name,
        program,
        person: file.person,
        // filled while columns may be new: earlier files do not have them
        scores: scores.map((name) => [indexOf(name, 1), indexOf(name, 2)] as const),
        facts: facts.map((name) => {
          const at = extras.findIndex((one) => !one.isOfTyping && one.name === name)
          return at < 0 ? undefined : at
        }),
      }
    },
  }
}

function summed(all: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const one of all) for (const [name, count] of one) sums.set(name, (sums.get(name) ?? 0) + count)
  return sums
}

export async function* blocksIn(
  files: AsyncIterable<RecordFile> | Iterable<RecordFile>,
  opened: OpenedFiles,
): AsyncGenerator<OpenBlock, undefined> {
  for await (const one of files) {
    const file = opened.open(one)
    try {
      for await (const records of one.source.blocks()) yield { records, file }
    } catch (error) {
      throw inFile(error, one.name)
    }
  }
  return undefined
}

/** Adds the file's name to an error when there are several. */
function inFile(error: unknown, name: string | undefined): unknown {
  return name === undefined || !isHlaError(error) ? error : errorAt(name, error)
}

function lateColumn(name: string, file: string | undefined): HlaError {
  return new HlaError('usage', `${file}: no earlier file has the column ${quoted(name)}`, {
    offending: name,
    hint: 'give the file with the most columns first',
  })
}
