/** Which options may stand in a file: those that are of a way of working, and not of a single run. */
import type { Option } from 'commander'
import { OPERATIONS } from '../../../operations/registry.ts'
import { everyOption } from '../../options/program-facts.ts'

export interface Settable {
  /** The command it is an option of: `redux`, `data`. */
  readonly command: string
  readonly option: Option
}

/** What is read, written or asked this time. */
export const OF_ONE_RUN = new Set([
  'version', 'config', 'no-config', 'profile', 'input', 'output', 'errors', 'rows', 'loci', 'summary', 'plan', 'plan-from',
  'pyard-config', 'from', 'to', 'json', 'jsonl', 'expand', 'lookup', 'count', 'drb3', 'drb4', 'drb5',
]) // prettier-ignore

/** Commands that answer; of others, such as `hla data`, only options with a variable of the environment are settings. */
const ANSWERING = new Set([...OPERATIONS.map(({ name }) => name), 'pipe', 'serve'])

let known: readonly Settable[] | undefined

/** Of every command. All of them are defined for it, which takes 20 ms: whoever can do with one uses `settablesIn`. */
export function settables(): readonly Settable[] {
  return (known ??= everyOption().filter(isSettable))
}

/** Of the options of one command. */
export function settablesIn(command: string, options: readonly Option[]): Settable[] {
  return options.map((option) => ({ command, option })).filter(isSettable)
}

function isSettable({ command, option }: Settable): boolean {
  return !OF_ONE_RUN.has(settingKey(option)) && (ANSWERING.has(command) || option.envVar !== undefined)
}

/** `--no-ping` is `no-ping`. */
export function settingKey(option: Option): string {
  return (option.long ?? option.flags).replace(/^--/, '')
}

/** `release`, and `redux.release` for one command alone. */
export function settingKeys(): string[] {
  const all = settables()
  return [
    ...new Set(all.map(({ option }) => settingKey(option))),
    ...all.map(({ command, option }) => `${command}.${settingKey(option)}`),
  ]
}

/** The options that a key is about: of all commands, or of the one it names. */
export function findSettables(key: string, all: readonly Settable[]): Settable[] {
  const [, command, name = key] = /^([^.]+)\.(.+)$/.exec(key) ?? []
  return all.filter(
    (one) => settingKey(one.option) === name && (command === undefined || one.command === command),
  )
}
