/** Total order of names and of the parts of a GL String. */
import { assured } from '../errors.ts'
import { OPERATORS } from './gl-string.ts'

const LETTERS_ASIDE = /[PNQLSGg]/g
const COMPOUND = new RegExp(`[/${OPERATORS.join('')}]`)

/**
 * Orders names by field number; expression and group letters, and the locus, break ties only.
 * Names without a colon (antigens, first fields) are ordered by the number after their letters.
 */
export function compareNames(a: string, b: string): number {
  return compareKeys(makeKey(a), makeKey(b)) || compareText(a, b)
}

/** By code point (UTF-16 unit: names are ASCII). */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export function sortNames(names: Iterable<string>): string[] {
  const keyed = Array.from(names, (text) => ({ text, key: packed(makeKey(text)) }))
  return keyed.sort(compareParts).map(({ text }) => text)
}

/**
 * Parts of `^`, `|`, `+` or `/` in canonical order: plain names by `compareNames`, parts that contain an operator
 * by code point, the two lists merged by code point. Parts for which `last` is true come after all other names.
 */
export function sortParts(parts: readonly string[], last?: (part: string) => boolean): string[] {
  return orderParts(parts.map(parsePart), last).map(({ text }) => text)
}

/** A part of a GL String with its precomputed sort key. */
export interface SortPart {
  readonly text: string
  /** The name's numbers packed in one, NaN when too large; undefined for a part ordered as text. */
  readonly key: number | undefined
}

export function parsePart(text: string): SortPart {
  return { text, key: COMPOUND.test(text) ? undefined : packed(makeKey(text)) }
}

/** `sortParts` with precomputed keys. */
export function orderParts(parts: SortPart[], last?: (part: string) => boolean): readonly SortPart[] {
  if (last !== undefined || parts.length > FEW) return orderMany(parts, last)
  return orderFew(parts) ?? orderMany(parts)
}

/** Distinct plain parts, in order; equal parts are one object. Published lists are mostly sorted. */
export function distinctParts(parts: readonly SortPart[]): readonly SortPart[] {
  if (parts.length > MANY) return [...new Set(parts)].sort(compareParts)
  const distinct: SortPart[] = []
  for (const part of parts) insertPart(distinct, part)
  return distinct
}

/** Joins parts with `/`. */
export function joinParts(parts: readonly SortPart[]): string {
  let text = parts[0]?.text ?? ''
  for (let at = 1; at < parts.length; at += 1) text += `/${assured(parts[at], 'within the list').text}`
  return text
}

function insertPart(parts: SortPart[], part: SortPart): void {
  let to = parts.length
  for (; to > 0; to -= 1) {
    const before = parts[to - 1]
    if (before === undefined || before === part) return
    if (compareParts(before, part) < 0) break
  }
  if (to === parts.length) parts.push(part)
  else parts.splice(to, 0, part)
}

/** Number of parts from which a general sort is safer than insertion. */
const MANY = 64

/** Number of parts up to which insertion beats the general sort; nearly every genotype has fewer. */
const FEW = 8

/** undefined when plain names and parts with operators are mixed: with more than two parts, their order cannot be decided pair by pair. */
function orderFew(parts: SortPart[]): SortPart[] | undefined {
  for (let at = 1; at < parts.length; at += 1) {
    for (let to = at; to > 0; to -= 1) {
      const part = parts[to]
      const before = parts[to - 1]
      if (part === undefined || before === undefined) return undefined
      if (parts.length > 2 && (part.key === undefined) !== (before.key === undefined)) return undefined
      if (compareParts(before, part) <= 0) break
      parts[to] = before
      parts[to - 1] = part
    }
  }
  return parts
}

/** Compares two parts of the same kind; of a pair without other parts, the kinds may differ. */
function compareParts(a: SortPart, b: SortPart): number {
  if (a.key === undefined || b.key === undefined) return compareTexts(a, b)
  const difference = a.key - b.key
  return Number.isNaN(difference) ? compareNames(a.text, b.text) : difference || compareTexts(a, b)
}

function orderMany(parts: readonly SortPart[], last?: (part: string) => boolean): readonly SortPart[] {
  const compound = parts.filter(({ key }) => key === undefined).sort(compareTexts)
  const plain = parts.filter(({ key }) => key !== undefined).sort(compareParts)
  const sorted =
    last === undefined
      ? plain
      : [...plain.filter(({ text }) => !last(text)), ...plain.filter(({ text }) => last(text))]
  return compound.length === 0 ? sorted : merge(sorted, compound)
}

function compareTexts(a: SortPart, b: SortPart): number {
  return compareText(a.text, b.text)
}

function merge(left: readonly SortPart[], right: readonly SortPart[]): SortPart[] {
  const merged: SortPart[] = []
  let at = 0
  for (const part of right) {
    for (let next = left[at]; next !== undefined && compareTexts(next, part) < 0; next = left[at]) {
      merged.push(next)
      at += 1
    }
    merged.push(part)
  }
  return [...merged, ...left.slice(at)]
}

type Key = readonly [first: number, colon: number, second: number, third: number, fourth: number]

function compareKeys(x: Key, y: Key): number {
  return x[0] - y[0] || x[1] - y[1] || x[2] - y[2] || x[3] - y[3] || x[4] - y[4]
}

/** `[first number, has a colon, second, third, fourth field]`; a field that is not a number is 0, or last when it is one of the first two. */
function makeKey(name: string): Key {
  const form = name.endsWith('ARS') ? name.slice(0, -3) : name.replace(LETTERS_ASIDE, '')
  if (!form.includes(':')) return [leadingNumber(form), 0, 0, 0, 0]
  const [first, second, third, fourth] = form.slice(form.indexOf('*') + 1).split(':')
  return [numberOr(first, LAST), 1, numberOr(second, LAST), numberOr(third, 0), numberOr(fourth, 0)]
}

const LAST = 1e9

/** Packs a key, preserving order: three times 12 bits after 13 make 49 of the 53 bits of a number. */
function packed([first, colon, ...fields]: Key): number {
  let packed = digitValue(first) * 2 + colon
  for (const field of fields) packed = packed * LARGEST + digitValue(field)
  return packed
}

const LARGEST = 4096
const LAST_DIGIT = LARGEST - 1

function digitValue(field: number): number {
  return field === LAST ? LAST_DIGIT : field < LAST_DIGIT ? field : Number.NaN
}

function numberOr(field: string | undefined, otherwise: number): number {
  return field !== undefined && /^\d+$/.test(field) ? Number(field) : otherwise
}

/** `Cw10` is 10; `12` is 12; `DRB1*15` is 1: the first digits, as py-ard reads them. */
function leadingNumber(form: string): number {
  return numberOr(/\d+/.exec(form)?.[0], LAST)
}
