/** Compares a row of the corpus with an answer. */
import type { Engine } from '../../src/engine/engine.ts'
import { parseMethod } from '../../src/engine/reduce/methods.ts'
import { redux } from '../../src/engine/redux.ts'
import { isHlaError } from '../../src/errors.ts'
import { type CorpusRow, recorded } from '../support/corpus.ts'
import type { Answer } from '../support/independent/reduce.ts'
import { operate } from './ops-answers.ts'

export interface Question {
  readonly row: CorpusRow
  /** `3580` */
  readonly release: string
  /** py-ard's order of the row varies from run to run: compare only its parts. */
  readonly unordered: boolean
}

export function answerOf(engine: Engine, { op, method, input }: CorpusRow): Answer {
  try {
    return {
      text: op === 'redux' ? redux(engine, input, parseMethod(method)).text : operate(op, engine, input),
    }
  } catch (error) {
    if (!isHlaError(error)) throw error
    const { found, expected } = error.facts ?? {}
    // in the corpus only blend errors have contents
    return { error: found === undefined ? error.code : `found=${found} expected=${expected}` }
  }
}

/** py-ard's class of an error is not compared; the found and expected genes of a blend error are. */
export function isRecorded(answer: Answer, { row, unordered }: Question): boolean {
  if ('error' in answer)
    return row.status === 'error' && (row.op !== 'blend' || row.output.endsWith(` ${answer.error}`))
  return row.status === 'ok' && recorded(unordered ? sortedParts(answer.text) : answer.text) === row.output
}

/** Every list sorted by code point, haplotypes unchanged: the corpus stores rows without a fixed order in this form. */
export function sortedParts(text: string): string {
  const operator = ['^', '|', '+', '~', '/'].find((one) => text.includes(one))
  if (operator === undefined) return text
  const parts = text.split(operator).map(sortedParts)
  return (operator === '~' ? parts : parts.sort()).join(operator)
}
