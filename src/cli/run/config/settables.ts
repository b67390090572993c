/** Options allowed in a settings file: those that describe a way of working, not a single run. */
import type { Option } from 'commander'
import { OPERATIONS } from '../../../operations/registry.ts'
import type { Program } from '../../options/declare-command.ts'
import { rowOf } from '../../options/option-of.ts'
import { everyOption } from '../../options/program-facts.ts'

export interface Settable {
  /** Command that has the option: `redux`, `data`. */
  readonly command: string
  readonly option: Option
}

/** Properties of questions whose options belong to a single run, as a row may say of its own option. */
const OF_ONE_QUESTION = new Set(['to', 'expand', 'lookup', 'count', 'drb3', 'drb4', 'drb5'])

export function isOfOneRun(option: Option): boolean {
  return rowOf(option).isOfOneRun === true || OF_ONE_QUESTION.has(settingKey(option))
}

/** Commands that answer. For others, such as `hla data`, only options with an environment variable are settings. */
const ANSWERING = new Set([...OPERATIONS.map(({ name }) => name), 'pipe', 'serve'])

/** Settings of every command. Declaring all commands takes 20 ms; use `settablesIn` for one command. */
export function settables(programs: readonly Program[]): readonly Settable[] {
  return everyOption(programs).filter(isSettable)
}

/** Settings among the options of one command. */
export function settablesIn(command: string, options: readonly Option[]): Settable[] {
  return options.map((option) => ({ command, option })).filter(isSettable)
}

function isSettable({ command, option }: Settable): boolean {
  return !isOfOneRun(option) && (ANSWERING.has(command) || option.envVar !== undefined)
}

/** `--no-ping` is `no-ping`. */
export function settingKey(option: Option): string {
  return (option.long ?? option.flags).replace(/^--/, '')
}

/** All keys: `release`, and `redux.release` for a single command. */
export function settingKeys(all: readonly Settable[]): string[] {
  return [
    ...new Set(all.map(({ option }) => settingKey(option))),
    ...all.map(({ command, option }) => `${command}.${settingKey(option)}`),
  ]
}

/** `redux.method` -> redux, method; a key for all commands has no command. */
export function splitKey(key: string): readonly [command: string | undefined, name: string] {
  const [, command, name = key] = /^([^.]+)\.(.+)$/.exec(key) ?? []
  return [command, name]
}

/** Settings that a key refers to: in all commands, or in the one it names. */
export function findSettables(key: string, all: readonly Settable[]): Settable[] {
  const [command, name] = splitKey(key)
  return all.filter(
    (settable) =>
      settingKey(settable.option) === name && (command === undefined || settable.command === command),
  )
}
