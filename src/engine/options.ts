/** Engine options: switches for reading and reducing, their defaults and their check. */
import { HlaError } from '../errors.ts'
import { formatCount } from '../format-count.ts'

/** Kinds of designation that can be kept as typed or switched off. */
export const DESIGNATION_KINDS = [
  'serology', 'v2', '1field', '2field', '3field', '4field', 'G', 'P', 'g', 'xx', 'mac', 'null',
] as const // prettier-ignore
export type DesignationKind = (typeof DESIGNATION_KINDS)[number]

/**
 * Maximum number of names in an answer and leaves in an input; see `limit`. No typing of one person reaches it, not
 * even all genes by method W; lists of whole genotypes do.
 */
export const DEFAULT_LIMIT = 25_000

/** The default limit of a service, where a long answer delays others; its operator may change it. */
export const SERVICE_LIMIT = 5000

/**
 * Antigens that method S answers: `usual` are those of the tables before April 2026
 * (docs/adr/answers.md#levels-of-antigens).
 */
export const ANTIGEN_LEVELS = ['usual', 'associated', 'split', 'broad'] as const
export type AntigenLevel = (typeof ANTIGEN_LEVELS)[number]

export interface EngineOptions {
  /** false: names are not validated, a missing expression letter is added, `G`, `P` and `g` may follow any name. */
  readonly strict: boolean
  /** Alleles outside every G group are rescued through their P group (lgx, lg, U2). */
  readonly ping: boolean
  /** lg writes `ARS` instead of `g`. */
  readonly ars: boolean
  /** Third and fourth fields must exist too. */
  readonly exact: boolean
  /** lg is lgx with a letter, even where py-ard's two differ. */
  readonly consistentLg: boolean
  /** W of a G or P group is its members, not all alleles below their two-field names. */
  readonly members: boolean
  /** S of a two-field name is its own alleles' antigens, not every antigen of its lgx name. */
  readonly ownAntigens: boolean
  readonly antigens: AntigenLevel
  /** Kinds of designation returned as typed. */
  readonly keep: readonly DesignationKind[]
  /** Kinds of designation that are not read (py-ard's reduce_… switches, off). */
  readonly off: readonly DesignationKind[]
  /** Right-hand sides such as `NNNN`: such a name is valid for any locus and comes back as typed. */
  readonly ignoredSuffixes: readonly string[]
  /** Maximum number of names in inputs and answers; 0 means no limit. */
  readonly limit: number
}

export const DEFAULT_OPTIONS: EngineOptions = {
  strict: true,
  ping: true,
  ars: false,
  exact: false,
  consistentLg: false,
  members: false,
  ownAntigens: false,
  antigens: 'usual',
  keep: [],
  off: [],
  ignoredSuffixes: [],
  limit: DEFAULT_LIMIT,
}

/**
 * Validates options from outside: unknown keys and wrong types are refused, missing ones get their default.
 * @throws {HlaError} bad-request
 */
export function readOptions(given: unknown): EngineOptions {
  if (given === undefined) return DEFAULT_OPTIONS
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new HlaError('bad-request', 'options must be an object')
  for (const [key, value] of Object.entries(given)) checkOption(key, value)
  return { ...DEFAULT_OPTIONS, ...given }
}

function checkOption(key: string, value: unknown): void {
  const example: unknown = Object.entries(DEFAULT_OPTIONS).find(([name]) => name === key)?.[1]
  if (example === undefined) {
    const known = Object.keys(DEFAULT_OPTIONS).join(', ')
    throw new HlaError('bad-request', `unknown option ${JSON.stringify(key)}; options are ${known}`, {
      offending: key,
    })
  }
  const right = Array.isArray(example) ? isTextList(value) : typeof value === typeof example
  if (!right)
    throw new HlaError(
      'bad-request',
      `option ${key} must be ${Array.isArray(example) ? 'a list of strings' : `a ${typeof example}`}`,
      { offending: key },
    )
  if (Array.isArray(value)) checkBounds(key, value as readonly string[]) // a text list, just checked
  if (key === 'limit' && !isLimit(value))
    throw new HlaError('bad-request', 'option limit must be a whole number; 0 means no limit', {
      offending: key,
    })
  if (key === 'antigens' && !(ANTIGEN_LEVELS as readonly unknown[]).includes(value))
    throw new HlaError('bad-request', `option antigens must be one of ${ANTIGEN_LEVELS.join(' ')}`, {
      offending: key,
    })
  if (key === 'keep' || key === 'off') checkKinds(key, value as readonly string[]) // a text list, just checked
}

/** Maximum number of texts in one option, and of characters in one: each name is compared with all. */
const MAX_TEXTS = 100
const MAX_TEXT_LENGTH = 100

function checkBounds(key: string, texts: readonly string[]): void {
  const long = texts.find((text) => text.length > MAX_TEXT_LENGTH)
  if (texts.length <= MAX_TEXTS && long === undefined) return
  const message =
    long === undefined
      ? `option ${key} has ${formatCount(texts.length)} texts; ${MAX_TEXTS} are the most`
      : `option ${key} has a text of ${formatCount(long.length)} characters; ${MAX_TEXT_LENGTH} are the most`
  throw new HlaError('bad-request', message, { offending: key })
}

function isLimit(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function checkKinds(key: string, kinds: readonly string[]): void {
  for (const kind of kinds) {
    if ((DESIGNATION_KINDS as readonly string[]).includes(kind)) continue
    throw new HlaError(
      'bad-request',
      `unknown kind ${JSON.stringify(kind)} in ${key}; kinds are ${DESIGNATION_KINDS.join(' ')}`,
      { offending: kind },
    )
  }
}
