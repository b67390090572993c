/** Reads new typings: each is asked about once and remembered.  [threads] */
import { keepNewSpaceSmall } from '../../io/heap.ts'
import { parsePart } from '../../nomenclature/order.ts'
import {
  type AnswerRequest,
  type CellAnswer,
  MAX_KEPT_LENGTH,
  type RememberedAnswers,
  answerCell,
} from '../cells/answers.ts'
import { type Encoding, encodeByteText } from '../input/encoding.ts'
import { withoutLoci } from '../output/row-writer.ts'
import { type ColumnKinds, GL } from './column-kinds.ts'
import {
  BY_TEXT,
  type EntryResult,
  KEY_SIZE,
  KIND,
  NOTED,
  ODD,
  PLAIN,
  SEEN,
  STATUSES,
  TOKEN,
  type TypingEntry,
  type TypingKey,
  type TypingTable,
  WORDS,
  addTyping,
  copyRecord,
  copyTyping,
  keyOffset,
} from './memory/typing-table.ts'
import type { KnownCodes } from '../../operations/executor.ts'
import type { PlannedGroup } from '../plan/plan.ts'
import { TOKEN_STATUSES } from '../cells/tokens.ts'

export interface TypingReader {
  readonly columns: ColumnKinds
  readonly table: TypingTable
  readonly request: AnswerRequest
  /** Answers of rows read the ordinary way, including those with a failure: advice is found once. */
  readonly answers: RememberedAnswers
  /** True when `request` omits advice on failures: advice is limited, and goes to cells in row order. */
  readonly isAskedAgain: boolean
  readonly encoding: Encoding
  readonly locusPrefix: 'full' | 'bare'
  /** Matches text that a field can only contain within quotes. */
  readonly needsQuotes: RegExp
  /** False when the table has no quotes. */
  readonly hasQuotes: boolean
  /** True when results of several columns are joined: each cell must then be one typing and have a rank to sort by. */
  readonly isJoined: boolean
  /** Answers of NOTED records. */
  readonly noted: Map<number, CellAnswer>
  /** Typings shared by all threads; undefined with a single one. */
  readonly shared: SharedTypings | undefined
  /** Bytes being read. */
  input: Buffer
}

const ODD_ENTRY: TypingEntry = { kind: ODD, status: 0, names: 0, results: [] }

/** Returns the record of a new typing; 0 means "use the ordinary path". */
export function entryReader(reader: TypingReader) {
  const { table, noted, shared } = reader
  const codes = codeReader(reader)
  let reduceCount = 0
  const reduced = (key: TypingKey, column: number): number => {
    if ((reduceCount += 1) % 32 === 0) keepNewSpaceSmall()
    const text = reader.input.toString('latin1', key.start, key.start + key.size)
    if (isUnasked(reader, text, column)) return 0
    const code = codes?.(text, column)
    // lengths here are in bytes, elsewhere in characters
    const answer = code === undefined && ASCII.test(text) ? answerTyping(reader, text, column) : undefined
    const entry = code ?? (answer === undefined ? ODD_ENTRY : readEntry(reader, answer, text, column))
    const record = addTyping(table, key, entry)
    shared?.add(table, key, record)
    if (entry.kind === NOTED && answer !== undefined) noted.set(record, answer)
    return record
  }
  return (hash: number, column: number, start: number, end: number): number => {
    const key = { hash, start, size: end - start }
    // not remembered on the ordinary path either
    if (key.size > MAX_KEPT_LENGTH) return 0
    return shared?.find(table, key) || reduced(key, column)
  }
}

// eslint-disable-next-line no-control-regex
const ASCII = /^[\u0000-\u007f]*$/

/** True when it must be asked about together with others. */
function isUnasked({ answers: { ahead }, columns }: TypingReader, value: string, column: number): boolean {
  const group = columns.groups[column]
  return ahead !== undefined && group !== undefined && !ahead.has({ group, value })
}

/** undefined when the ordinary conversion must answer. */
function answerTyping(
  { columns, request, answers, isAskedAgain, isJoined }: TypingReader,
  text: string,
  column: number,
): CellAnswer | undefined {
  const group = columns.groups[column]
  if (group === undefined) return undefined
  const isKnown = answers.ahead !== undefined
  const answer = isKnown ? answers.of(text, group) : answerCell(text, group, request)
  if (answer.status === 'error') {
    if (!isAskedAgain && !isKnown) answers.keep(text, group, answer)
    return undefined
  }
  if (answer.status !== 'ok') return answer.notes.length === 0 ? answer : undefined
  const single = columns.kinds[column] === GL ? answer.results : isJoined ? answer.results.slice(0, 1) : []
  return single.every((result) => RESULT.test(result)) ? answer : undefined
}

/** Form of a single typing's result. */
const RESULT = /^[\w*:/.-]+$/

function readEntry(
  reader: TypingReader,
  { status, kind, notes, results }: CellAnswer,
  text: string,
  column: number,
): TypingEntry {
  const { columns, encoding, locusPrefix, isJoined, needsQuotes, hasQuotes } = reader
  if (status !== 'ok') return tokenEntry(reader, text, STATUSES.indexOf(status))
  const isRanked = isJoined || columns.kinds[column] === GL
  const entries: EntryResult[] = []
  for (const result of results) {
    const bare = encodeByteText(locusPrefix === 'bare' ? withoutLoci(result) : result, encoding)
    const isOdd = needsQuotes.test(bare)
    if (isOdd && !hasQuotes) return ODD_ENTRY
    const text = isOdd ? `"${bare.replaceAll('"', '""')}"` : bare
    entries.push({ parts: [{ text }], rank: (isRanked ? parsePart(result).key : undefined) ?? BY_TEXT })
  }
  return {
    kind: notes.length === 0 && kind === undefined ? PLAIN : NOTED,
    status: 0,
    names: results.reduce((most, result) => Math.max(most, namesIn(result)), namesIn(text)),
    results: entries,
  }
}

/**
 * A token before empty columns is written as a result; one that needs quotes there is left to the ordinary conversion.
 */
function tokenEntry({ request, needsQuotes }: TypingReader, text: string, status: number): TypingEntry {
  if (needsQuotes.test(text)) return ODD_ENTRY
  if (request.width === 1) return { kind: TOKEN, status, names: 0, results: [] }
  return { kind: NOTED, status, names: 0, results: [{ parts: [{ text }], rank: BY_TEXT }] }
}

function namesIn(result: string): number {
  let count = 1
  for (let at = result.indexOf('/'); at >= 0; at = result.indexOf('/', at + 1)) count += 1
  return count
}

export interface CodeRequest {
  readonly columns: ColumnKinds
  readonly request: AnswerRequest
  readonly locusPrefix: 'full' | 'bare'
}

/** Entry of a code such as `A*01:AB`; undefined for other text, or a code to be asked about. */
export type CodeReader = (text: string, column: number) => TypingEntry | undefined

/** undefined where codes cannot be read this way. */
export function codeReader({ columns, request, locusPrefix }: CodeRequest): CodeReader | undefined {
  const { executor, operation, inputs } = request
  const methods = inputs.map((input) => executor.codes?.(operation.name, input))
  const known = methods.filter((one) => one !== undefined)
  if (known.length < methods.length || columns.groups.some(hasTokensLikeCodes)) return undefined
  return (text, column) => {
    const group = columns.groups[column]
    const colon = group === undefined ? -1 : findCode(text, group.locus)
    if (group === undefined || colon < 0) return undefined
    const code = text.slice(colon + 1)
    if (code === 'XX' || group.context.tokens.new.has(code)) return undefined
    return readCodeEntry(known, text.slice(0, colon + 1), code, locusPrefix)
  }
}

/**
 * Index of the colon in `A*01:AB`, which must belong to the locus if one is given; -1 for other text. Written without a
 * regular expression, since most new typings are codes.
 */
function findCode(text: string, locus: string | undefined): number {
  let at = text.length - 1
  while (isCapital(text.charCodeAt(at))) at -= 1
  const colon = at
  if (colon === text.length - 1 || text.charCodeAt(colon) !== COLON) return -1
  do at -= 1
  while (isDigit(text.charCodeAt(at)))
  if (at === colon - 1 || text.charCodeAt(at) !== STAR) return -1
  if (locus !== undefined) return locus.length === at && text.startsWith(locus) ? colon : -1
  return LOCUS.test(text.slice(0, at)) ? colon : -1
}

const COLON = 58
const STAR = 42
const LOCUS = /^[A-Z][A-Z0-9]*$/

/** False for NaN, the value before a text. */
function isCapital(unit: number): boolean {
  return unit >= 65 && unit <= 90
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57
}

/** Tokens take precedence over typings: `01:AB` may be one. */
function hasTokensLikeCodes(group: PlannedGroup | undefined): boolean {
  return TOKEN_STATUSES.some((status) =>
    [...(group?.context.tokens[status] ?? [])].some((one) => /:[A-Z]/.test(one)),
  )
}

function readCodeEntry(
  known: readonly KnownCodes[],
  before: string,
  code: string,
  locusPrefix: 'full' | 'bare',
): TypingEntry | undefined {
  const results: EntryResult[] = []
  let names = 0
  for (const reduce of known) {
    const parts = reduce(before, code)
    if (parts === undefined) return undefined
    const rank = parts.length === 1 ? parts[0]?.key : undefined
    results.push({ parts: locusPrefix === 'bare' ? parts.map(withoutLocus) : parts, rank: rank ?? BY_TEXT })
    names = Math.max(names, parts.length)
  }
  return { kind: PLAIN, status: 0, names, results }
}

function withoutLocus({ text }: EntryResult['parts'][number]): EntryResult['parts'][number] {
  return { text: withoutLoci(text) }
}

interface SharedTypings {
  /** Copies another thread's record for the bytes at `key` into the table and returns its record; 0 for none. */
  readonly find: (table: TypingTable, key: TypingKey) => number
  /** Publishes the record to other threads; without room, each thread computes it. */
  readonly add: (table: TypingTable, key: TypingKey, record: number) => void
}

/** Number of slots; each holds a record's offset, or 0. */
const SLOTS = 2 ** 19
/** Maximum slots examined per typing. */
const MAX_PROBES = 16
/** Layout in 32-bit words: offset of the next record, the slots, then the records at even offsets. */
const FIRST = 2 + SLOTS
const WORDS_IN_ALL = FIRST + 2 ** 22
/** Stored in place of the counting round. */
const HASH = SEEN

/** Size 18 MiB, of which the system allocates what is written. */
export function sharedTypingsMemory(): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(WORDS_IN_ALL * 4)
  new Int32Array(memory)[0] = FIRST
  return memory
}

export function sharedTypings(memory: SharedArrayBuffer): SharedTypings {
  const words = new Int32Array(memory)
  const bytes = new Uint8Array(memory)
  const isSame = (record: number, { methods, input }: TypingTable, { hash, start, size }: TypingKey) => {
    if (words[record + HASH] !== hash || words[record + KEY_SIZE] !== size) return false
    const key = keyOffset(record, methods)
    let at = 0
    while (at < size && bytes[key + at] === input.getUint8(start + at)) at += 1
    return at === size
  }
  return {
    find(table, key) {
      for (let probe = 0; probe < MAX_PROBES;) {
        const record = Atomics.load(words, probeSlot(key.hash, probe))
        // done even when unneeded: V8 recompiles the caller when it does something for the first time
        probe += 1
        if (record === 0) return 0
        if (isSame(record, table, key)) return copyTyping(table, key.hash, words, record)
      }
      return 0
    },
    add(table, key, place) {
      const { records, methods } = table
      if (records[place + KIND] !== PLAIN) return
      const record = allocate(words, records[place + WORDS] ?? 0)
      if (record === 0) return
      copyRecord(records, place, words, { record, methods })
      words[record + HASH] = key.hash
      // published only now, when it is complete
      for (let probe = 0; probe < MAX_PROBES; probe += 1) {
        const other = Atomics.compareExchange(words, probeSlot(key.hash, probe), 0, record)
        if (other === 0 || isSame(other, table, key)) return
      }
    },
  }
}

function probeSlot(hash: number, probe: number): number {
  return 1 + ((hash + probe) & (SLOTS - 1))
}

/** Returns 0 when there is no room. */
function allocate(words: Int32Array, size: number): number {
  // checked first, so that the sum stays small
  if (Atomics.load(words, 0) + size > WORDS_IN_ALL) return 0
  const record = Atomics.add(words, 0, size)
  return record + size > WORDS_IN_ALL ? 0 : record
}
