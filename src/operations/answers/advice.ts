/** Advice on names missing from the release: successors and similar names. */
import { advice, option } from '../../advice.ts'
import { findReading } from '../../engine/accept.ts'
import { addAdvice } from '../../engine/suggest/advice.ts'
import { indexNames } from '../../engine/suggest/release-names.ts'
import { adviseOnUnknown } from '../../engine/suggest/suggest.ts'
import { addLastLocus } from '../../engine/validate/shorthand.ts'
import { HlaError, isHlaError } from '../../errors.ts'
import { listLeaves } from '../../nomenclature/gl-string.ts'
import { budgetText, type Knowledge } from '../knowledge.ts'
import { wasName } from './lifting.ts'

/**
 * Runs `answer`, and adds code, reason and suggestions to an error about an unknown allele or a name without locus.
 */
export function withAdvice<T>(text: string, knowledge: Knowledge, answer: () => T): T {
  try {
    return answer()
  } catch (error) {
    throw isHlaError(error) ? adviseError(error, text, knowledge) : error
  }
}

/** Maximum length of a name to search for, above that of any existing name. */
const MAX_NAME_LENGTH = 60

function mayAdvise({ advice }: Knowledge): boolean {
  if (advice === undefined) return true
  if (advice.left === 0) advice.refused += 1
  else advice.left -= 1
  return advice.refused === 0
}

/** Replaces the suggestions by a hint that the budget ran out; added once. */
function withHint({ code, message, offending, position, cause }: HlaError): HlaError {
  return new HlaError(code, message, { offending, position, hint: budgetText(), cause })
}

/** Suggests the locus for a name in a list whose preceding name has one. */
function adviseOnLocus(error: HlaError, text: string, knowledge: Knowledge): HlaError {
  const { offending, position: [start] = [0] } = error
  if (offending === undefined || start === 0) return error
  const [, before] =
    /([^^|+~?/]+)[\^|+~?/]$/.exec(text.slice(Math.max(0, start - MAX_NAME_LENGTH), start)) ?? []
  if (before === undefined) return error
  const last = { text: before, start: start - 1 - before.length }
  return addLastLocus(error, { text: offending, start }, last, knowledge.engine())
}

/** Says which leniency would read the malformed name as one that is or was known. */
function adviseOnReading(error: HlaError, text: string, knowledge: Knowledge): HlaError {
  const { position, hint } = error
  if (position === undefined || hint !== undefined) return error
  const [start, end] = position
  const leaves = listLeaves(text)
  // no leniency reads an empty part
  if (leaves.some((one) => one.text.trim() === '')) return error
  const leaf = leaves.find((one) => one.start <= start && end <= one.start + one.text.length)
  if (leaf === undefined || leaf.text.length > MAX_NAME_LENGTH || !mayAdvise(knowledge)) return error
  const history = knowledge.history()
  const isFormer = history && ((name: string) => wasName(history, name))
  const reading = findReading({ engine: knowledge.engine(), isFormer }, leaf)
  if (reading === undefined) return error
  const { code, said, offending, suggestions, cause } = error
  const advised = advice`${option('accept', reading.leniencies.join(','))} reads it as ${reading.name}`
  return new HlaError(code, said, { offending, position, suggestions, cause, hint: advised })
}

export function adviseError(error: HlaError, text: string, knowledge: Knowledge): HlaError {
  if (error.code === 'bad-syntax' || error.code === 'bad-character')
    return adviseOnReading(adviseOnLocus(error, text, knowledge), text, knowledge)
  const name = error.offending ?? text
  if (error.code !== 'unknown-allele' || error.hint !== undefined || name.length > MAX_NAME_LENGTH)
    return error
  if (!mayAdvise(knowledge)) return knowledge.advice?.refused === 1 ? withHint(error) : error
  const { facts: _, ...found } = adviseOnUnknown(name, indexNames(knowledge.release), knowledge.history())
  return addAdvice(error, found)
}
