/** Suggests another reading of an unreadable typing, after trying it. */
import { advice, adviceSteps, command, option } from '../../advice.ts'
import { tidyName } from '../../engine/suggest/tidy.ts'
import { HlaError, isHlaError } from '../../errors.ts'
import { starHint } from '../../nomenclature/grammar.ts'
import type { Executor } from '../../operations/executor.ts'
import type { Operation } from '../../operations/operation.ts'
import { listReadings } from './readings.ts'

export interface Attempt {
  readonly operation: Operation
  readonly executor: Executor
  readonly input: Readonly<Record<string, unknown>>
  /** The whole command line. */
  readonly words: readonly string[]
  /** Other typings on the command line, left out of the suggestion. */
  readonly others?: readonly string[]
}

/** Longest text, in characters, for which readings are suggested. */
const MAX_TEXT_LENGTH = 200

/** Returns the same error, with a suggested command line if one of the readings has an answer. */
export async function withReading(error: HlaError, text: string, attempt: Attempt): Promise<HlaError> {
  if (text.length > MAX_TEXT_LENGTH) return error
  const reading = await firstAnswered(listReadings(text, attempt.operation.name === 'mac'), (candidate) =>
    isAnswered(attempt, candidate),
  )
  // without a hint, the suggestions of the error are printed
  if (reading === undefined || (error.hint === undefined && error.suggestions.includes(reading))) return error
  const { operation, words, others = [] } = attempt
  const suggestion = command(operation.name, {
    args: words
      .slice(1)
      .filter((word) => word === text || !others.includes(word))
      .map((word) => (word === text ? reading : word)),
  })
  const leniencies = isAcceptAdvised(error) ? undefined : await leniencyFor(text, attempt)
  const line = advice`did you mean ${suggestion}?${leniencies === undefined ? '' : advice` ${option('accept', leniencies)} reads it that way`}`
  const { code, said, hint, ...details } = error
  // the line has that name in it
  const isInLine = hint === undefined || reading.split(/[+^|~/]/).some((name) => hint === starHint(name))
  return new HlaError(code, said, { ...details, hint: isInLine ? line : advice`${hint}\n${line}` })
}

/** Tries one at a time, to send a service no more requests than necessary. */
async function firstAnswered<T>(
  all: readonly T[],
  isRight: (candidate: T) => Promise<boolean>,
): Promise<T | undefined> {
  for (const candidate of all) if (await isRight(candidate)) return candidate
  return undefined
}

/** True for a text that has an answer, and is valid: an operation may answer a name that no release lists. */
async function isAnswered(
  { operation, executor, input }: Attempt,
  text: string,
  more: object = {},
): Promise<boolean> {
  const { subject = '' } = operation
  try {
    const output = await executor.execute(operation.name, { ...input, ...more, [subject]: text })
    if (operation.isNegative?.(output as never) === true) return false
    // the name may be of another release
    const isOther = [input['from'], input['lift']].some(
      (release) => release !== undefined && release !== false,
    )
    if (subject !== 'gl_string' || isOther || operation.name === 'lift') return true
    const verdict = (await executor.execute('validate', { ...more, gl_string: text })) as {
      readonly valid: boolean
    }
    return verdict.valid
  } catch (error) {
    if (isHlaError(error)) return false
    throw error
  }
}

function isAcceptAdvised({ hint }: HlaError): boolean {
  return adviceSteps(hint).some((step) => 'option' in step && step.option === 'accept')
}

/** Leniencies that make the text readable as it is. */
async function leniencyFor(text: string, attempt: Attempt): Promise<string | undefined> {
  if (!('accept' in attempt.operation.input.properties)) return undefined
  const leniencies = tidyName(text).map((reading) => reading.leniencies)
  const accepted = await firstAnswered(
    leniencies,
    async (accept) => accept.length > 0 && (await isAnswered(attempt, text, { accept })),
  )
  return accepted?.join(',')
}
