/** Names that people type for commands, and what they stand for. Pure. */
import { command, type Advice, advice } from '../advice.ts'
import { HlaError } from '../errors.ts'

/** Alias -> the words that it stands for. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  reduce: ['redux'],
  expand: ['mac'],
  lookup: ['mac'],
  check: ['validate'],
  convert: ['redux', '-i'],
  install: ['data', 'install'],
}

/** Words that are no commands -> what is meant. */
const ADVISED: Readonly<Record<string, Advice>> = {
  update: advice`${command('data install', { args: ['latest'] })} installs the newest release; npm updates the program`,
  upgrade: advice`${command('data install', { args: ['latest'] })} installs the newest release; npm updates the program`,
}

export function isAlias(word: string | undefined): boolean {
  return word !== undefined && Object.hasOwn(ALIASES, word)
}

/** `words` are the command line, the command first. @throws {HlaError} usage — `convert` without its file */
export function withoutAlias(words: readonly string[]): string[] {
  const [asked = '', ...rest] = words
  if (!isAlias(asked)) return [...words]
  const meant = ALIASES[asked] ?? []
  const [file = '-'] = rest
  const isHelp = file === '-h' || file === '--help'
  if (asked !== 'convert') return [...meant, ...rest]
  if (isHelp) return ['redux', ...rest]
  if (rest.length === 0 || (file.startsWith('-') && file !== '-'))
    throw new HlaError('usage', 'convert takes the file first: hla convert FILE [options]', {
      hint: advice`it is ${command('redux', { form: '-i FILE' })}`,
    })
  return [...meant, ...rest]
}

/** Other names of a command, for its help: `reduce`, `convert FILE`. */
export function aliasesOf(...words: readonly string[]): string[] {
  const found = Object.entries(ALIASES).filter(
    ([name, meant]) => words.join(' ') === (name === 'convert' ? meant[0] : meant.join(' ')),
  )
  return found.map(([name]) =>
    name === 'convert' ? `${name} FILE (${ALIASES[name]?.join(' ')} FILE)` : name,
  )
}

/** What a word means that is no command, and has no other name. */
export function adviceOn(word: string): Advice | undefined {
  return Object.hasOwn(ADVISED, word) ? ADVISED[word] : undefined
}
