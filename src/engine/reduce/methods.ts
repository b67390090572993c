/** The list of reduction methods. */
import { HlaError } from '../../errors.ts'
import type { Engine } from '../engine.ts'
import { reduceToLg, reduceToLgx, reduceToU2 } from './ard.ts'
import { reduceToExon, reduceToFirstField, reduceToW } from './fields.ts'
import { reduceToG, reduceToP } from './groups.ts'
import { reduceToHats, reduceToS } from './serology.ts'

/** In display order. The last two extend the service's contract; only some releases have hats. */
export const METHOD_NAMES = ['G', 'P', 'lg', 'lgx', 'W', 'exon', 'U2', 'S', '1F', 'hats'] as const
export type Method = (typeof METHOD_NAMES)[number]

/** Methods of every service that follows the contract. */
export const CONTRACT_METHODS: readonly Method[] = ['G', 'P', 'lg', 'lgx', 'W', 'exon', 'U2', 'S']

/** Stands for every method that the release supports. */
export const ALL_METHODS = 'all'
export const METHODS_OR_ALL = [...METHOD_NAMES, ALL_METHODS] as const

export function releaseMethods(hasHats: boolean): readonly Method[] {
  return METHOD_NAMES.filter((method) => method !== 'hats' || hasHats)
}

export const DEFAULT_METHOD: Method = 'lgx'

export interface MethodDefinition {
  /** The method in two or three words, for people who do not know its code. */
  readonly words: string
  readonly summary: string
  /** Name of the release, without `HLA-` -> its reduction, in nomenclature order; empty when it has no antigen. */
  readonly reduce: (name: string, engine: Engine) => readonly string[]
}

export const METHODS: Readonly<Record<Method, MethodDefinition>> = {
  G: {
    words: 'G group',
    summary: 'G group: identical nucleotides in the exons of the antigen recognition domain',
    reduce: reduceToG,
  },
  P: {
    words: 'P group',
    summary: 'P group: identical protein in the antigen recognition domain',
    reduce: reduceToP,
  },
  lg: {
    words: 'two fields, ARD, with g',
    summary: 'two fields of the G group, with a trailing g',
    reduce: (name, engine) => [reduceToLg(name, engine)],
  },
  lgx: {
    words: 'two fields, ARD',
    summary: 'two fields of the G group',
    reduce: (name, engine) => [reduceToLgx(name, engine)],
  },
  W: { words: 'all full names', summary: 'every full WHO name that the typing covers', reduce: reduceToW },
  exon: { words: 'three fields', summary: 'three fields: the coding sequence', reduce: reduceToExon },
  U2: {
    words: 'two fields',
    summary: 'two fields; the lgx result if that name does not exist or the allele is in a P group only',
    reduce: (name, engine) => [reduceToU2(name, engine)],
  },
  S: { words: 'serology', summary: 'serological antigen', reduce: reduceToS },
  '1F': { words: 'first field', summary: 'first field', reduce: reduceToFirstField },
  hats: { words: 'HATS antigen', summary: 'HATS antigen (releases from 3.64.0)', reduce: reduceToHats },
}

/** Names for methods in common use; `2field`, `2-field` and `2 fields` are equivalent. */
export const METHOD_WORDS: Readonly<Record<Method, readonly string[]>> = {
  G: ['G-group'],
  P: ['P-group'],
  lg: [],
  lgx: ['ard'],
  W: ['WHO'],
  exon: ['3-field'],
  U2: ['2-field'],
  S: ['serology', 'antigen'],
  '1F': ['1-field', 'first-field'],
  hats: [],
}

/** Every accepted spelling in lower case; no two methods share one. */
const BY_SPELLING: ReadonlyMap<string, Method> = new Map(
  METHOD_NAMES.flatMap((name) =>
    [name, ...METHOD_WORDS[name]].map((word) => [plainWord(word), name] as const),
  ),
)

/** Lower case, without hyphens and the plural s. */
function plainWord(text: string): string {
  const word = text.toLowerCase().replace(/(?<=.)[-_ ](?=.)/g, '')
  return word.length > 4 ? word.replace(/s$/, '') : word
}

/** Method of that name or alias, in any case. */
export function findMethod(text: string): Method | undefined {
  return BY_SPELLING.get(plainWord(text))
}

/**
 * A method as typed: its name or alias, in any case.
 * @throws {HlaError} unknown-method
 */
export function parseMethod(text: string): Method {
  const method = findMethod(text)
  if (method !== undefined) return method
  if (text.toLowerCase() === ALL_METHODS) {
    const message = `give one method, not ${text}; methods are ${METHOD_NAMES.join(' ')}`
    throw new HlaError('unknown-method', message, { offending: text })
  }
  const near = METHOD_NAMES.filter((name) => name.toLowerCase().startsWith(text.toLowerCase()) && text !== '')
  const known = `Methods: ${METHODS_OR_ALL.join(' ')}.${near.length > 0 ? ` Did you mean ${near.join(', ')}?` : ''}`
  throw new HlaError('unknown-method', `unknown method ${JSON.stringify(text)}. ${known}`, {
    offending: text,
    suggestions: near,
  })
}
