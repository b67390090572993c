/** The plainest command line: `redux [-q] [-m METHOD] [-r RELEASE] TYPING …`, with the two variables that say what `-m` and `-r` say. Pure. */
import { METHOD_NAMES, type Method } from '../../engine/reduce/methods.ts'

export interface PlainWords {
  readonly method: Method | undefined
  readonly release: string | undefined
  readonly isQuiet: boolean
  readonly typings: readonly string[]
}

/** Variables of the environment that are read here; words go before them. */
export const PLAIN_VARIABLES = { '-m': 'HLA_METHOD', '-r': 'HLA_RELEASE' } as const

/** undefined: it is for commander to read. `words` are the command line, the command first. */
export function readPlainWords(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): PlainWords | undefined {
  const [command, ...rest] = words
  const values = new Map<string, string>()
  const typings: string[] = []
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? ''
    if (word === '-q') values.set(word, word)
    else if (word === '-m' || word === '-r') {
      const value = rest[(at += 1)] ?? ''
      if (values.has(word) || !isPlainValue(value)) return undefined
      values.set(word, value)
    } else if (word === '' || word.startsWith('-')) return undefined
    else typings.push(word)
  }
  for (const [word, variable] of Object.entries(PLAIN_VARIABLES)) {
    const value = env[variable]
    if (value === undefined || values.has(word)) continue
    if (!isPlainValue(value)) return undefined
    values.set(word, value)
  }
  const named = values.get('-m')
  const method = METHOD_NAMES.find((name) => name === named)
  if (command !== 'redux' || typings.length === 0 || (named !== undefined && method === undefined))
    return undefined
  return { method, release: values.get('-r'), isQuiet: values.has('-q'), typings }
}

function isPlainValue(value: string): boolean {
  return value !== '' && !value.startsWith('-')
}
