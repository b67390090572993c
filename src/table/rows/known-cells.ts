/** Cells seen before, as written in the table, and the text that stands in their place. */
import {
  type AnswerRequest,
  type CellAnswer,
  MAX_KEPT_LENGTH,
  type RememberedAnswers,
  answerCell,
  answerSize,
} from '../answers/answers.ts'
import { type Dialect, outDelimiter } from '../input/dialect.ts'
import { encodeByteText, readable } from '../input/encoding.ts'
import { withoutLoci } from '../output/written-text.ts'
import type { PlannedGroup } from '../plan/plan.ts'
import type { WriteRequest } from '../plan/table-request.ts'

export interface KnownCell {
  /** Without results, unless it is counted or joined with others. */
  readonly answer: CellAnswer
  /** Results as written, one per method, where they follow all columns; for a token, its source. */
  readonly texts: readonly string[]
  /** Delimiter and text in place of the field. */
  readonly place: string
  /** False when its place is empty, so that it has no row of its own. */
  readonly isFilled: boolean
  /** True for an answer of which nothing but the number is counted. */
  readonly isPlain: boolean
  /** True once it is among the distinct cells. */
  isCounted: boolean
}

/** Stands for a column without a cell, and for a cell whose rows the ordinary path must write. */
export const ODD: KnownCell = {
  answer: { status: 'error', results: [], error: undefined, notes: [] },
  texts: [],
  place: '',
  isFilled: false,
  isPlain: false,
  isCounted: false,
}

export interface KnownCells {
  /** Cells of a group by their fields, which groups of the same context share. */
  readonly of: (group: PlannedGroup) => ReadonlyMap<string, KnownCell>
  /** Answers and keeps a new cell; undefined when the ordinary path must read its row. */
  readonly learn: (field: string, group: PlannedGroup) => KnownCell | undefined
  /** Decoded, without its quotes. */
  readonly valueIn: (field: string) => string
  /** True for a field without quotes, with quotes around it, or a formula's text (`="01:01"`). */
  readonly isSimple: (field: string) => boolean
}

interface CellsRequest {
  readonly dialect: Dialect
  readonly writing: WriteRequest
  readonly asked: AnswerRequest
  readonly remembered: RememberedAnswers
  /** True when typings of a row are joined. */
  readonly isJoined: boolean
  readonly atOnce: number
}

/** Characters of known cells over all tables at once; all are dropped when there are more. */
const MAX_CHARACTERS = 16 * 1024 * 1024
/** Counted for a cell besides its texts, so that at most 160,000 are kept. */
const PER_CELL = 100
const OK: CellAnswer = { status: 'ok', results: [], error: undefined, notes: [] }
/** Form of a single typing's result. */
const SINGLE = /^[\w*:/.-]+$/

export function knownCells(request: CellsRequest): KnownCells {
  const { dialect, asked, remembered, atOnce } = request
  const { ahead } = remembered
  const { withoutAdvice } = asked.executor
  const quick = withoutAdvice === undefined ? asked : { ...asked, executor: withoutAdvice }
  const { isSimple, valueIn } = fieldRules(dialect)
  const makeCell = cellMaker(request)
  const contexts = new Map<string, Map<string, KnownCell>>()
  let characters = 0

  const cellsOf = ({ contextKey }: PlannedGroup): Map<string, KnownCell> => {
    const known = contexts.get(contextKey) ?? new Map<string, KnownCell>()
    contexts.set(contextKey, known)
    return known
  }
  const keep = (field: string, group: PlannedGroup, cell: KnownCell): KnownCell => {
    if (characters > MAX_CHARACTERS / atOnce) {
      for (const known of contexts.values()) known.clear()
      characters = 0
    }
    characters += answerSize(field + cell.place, { results: cell.texts, error: cell.answer.error }) + PER_CELL
    // a copy: a part would keep its block of the table in memory
    cellsOf(group).set(Buffer.from(field, 'latin1').toString('latin1'), cell)
    return cell
  }
  return {
    of: cellsOf,
    valueIn,
    isSimple,
    learn(field, group) {
      if (!isSimple(field) || field.includes(dialect.delimiter)) return undefined
      const value = valueIn(field)
      if (value.length > MAX_KEPT_LENGTH || ahead?.has({ group, value }) === false) return undefined
      const answer = ahead === undefined ? answerCell(value, group, quick) : remembered.of(value, group)
      if (answer.status !== 'error') {
        const cell = makeCell(field, answer)
        return cell && keep(field, group, cell)
      }
      const advised = remembered.of(value, group)
      return keep(field, group, makeCell(field, advised) ?? ODD)
    },
  }
}

function fieldRules({ quote, encoding }: Dialect): Pick<KnownCells, 'isSimple' | 'valueIn'> {
  if (quote === undefined) return { isSimple: () => true, valueIn: (field) => readable(field, encoding) }
  return {
    isSimple(field) {
      const at = field.indexOf(quote)
      if (at < 0) return true
      if (at === 0) return field.length > 1 && field.indexOf(quote, 1) === field.length - 1
      return at === 1 && field.startsWith('=') && field.indexOf(quote, 2) === field.length - 1
    },
    valueIn: (field) => readable(withoutQuotes(field, quote), encoding),
  }
}

function withoutQuotes(field: string, quote: string | undefined): string {
  return quote !== undefined && field.startsWith(quote) ? field.slice(1, -1) : field
}

/** undefined for a cell that only the ordinary path can write. */
function cellMaker({ dialect, writing, asked: { width }, isJoined }: CellsRequest) {
  const { into, dropSource, onError } = writing
  const delimiter = outDelimiter(dialect, writing)
  const { quote } = dialect
  const needsQuotes = new RegExp(`["\\r\\n\\x${delimiter.charCodeAt(0).toString(16).padStart(2, '0')}]`)
  const isBehind = into === 'append' && writing.shape !== 'long'
  const isBeside = into === 'after' || (into === 'append' && !isBehind)

  const written = (result: string): string | undefined => {
    const bare = writing.locusPrefix === 'bare' ? withoutLoci(result) : result
    const text = encodeByteText(bare, dialect.encoding)
    if (!needsQuotes.test(text)) return text
    return dialect.quote === undefined ? undefined : `"${text.replaceAll('"', '""')}"`
  }
  return (field: string, answer: CellAnswer): KnownCell | undefined => {
    const { status, results, notes, kind, error } = answer
    const isOk = status === 'ok'
    // joined cells must be one typing each
    if (isJoined && (error !== undefined || (isOk && !SINGLE.test(results[0] ?? '')))) return undefined
    // other columns may have its partner
    if (error?.facts?.['chain'] !== undefined) return undefined
    const isKept = !isOk && (status !== 'error' || onError === 'keep')
    // it has its quotes in its own column alone
    const bare = withoutQuotes(field, quote)
    if (isKept && needsQuotes.test(bare)) return undefined
    const texts = writing.results.map((_, at) => {
      const result = results[at] ?? ''
      return result !== '' || !isKept ? written(result) : at % width === 0 ? bare : ''
    })
    if (!texts.every((text) => text !== undefined)) return undefined
    const replaced = isKept && (results[0] ?? '') === '' ? field : (texts[0] ?? '')
    const beside = [...(dropSource ? [] : [field]), ...(isBeside ? texts : [])]
    const parts = into === 'replace' ? [replaced] : beside
    const isPlain = isOk && notes.length === 0 && kind === undefined
    return {
      // the same texts are in its place
      answer: isPlain && !isJoined ? OK : answer,
      texts: isBehind ? texts : [],
      place: delimiter + parts.join(delimiter),
      isFilled: parts.some((part) => withoutQuotes(part, quote) !== ''),
      isPlain,
      isCounted: false,
    }
  }
}
