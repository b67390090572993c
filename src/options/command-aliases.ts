/** Aliases of commands. Pure. */
import { command, type Advice, advice } from '../advice.ts'
import { HlaError } from '../errors.ts'

/** Alias -> its command words. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  reduce: ['redux'],
  expand: ['mac'],
  lookup: ['mac'],
  check: ['validate'],
  convert: ['redux', '-i'],
  install: ['data', 'install'],
}

/** Words for a newer release, or a newer program. */
const NEWER: readonly string[] = ['update', 'self-update', 'upgrade']

export function isAlias(word: string | undefined): word is string {
  return word !== undefined && Object.hasOwn(ALIASES, word)
}

/**
 * Replaces an alias. `words` are the command line, the command first.
 * @throws {HlaError} usage — `convert` without its file
 */
export function withoutAlias(words: readonly string[]): string[] {
  const [asked, ...rest] = words
  if (!isAlias(asked)) return [...words]
  const meant = ALIASES[asked] ?? []
  if (asked !== 'convert') return [...meant, ...rest]
  const [file] = rest
  if (file === '-h' || file === '--help') return ['redux', ...rest]
  if (file === undefined || (file.startsWith('-') && file !== '-'))
    throw new HlaError('usage', 'convert takes the file first: hla convert FILE [options]', {
      hint: advice`it is ${command('redux', { form: '-i FILE' })}`,
    })
  return [...meant, ...rest]
}

/** Aliases of a command, for its help: `reduce`, `convert FILE`. */
export function aliasesOf(...words: readonly string[]): string[] {
  const found = Object.entries(ALIASES).filter(
    ([name, meant]) => words.join(' ') === (name === 'convert' ? meant[0] : meant.join(' ')),
  )
  return found.map(([name]) =>
    name === 'convert' ? `${name} FILE (${ALIASES[name]?.join(' ')} FILE)` : name,
  )
}

/** Advice for a word that is neither a command nor an alias. */
export function adviceOn(word: string): Advice | undefined {
  if (!NEWER.includes(word)) return undefined
  return advice`${command('data install', { args: ['latest'] })} installs the newest release; npm updates the program`
}
