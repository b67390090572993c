/** A value as it stands in a file -> as the option has it. */
import { InvalidArgumentError, type Option } from 'commander'
import { ALL_METHODS, parseMethod } from '../../../engine/reduce/methods.ts'
import { HlaError } from '../../../errors.ts'
import { collect } from '../../options/options.ts'
import { settingKey } from './settables.ts'

/** undefined: as if nothing had been said. @throws {HlaError} usage — not what the option takes */
export function settingValue(option: Option, value: unknown): unknown {
  if (!option.required && !option.optional) return flagValue(option, value)
  if (option.optional && typeof value === 'boolean') return value ? true : undefined
  const texts = Array.isArray(value) ? value : [value]
  if (!texts.every((one) => typeof one === 'string' || typeof one === 'number')) throw wrong(option, SHAPE)
  const words = texts.map(String)
  try {
    if (option.attributeName() === 'method') for (const word of words) checkMethod(word)
    if (option.parseArg === collect) return words
    const text = words.join(',')
    return option.parseArg === undefined ? text : option.parseArg(text, undefined)
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw wrong(option, error.message.replace(/\.$/, ''))
    throw error
  }
}

/** The command line leaves it to whoever asks: a file should be found wrong before. @throws {HlaError} unknown-method */
function checkMethod(name: string): void {
  if (name.toLowerCase() !== ALL_METHODS) parseMethod(name)
}

/** The same as options of a command line; `value` is one that `settingValue` takes and that says something. */
export function settingArguments(option: Option, value: unknown): string[] {
  const flag = `--${settingKey(option)}`
  if (typeof value === 'boolean') return [flag]
  const texts = (Array.isArray(value) ? value : [value]).map(String)
  return (option.parseArg === collect ? texts : [texts.join(',')]).map((text) => `${flag}=${text}`)
}

const SHAPE = 'It must be a text, a number, or a list of them'

/** A switch that is off says nothing; `no-ping` on is `ping` off. */
function flagValue(option: Option, value: unknown): unknown {
  if (typeof value !== 'boolean') throw wrong(option, 'It must be true or false')
  return value ? !option.negate : undefined
}

function wrong(option: Option, right: string): HlaError {
  return new HlaError('usage', `the setting "${settingKey(option)}" is wrong. ${right}`, {
    offending: settingKey(option),
  })
}
