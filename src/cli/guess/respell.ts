/** Suggests another reading of an unreadable typing, after trying it. */
import { advice, adviceSteps, command, option } from '../../advice.ts'
import { tidyName } from '../../engine/suggest/tidy.ts'
import { HlaError, isHlaError } from '../../errors.ts'
import { starHint } from '../../nomenclature/grammar.ts'
import type { Executor } from '../../operations/executor.ts'
import type { Operation } from '../../operations/operation.ts'
import { listReadings } from './readings.ts'

export interface Asked {
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
export async function withReading(error: HlaError, text: string, asked: Asked): Promise<HlaError> {
  if (text.length > MAX_TEXT_LENGTH) return error
  const reading = await firstAnswered(listReadings(text, asked.operation.name === 'mac'), (one) =>
    isAnswered(asked, one),
  )
  // without a hint, the suggestions of the error are printed
  if (reading === undefined || (error.hint === undefined && error.suggestions.includes(reading))) return error
  const { operation, words, others = [] } = asked
  const typed = command(operation.name, {
    args: words
      .slice(1)
      .filter((word) => word === text || !others.includes(word))
      .map((word) => (word === text ? reading : word)),
  })
  const leniencies = isAcceptAdvised(error) ? undefined : await leniencyFor(text, asked)
  const line = advice`did you mean ${typed}?${leniencies === undefined ? '' : advice` ${option('accept', leniencies)} reads it that way`}`
  const { code, said, hint, ...details } = error
  // the line has that name in it
  const isSaid = hint === undefined || reading.split(/[+^|~/]/).some((name) => hint === starHint(name))
  return new HlaError(code, said, { ...details, hint: isSaid ? line : advice`${hint}\n${line}` })
}

/** Tries one at a time, to send a service no more requests than necessary. */
async function firstAnswered<T>(
  all: readonly T[],
  isRight: (one: T) => Promise<boolean>,
): Promise<T | undefined> {
  for (const one of all) if (await isRight(one)) return one
  return undefined
}

/** True for a text that has an answer, and is valid: an operation may answer a name that no release lists. */
async function isAnswered(
  { operation, executor, input }: Asked,
  text: string,
  more: object = {},
): Promise<boolean> {
  const { subject = '' } = operation
  try {
    const output = await executor.execute(operation.name, { ...input, ...more, [subject]: text })
    if (operation.isNegative?.(output as never) === true) return false
    // the name may be of another release
    const isOther = [input['from'], input['lift']].some((one) => one !== undefined && one !== false)
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
async function leniencyFor(text: string, asked: Asked): Promise<string | undefined> {
  if (!('accept' in asked.operation.input.properties)) return undefined
  const leniencies = tidyName(text).map((one) => one.leniencies)
  const found = await firstAnswered(
    leniencies,
    async (accept) => accept.length > 0 && (await isAnswered(asked, text, { accept })),
  )
  return found?.join(',')
}
