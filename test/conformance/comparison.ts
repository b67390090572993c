/** A row of the corpus beside our answer. */
import type { Engine } from '../../src/engine/engine.ts'
import { parseMethod } from '../../src/engine/reduce/methods.ts'
import { redux } from '../../src/engine/redux.ts'
import { type ErrorCode, isHlaError } from '../../src/errors.ts'
import { type CorpusRow, recorded } from '../support/corpus.ts'

/** `text` is empty where nothing is left, as the peer has it. */
export type Answer =
  | { readonly status: 'ok'; readonly text: string }
  | { readonly status: 'error'; readonly code: ErrorCode; readonly message: string }

export interface Comparison {
  readonly row: CorpusRow
  readonly ours: Answer
  readonly engine: Engine
  /** The row changes its order from run to run in the peer: compare its parts only. */
  readonly unordered: boolean
}

/** Where nothing is left the peer answers an empty text and we an error that says why (divergence no-silence). */
const NOTHING_LEFT: ReadonlySet<ErrorCode> = new Set(['no-serology', 'no-alleles', 'no-hats'])

export function answerOf(engine: Engine, row: CorpusRow): Answer {
  try {
    return { status: 'ok', text: redux(engine, row.input, parseMethod(row.method)).text }
  } catch (error) {
    if (!isHlaError(error)) throw error
    if (NOTHING_LEFT.has(error.code)) return { status: 'ok', text: '' }
    return { status: 'error', code: error.code, message: error.message }
  }
}

/** The peer's class of error does not count. */
export function isEqual({ row, ours, unordered }: Comparison): boolean {
  return ours.status === row.status && (ours.status === 'error' || isRecorded(ours.text, row, unordered))
}

export function isRecorded(text: string, row: CorpusRow, unordered: boolean): boolean {
  return recorded(unordered ? sortedParts(text) : text) === row.output
}

/** Every list sorted by code point, haplotypes as they are: the form of the corpus for rows without a fixed order. */
export function sortedParts(text: string): string {
  const operator = ['^', '|', '+', '~', '/'].find((one) => text.includes(one))
  if (operator === undefined) return text
  const parts = text.split(operator).map(sortedParts)
  return (operator === '~' ? parts : parts.sort()).join(operator)
}
