/** Entries of typings: found by their bytes, else asked once. */
import { partOf } from '../../nomenclature/order.ts'
import { answerCell, type Answers, type AnswerRequest, type CellAnswer } from '../answers.ts'
import { byteTextOf, type Encoding, readable } from '../encoding.ts'
import { withoutLoci } from '../row-writer.ts'
import { type ColumnKinds, GL } from './column-kinds.ts'
import {
  addTyping,
  type Entry,
  findTyping,
  NOTED,
  ODD,
  PLAIN,
  TOKEN,
  type TypingTable,
} from './typing-table.ts'

export interface TypingReader {
  readonly columns: ColumnKinds
  readonly table: TypingTable
  /** For whole cells. */
  readonly answers: Answers
  /** For the typings of GL Strings, each by itself. */
  readonly request: AnswerRequest
  readonly encoding: Encoding
  readonly locusPrefix: 'full' | 'bare'
  /** The bytes `entryOf` reads. */
  bytes: Buffer
}

/** Longer ones are not remembered, in `answers.ts` neither. */
const LONGEST_KEPT = 4096
const NO_ANSWER: CellAnswer = { status: 'error', results: [], error: undefined, notes: [] }
const ODD_ENTRY: Entry = { text: '', kind: ODD, answer: NO_ANSWER, results: [], parts: [], names: 0 }

/** Entry 0 is ODD. */
export function entryReader(reader: TypingReader) {
  const { table } = reader
  return (hash: number, column: number, start: number, end: number): number => {
    if (table.count === 0) addTyping(table, { hash: 0, start: 0, end: 0 }, ODD_ENTRY)
    const found = findTyping(table, hash, start, end)
    if (found > 0) return found
    if (end - start > LONGEST_KEPT) return 0
    return addTyping(table, { hash, start, end }, readEntry(reader, column, start, end))
  }
}

function readEntry(reader: TypingReader, column: number, start: number, end: number): Entry {
  const { columns, encoding } = reader
  const group = columns.groups[column]
  if (group === undefined) return ODD_ENTRY
  const text = readable(reader.bytes.toString('latin1', start, end), encoding)
  const isGl = columns.kinds[column] === GL
  const answer = isGl ? answerCell(text, group, reader.request) : reader.answers.of(text, group)
  if (answer.status === 'error') return ODD_ENTRY
  if (answer.status !== 'ok') return tokenEntry(reader, text, answer)
  if (isGl && !answer.results.every((result) => RESULT.test(result))) return ODD_ENTRY
  const results = reader.locusPrefix === 'bare' ? answer.results.map(withoutLoci) : answer.results
  return {
    text,
    kind: answer.notes.length === 0 && answer.kind === undefined ? PLAIN : NOTED,
    answer,
    results: results.map((result) => byteTextOf(result, encoding)),
    parts: isGl ? answer.results.map(partOf) : [],
    names: Math.max(...[text, ...answer.results].map(namesIn)),
  }
}

/** A token that stands before empty columns is written as a result. */
function tokenEntry({ request, encoding }: TypingReader, text: string, answer: CellAnswer): Entry {
  const kind = answer.notes.length > 0 ? ODD : request.width === 1 ? TOKEN : NOTED
  const results = Array.from({ length: request.width }, (_, at) =>
    at === 0 ? byteTextOf(text, encoding) : '',
  )
  return { ...ODD_ENTRY, text, kind, answer, results: kind === NOTED ? results : [] }
}

/** Of one typing. */
const RESULT = /^[\w*:/.-]+$/

function namesIn(result: string): number {
  let count = 1
  for (let at = result.indexOf('/'); at >= 0; at = result.indexOf('/', at + 1)) count += 1
  return count
}
