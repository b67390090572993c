/** A file of one person that cannot be read, among others of one table: its person fails, and the rest goes on. */
import { HlaError, isHlaError, type ErrorCode } from '../../../errors.ts'
import { refuseUnplaced } from './gathering/person.ts'
import type { RecordFile } from './gathering/record-files.ts'
import { gatheredDialect } from './long-table.ts'
import type { RecordSource, TypingRecord } from './typing-record.ts'

/** Of the world, and not of what is in the file. */
const WORLD: readonly ErrorCode[] = ['not-found', 'remote', 'pin', 'internal', 'no-data']

/** Nothing of it is given on before all of it is read. @throws {HlaError} of the world, not of what is in the file */
export function heldSource(
  source: RecordSource,
  name: string,
  unreadable: () => Promise<void>,
): RecordSource {
  return {
    ...source,
    async *blocks() {
      const held: (readonly TypingRecord[])[] = []
      let fault: TypingRecord | undefined
      try {
        for await (const records of source.blocks()) held.push(placed(records))
      } catch (error) {
        fault = faultOfFile(name, error)
        await unreadable()
      }
      if (fault === undefined && held.every((records) => records.length === 0))
        fault = faultOfFile(name, new HlaError('io', 'the file has no typings'))
      if (fault === undefined) yield* held
      else yield [fault]
    },
  }
}

/** @throws {HlaError} io — a typing of no locus */
function placed(records: readonly TypingRecord[]): readonly TypingRecord[] {
  for (const record of records) if (record.locus === '') refuseUnplaced(record)
  return records
}

interface UnreadableFile extends RecordFile {
  readonly isUnreadable: true
}

/** In place of a file that could not even be opened. @throws `error`, when it is of the world */
export function unreadableFile(name: string, person: string, error: unknown): UnreadableFile {
  const fault = faultOfFile(name, error)
  return {
    name,
    person,
    isUnreadable: true,
    source: {
      format: '', reading: '', personName: 'sample', extras: [], ignored: [], dialect: gatheredDialect(PLAIN),
      async *blocks() {
        yield await Promise.resolve([fault])
      },
    }, // prettier-ignore
  }
}

const PLAIN = {
  encoding: 'utf8', bom: 0, delimiter: '\t', quote: '"', lazyQuotes: false, preamble: 0, comment: undefined, eol: '\n',
} as const // prettier-ignore

function faultOfFile(name: string, error: unknown): TypingRecord {
  if (!isHlaError(error) || WORLD.includes(error.code) || isOfSystem(error.cause)) throw error
  const told = error.message.replace(`${name}: `, '')
  const [, line = '1', reason = told] = /^line (\d+): (.*)$/s.exec(told) ?? []
  const fault = new HlaError('bad-record', reason, {
    offending: error.offending,
    hint: error.hint,
    cause: error,
  })
  return {
    person: undefined,
    locus: '',
    typing: '',
    slot: undefined,
    line: Number(line),
    values: [],
    error: fault,
  }
}

/** It could not be read from the disk. */
function isOfSystem(cause: unknown): boolean {
  return cause instanceof Error && 'syscall' in cause
}
