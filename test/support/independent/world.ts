/** A release, the codes, the switches and the habits. Our own world has none of the peer's habits. */
import { readPublishedCodes } from './files.ts'
import { tablesOf, type Tables } from './tables.ts'

/** Differences of the peer (py-ard 2.3.1), with their names in docs/divergences.md. */
export const HABITS = [
  'group-letter',
  'reduced-names',
  'published-group-names',
  'old-spelling',
  'before-2002',
  'contradicted-names',
  'missing-letters',
  'unlistable-fields',
  'field-of-zeros',
  'codes-need-a-locus',
  'codes-end-a-name',
  'double-g',
  'foreign-characters',
  'possible-genes',
  'malformed',
  'short-name-antigens',
  'null-antigens',
  'no-silence',
  'dangling-tilde',
  'genotype-order',
  'unchanged-lists',
  'equal-but-for-prefix',
  'coded-errors',
  'ignored-members',
  'mac-sets',
  'mac-empty',
  'cwd-one-list',
  'own-names',
  'absent-gene',
  'splits-none',
  'similar-literal',
  'respelled-text',
] as const
export type Habit = (typeof HABITS)[number]

/** Splits a text into leaves; `?` is unknown to the peer. */
export function leavesOf(text: string, { habits }: Pick<World, 'habits'>): string[] {
  return text.split(habits.has('possible-genes') ? /[/|+^~]/ : /[/|+^~?]/)
}

export const PEER: ReadonlySet<Habit> = new Set(HABITS)
export const OURS: ReadonlySet<Habit> = new Set()

/** The peer's switches, as the corpus writes them. */
export interface Switches {
  readonly strict: boolean
  readonly ping: boolean
  readonly ars: boolean
  readonly serology: boolean
  readonly v2: boolean
  readonly xx: boolean
  readonly mac: boolean
  readonly shortNull: boolean
  readonly ignored: readonly string[]
}

export interface World {
  readonly tables: Tables
  readonly codes: ReadonlyMap<string, readonly string[]>
  readonly switches: Switches
  readonly habits: ReadonlySet<Habit>
  readonly memo: Map<string, unknown>
  /** Cache that is shared by all habits. */
  readonly shared: Map<string, unknown>
}

const shared = new Map<string, Map<string, unknown>>()

/** `config`: JSON of the corpus; empty for the defaults. */
export function worldOf(compact: string, config = '', habits: ReadonlySet<Habit> = OURS): World {
  const given = (config === '' ? {} : JSON.parse(config)) as Readonly<Record<string, unknown>>
  const on = (name: string) => given[name] !== false
  return {
    tables: tablesOf(compact),
    codes: codes(),
    habits,
    memo: new Map(),
    shared: sharedOf(`${compact} ${config}`),
    switches: {
      strict: on('strict'),
      ping: on('ping'),
      ars: given['ARS_as_lg'] === true,
      serology: on('reduce_serology'),
      v2: on('reduce_v2'),
      xx: on('reduce_XX'),
      mac: on('reduce_MAC'),
      shortNull: on('reduce_shortnull'),
      ignored: (given['ignore_allele_with_suffixes'] as string[] | undefined) ?? [],
    },
  }
}

function sharedOf(words: string): Map<string, unknown> {
  const known = shared.get(words) ?? new Map<string, unknown>()
  shared.set(words, known)
  return known
}

/** Computes the value once per key. */
export function once<T>({ memo }: Pick<World, 'memo'>, words: string, make: () => T): T {
  const known = memo.get(words)
  if (known !== undefined) return known as T
  const made = make()
  memo.set(words, made)
  return made
}

let all: ReadonlyMap<string, readonly string[]> | undefined

/** Codes in file order. */
export function codes(): ReadonlyMap<string, readonly string[]> {
  return (all ??= new Map(readPublishedCodes().map(([code, expansion]) => [code, expansion.split('/')])))
}

/** Error instead of an answer: our code, or `peer` if only the peer fails. */
export class NoAnswer extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}
