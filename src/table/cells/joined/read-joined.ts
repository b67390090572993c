/** Typings of one cell, read separately and joined to a GL String. */
import { advice, option } from '../../../advice.ts'
import { HlaError } from '../../../errors.ts'
import type { CellReading } from '../cell-reading.ts'
import type { DigitReading } from '../digits.ts'
import { areApart, isTypingLike, type Joined, SEPARATORS, splitCell } from './joined.ts'
import { findOddSeparator } from '../../plan/typing-shape.ts'
import { splitPhenotype } from './phenotype.ts'

/** Reads one typing, at the locus of the column or at the locus that `at` names. */
export type ReadPart = (
  text: string,
  at?: { readonly locus: string; readonly digits: DigitReading },
) => CellReading

/**
 * undefined when the cell is one typing, or a GL String.
 * @throws {HlaError} ambiguous-separator, bad-syntax, and errors of `read`
 */
export function readJoined(text: string, joined: Joined, read: ReadPart): CellReading | undefined {
  switch (joined.kind) {
    case 'asked':
      refuseSeparators(text)
      refuseOddSeparator(text)
      refusePipe(text)
      refuseSlash(text, joined.slash)
      return undefined
    case 'split': {
      const parts = splitCell(text, joined.separator)
      if (parts.length > 1)
        return join(
          text,
          parts.map((part) => readOne(part, text, read)),
        )
      refuseSlash(text, joined.slash, joined.separator)
      refusePipe(text, joined.separator)
      refuseOddSeparator(text)
      return undefined
    }
    case 'phenotype':
      return /[,;\s]/.test(text.trim()) ? readPhenotype(text, joined.digits, read) : undefined
  }
}

function refuseSeparators(text: string): void {
  for (const separator of SEPARATORS) {
    const parts = splitCell(text, separator).filter((part) => part !== '')
    if (parts.length > 1 && parts.every(isTypingLike)) throw ambiguous(text, separator)
  }
}

function refuseOddSeparator(text: string): void {
  const separator = findOddSeparator(text)
  if (separator !== undefined) throw ambiguous(text, separator)
}

/** Refuses `|` between single typings; in GL Strings it separates genotypes, which contain `+`. */
function refusePipe(text: string, separator = 'none'): void {
  const parts = text.split('|')
  if (parts.length === 2 && parts.every(isTypingLike) && areApart(parts) && !/[+^~]/.test(text))
    throw ambiguous(text, '|', separator)
}

/** `separator`: joins two typings in other cells. */
function refuseSlash(text: string, slash: 'asked' | 'open' | 'list', separator = 'none'): void {
  const parts = text.split('/')
  if (slash === 'list' || parts.length !== 2 || /[+^|~]/.test(text)) return
  if (parts.every(isTypingLike) && (slash === 'asked' || areApart(parts)))
    throw ambiguous(text, '/', separator)
}

function ambiguous(text: string, separator: string, other = 'none'): HlaError {
  const shown = (one: string) => option('cell-separator', one === ' ' ? 'space' : one === '|' ? 'pipe' : one)
  const list =
    separator === '/' || separator === '|'
      ? advice`${shown(other)} if it is a list of possible alleles`
      : 'possible alleles of one typing are joined with "/"'
  return new HlaError('ambiguous-separator', `${text}: two typings, or possible alleles of one`, {
    offending: text,
    hint: advice`use ${shown(separator)} if they are two typings; ${list}`,
  })
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
