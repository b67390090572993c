/** Finds completions for the end of a command line from the command's definition. Pure. */
import type { ArgumentFacts, CommandFacts, OptionFacts } from '../command-facts.ts'

export interface Candidate {
  readonly value: string
  readonly description: string
}

/** Candidates, or a type of value whose candidates depend on the machine. */
export type Completion =
  | {
      readonly kind: 'candidates'
      readonly candidates: readonly Candidate[]
      readonly lead: Lead
      /** The value may continue without a space. */
      readonly goesOn?: boolean
    }
  | {
      readonly kind: 'values'
      /** Name of the value in the definition: `rel`, `columns`. */
      readonly of: string
      readonly isList: boolean
      readonly lead: Lead
      readonly operands: readonly string[]
    }

/** Part of the last word before the value, such as `--format=`, and the typed part of the value. */
export interface Lead {
  readonly before: string
  readonly typed: string
}

/** `before` are the words after the command; `current` is the word being typed, possibly empty. */
export function complete(asked: CommandFacts, before: readonly string[], current: string): Completion {
  const { command, operands, awaiting, isEnded } = readWords(asked, before)
  if (isEnded) return completeArgument(command, operands, { before: '', typed: current })
  if (awaiting !== undefined) return completeValue(awaiting, { before: '', typed: current }, operands)
  const [, long, typed = ''] = /^(--.*?)=(.*)/s.exec(current) ?? []
  const option = command.options.find((one) => one.long === long)
  if (option?.value !== undefined)
    return completeValue(option, { before: `${option.long}=`, typed }, operands)
  const lead = { before: '', typed: current }
  if (current.startsWith('-'))
    return { kind: 'candidates', candidates: completeOptions(command, before), lead }
  return completeArgument(command, operands, lead)
}

interface Read {
  /** The subcommand, if one is named. */
  readonly command: CommandFacts
  readonly operands: readonly string[]
  /** Option whose value comes next. */
  readonly awaiting: OptionFacts | undefined
  /** True after `--`: no more options. */
  readonly isEnded: boolean
}

function readWords(asked: CommandFacts, words: readonly string[]): Read {
  let command = asked
  let operands: string[] = []
  let awaiting: OptionFacts | undefined
  let isEnded = false
  for (const word of words) {
    if (awaiting !== undefined) awaiting = undefined
    else if (word === '--') isEnded = true
    else if (!isEnded && word.startsWith('-') && word !== '-') awaiting = awaitedBy(word, command.options)
    else {
      const below = command.commands.find((one) => one.words.at(-1) === word)
      command = below ?? command
      operands = below === undefined ? [...operands, word] : []
    }
  }
  return { command, operands, awaiting, isEnded }
}

/**
 * Option whose value is the next word, as after `-r`, `--release` or `-qr`. `-r3.58.0` and `--release=3.58.0` contain
 * their values.
 */
function awaitedBy(word: string, options: readonly OptionFacts[]): OptionFacts | undefined {
  const taking = options.filter(({ value, isValueOptional }) => value !== undefined && !isValueOptional)
  if (word.startsWith('--')) return taking.find(({ long }) => long === word)
  const letters = word.split('')
  const at = letters.findIndex((letter) => taking.some(({ short }) => short === `-${letter}`))
  return at === letters.length - 1 ? taking.find(({ short }) => short === `-${letters[at]}`) : undefined
}

function completeValue(option: OptionFacts, lead: Lead, operands: readonly string[]): Completion {
  const { choices, value = '', isList } = option
  if (choices === undefined) return { kind: 'values', of: value, isList, lead, operands }
  const candidates = choices.map((choice) => ({ value: choice, description: '' }))
  return { kind: 'candidates', goesOn: isList, ...(isList ? inList(candidates, lead) : { candidates, lead }) }
}

/** Completes the last member of a comma-separated list, without offering one twice. */
export function inList(
  candidates: readonly Candidate[],
  { before, typed }: Lead,
): { candidates: Candidate[]; lead: Lead } {
  const start = typed.lastIndexOf(',') + 1
  const items = typed.slice(0, start)
  const taken = new Set(items.split(','))
  return {
    candidates: candidates.filter(({ value }) => !taken.has(value)),
    lead: { before: before + items, typed: typed.slice(start) },
  }
}

/** Long names of options, without non-repeatable ones already given. */
function completeOptions({ options }: CommandFacts, before: readonly string[]): Candidate[] {
  const given = (option: OptionFacts) =>
    before.some((word) => word === option.long || word === option.short || word.startsWith(`${option.long}=`))
  return [
    ...options
      .filter((option) => option.isRepeatable || !given(option))
      .map(({ long, description }) => ({ value: long, description })),
    { value: '--help', description: 'all options, with examples' },
  ]
}

function completeArgument(command: CommandFacts, operands: readonly string[], lead: Lead): Completion {
  if (command.commands.length > 0 && operands.length === 0)
    return { kind: 'candidates', candidates: commandCandidates(command.commands), lead }
  const argument = argumentAt(command.arguments, operands.length)
  if (argument?.choices !== undefined) {
    const candidates = argument.choices.map((value) => ({ value, description: '' }))
    return { kind: 'candidates', candidates, lead }
  }
  return { kind: 'values', of: argument?.name ?? '', isList: false, lead, operands }
}

export function commandCandidates(commands: readonly CommandFacts[]): Candidate[] {
  return commands.map(({ words, summary }) => ({ value: words.at(-1) ?? '', description: summary }))
}

function argumentAt(given: readonly ArgumentFacts[], position: number): ArgumentFacts | undefined {
  const last = given.at(-1)
  return given[position] ?? (last?.isVariadic === true ? last : undefined)
}
