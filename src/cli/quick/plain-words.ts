/**
 * Parser of plain command lines: `OPERATION [-q] [-m METHOD] [-r RELEASE] [-f FORMAT] TYPING …`, with the variables
 * for `-m` and `-r`. Pure.
 */
import { METHOD_NAMES, type Method } from '../../engine/reduce/methods.ts'
import type { Operation } from '../../operations/operation.ts'
import { OPERATIONS } from '../../operations/registry.ts'
import { withoutAlias } from '../../options/command-aliases.ts'

export interface PlainWords {
  readonly operation: Operation
  readonly method: Method | undefined
  readonly release: string | undefined
  readonly format: PlainFormat
  readonly isQuiet: boolean
  readonly typings: readonly string[]
}

export type PlainFormat = (typeof FORMATS)[number]

/** Formats that need no package. */
const FORMATS = ['plain', 'json', 'jsonl'] as const

/** Environment variables read here; words have precedence. */
export const PLAIN_VARIABLES = { '-m': 'HLA_METHOD', '-r': 'HLA_RELEASE' } as const

/**
 * Returns undefined when commander has to parse the line. `words` are the command line, the command first.
 * @throws as `withoutAlias`
 */
export function readPlainWords(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): PlainWords | undefined {
  const [command, ...rest] = withoutAlias(words)
  const operation = OPERATIONS.find(({ name }) => name === command)
  if (operation?.subject === undefined || operation.leading !== undefined) return undefined
  const hasMethod = 'reduction_method' in operation.input.properties
  const values = new Map<string, string>()
  const typings: string[] = []
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? ''
    if (word === '-q') values.set(word, word)
    else if (word === '-r' || word === '-f' || (word === '-m' && hasMethod)) {
      const value = rest[(at += 1)] ?? ''
      if (values.has(word) || !isPlainValue(value)) return undefined
      values.set(word, value)
    } else if (word === '' || word.startsWith('-')) return undefined
    else typings.push(word)
  }
  for (const [word, variable] of Object.entries(PLAIN_VARIABLES)) {
    const value = env[variable]
    if (value === undefined || values.has(word) || (word === '-m' && !hasMethod)) continue
    if (!isPlainValue(value)) return undefined
    values.set(word, value)
  }
  const [named, asked = 'plain'] = [values.get('-m'), values.get('-f')]
  const method = METHOD_NAMES.find((name) => name === named)
  const format = FORMATS.find((name) => name === asked)
  if (typings.length === 0 || format === undefined || (named !== undefined && method === undefined))
    return undefined
  return { operation, method, format, release: values.get('-r'), isQuiet: values.has('-q'), typings }
}

function isPlainValue(value: string): boolean {
  return value !== '' && !value.startsWith('-')
}
