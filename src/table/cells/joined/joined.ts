/** Cells with more than one typing: their kinds and separators, and their typings, read separately and joined. */
import { splitPhenotype } from '../../words/phenotype.ts'
import type { CellReading } from '../cell-reading.ts'
import { advice, joinAdvice, option } from '../../../advice.ts'
import { HlaError, isHlaError } from '../../../errors.ts'
import { recognizeShape, findOddSeparator } from '../../words/typing-shape.ts'
import type { DigitReading } from '../digits.ts'

/**
 * `split`: two typings of the locus. `phenotype`: typings of several loci, each after its locus. `asked`: two typings
 * or possible alleles of one, which the user must decide; with `/` and `open`, only for names of different first
 * fields.
 */
export type Joined =
  | { readonly kind: 'split'; readonly separator: string; readonly slash: 'open' | 'list' }
  | { readonly kind: 'phenotype'; readonly digits: ReadonlyMap<string, DigitReading> }
  | { readonly kind: 'asked'; readonly slash: 'asked' | 'open' | 'list' }

/** Equal keys mean that cells are read alike. */
export function joinedKey(joined: Joined | undefined): string {
  if (joined === undefined) return ''
  return JSON.stringify(joined.kind === 'phenotype' ? [...joined.digits] : joined)
}

/** Possible separators of two typings, likelier first; they have no other meaning. */
export const SEPARATORS = [',', ';', ' '] as const

const NAMES: ReadonlyMap<string, string> = new Map([
  ['comma', ','],
  ['semicolon', ';'],
  ['space', ' '],
  ['slash', '/'],
  ['pipe', '|'],
])

/** `auto`, `none`, or one character. @throws {HlaError} usage */
export function parseCellSeparator(text: string): string {
  const one = NAMES.get(text) ?? text
  if (one === 'auto' || one === 'none' || /^[ ,;/|_\\&%#!=-]$/.test(one)) return one
  throw new HlaError(
    'usage',
    advice`${option('cell-separator')} is auto, none or one character, not ${JSON.stringify(text)}`,
    {
      hint: 'such as , ; / pipe or space',
    },
  )
}

/** Parts of a cell, trimmed. */
export function splitCell(text: string, separator: string): string[] {
  if (separator === ' ') return text.trim().split(/\s+/u)
  if (separator === '-' || separator === '_')
    return text.split(AROUND_PREFIX[separator]).map((part) => part.trim())
  return text.split(separator).map((part) => part.trim())
}

/** Excludes the hyphen or underscore of `HLA-A`. */
const AROUND_PREFIX = { '-': /(?<!HLA)-/i, _: /(?<!HLA)_/i } as const

export function isTypingLike(part: string): boolean {
  return !['other', 'pair', 'phenotype'].includes(recognizeShape(part))
}

/** True for names that cannot be possible alleles of one typing: of different first fields, or equal. */
export function areApart([first = '', second = '']: readonly string[]): boolean {
  if (first === second) return true
  const [one, other] = [findFamily(first), findFamily(second)]
  return one !== undefined && other !== undefined && one !== other
}

/** True for a list whose later members are fields alone, `02:01/02`: none of them is a typing alone. */
export function isShortened([first = '', ...others]: readonly string[]): boolean {
  return first.includes(':') && others.some((part) => /^\d+[A-Z]?$/.test(part))
}

/** Number of the first field or antigen: 24 for `A*24:02`, `2402`, `A24` and `24`. */
function findFamily(part: string): number | undefined {
  const [, digits, next] = /^(?:HLA-)?(?:[A-Za-z][A-Za-z0-9]*\*|[A-Za-z]+|\*)?(\d+)(:?)/.exec(part) ?? []
  if (digits === undefined) return undefined
  return Number(next === ':' || digits.length < 4 ? digits : digits.slice(0, 2))
}

/** Reads one typing, at the locus of the column or at the locus that `at` names. */
type ReadPart = (text: string, at?: { readonly locus: string; readonly digits: DigitReading }) => CellReading

/**
 * undefined when the cell is one typing, or a GL String.
 * @throws {HlaError} ambiguous-separator, bad-syntax, and errors of `read`
 */
export function readJoined(text: string, joined: Joined, read: ReadPart): CellReading | undefined {
  switch (joined.kind) {
    case 'asked':
      refuseSeparators(text, read)
      refuseOddSeparator(text, read)
      refusePipe(text, read)
      refuseSlash(text, joined.slash, read)
      return undefined
    case 'split': {
      const parts = splitCell(text, joined.separator)
      if (parts.length > 1)
        return join(
          text,
          parts.map((part) => readOne(part, text, read)),
        )
      refuseSlash(text, joined.slash, read, joined.separator)
      refusePipe(text, read, joined.separator)
      refuseOddSeparator(text, read)
      return undefined
    }
    case 'phenotype':
      return /[,;\s]/.test(text.trim()) ? readPhenotype(text, joined.digits, read) : undefined
  }
}

function refuseSeparators(text: string, read: ReadPart): void {
  for (const separator of SEPARATORS) {
    const parts = splitCell(text, separator).filter((part) => part !== '')
    if (parts.length > 1 && parts.every(isTypingLike)) throw ambiguous(text, separator, read)
  }
}

function refuseOddSeparator(text: string, read: ReadPart): void {
  const separator = findOddSeparator(text)
  if (separator !== undefined) throw ambiguous(text, separator, read)
}

/** Refuses `|` between single typings; in GL Strings it separates genotypes, which contain `+`. */
function refusePipe(text: string, read: ReadPart, separator = 'none'): void {
  const parts = text.split('|')
  if (parts.length === 2 && parts.every(isTypingLike) && areApart(parts) && !/[+^~]/.test(text))
    throw ambiguous(text, '|', read, separator)
}

/** `separator`: joins two typings in other cells. */
function refuseSlash(
  text: string,
  slash: 'asked' | 'open' | 'list',
  read: ReadPart,
  separator = 'none',
): void {
  const parts = text.split('/')
  if (slash === 'list' || parts.length !== 2 || /[+^|~]/.test(text) || isShortened(parts)) return
  if (parts.every(isTypingLike) && (slash === 'asked' || areApart(parts)))
    throw ambiguous(text, '/', read, separator)
}

/** Names the separators with which the cell can be read. */
function ambiguous(text: string, separator: string, read: ReadPart, other = 'none'): HlaError {
  const shown = (one: string) => option('cell-separator', one === ' ' ? 'space' : one === '|' ? 'pipe' : one)
  const asTwo = () =>
    join(
      text,
      splitCell(text, separator).map((part) => readOne(part, text, read)),
    )
  const isList = separator === '/' || separator === '|'
  const choices = [
    ...(isRead(asTwo) ? [advice`use ${shown(separator)} if they are two typings`] : []),
    ...(isList && isRead(() => read(text))
      ? [advice`${shown(other)} if it is a list of possible alleles`]
      : []),
    ...(isList ? [] : ['possible alleles of one typing are joined with "/"']),
  ]
  return new HlaError('ambiguous-separator', `${text}: two typings, or possible alleles of one`, {
    offending: text,
    hint: choices.length === 0 ? undefined : joinAdvice(choices, '; '),
  })
}

function isRead(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch (error) {
    if (isHlaError(error)) return false
    throw error
  }
}

type Typing = Extract<CellReading, { kind: 'typing' }>

function readOne(part: string, text: string, read: ReadPart): CellReading {
  if (part === '') return { kind: 'token', status: 'untyped' }
  const reading = read(part)
  if (reading.kind === 'typing' && /[+^|]/.test(reading.glString))
    throw wrong(text, 'a genotype beside another typing')
  return reading
}

/** Untyped parts are left out. An absent, unknown or new part makes the whole cell so, as in a genotype. */
function join(text: string, readings: readonly CellReading[]): CellReading {
  const typings = readings.filter((one): one is Typing => one.kind === 'typing')
  const token = readings.find((one) => one.kind === 'token' && one.status !== 'untyped')
  if (token !== undefined) return token
  if (typings.length > 2) throw wrong(text, 'more than two typings of a locus')
  if (typings.length === 0) return { kind: 'token', status: 'untyped' }
  return {
    kind: 'typing',
    glString: typings.map(({ glString }) => glString).join('+'),
    release: typings[0]?.release,
    notes: typings.flatMap(({ notes }) => notes),
  }
}

function readPhenotype(text: string, digits: ReadonlyMap<string, DigitReading>, read: ReadPart): CellReading {
  const parts = splitPhenotype(text)
  if (parts === undefined) throw wrong(text, 'a part is not a typing, or has no locus before it')
  const loci = [...new Set(parts.map(({ locus }) => locus))]
  const genotypes = loci.map((locus) => {
    const ofLocus = parts.filter((part) => part.locus === locus)
    const at = { locus, digits: digits.get(locus) ?? 'error' }
    return join(
      text,
      ofLocus.map((part) => readOne(part.text, text, (one) => read(one, at))),
    )
  })
  const token = genotypes.find((one) => one.kind === 'token' && one.status !== 'untyped')
  if (token !== undefined) return token
  const typings = genotypes.filter((one): one is Typing => one.kind === 'typing')
  if (typings.length === 0) return { kind: 'token', status: 'untyped' }
  return {
    kind: 'typing',
    glString: typings.map(({ glString }) => glString).join('^'),
    release: undefined,
    notes: typings.flatMap(({ notes }) => notes),
  }
}

function wrong(text: string, what: string): HlaError {
  return new HlaError('bad-syntax', `${text}: ${what}`, { offending: text })
}
