/** The one total order of names, and of the parts of a GL String. */
import { OPERATORS } from './gl-string.ts'

const LETTERS_ASIDE = /[PNQLSGg]/g
const COMPOUND = new RegExp(`[/${OPERATORS.map((operator) => `\\${operator}`).join('')}]`)

/**
 * Names by field number: expression and group letters, and the locus, count only between names that are otherwise equal.
 * Names without a colon (antigens, first fields) count by the number after their letters.
 */
export function compareNames(a: string, b: string): number {
  if (a === b) return 0
  return compareKeys(keyOf(a), keyOf(b)) || compareText(a, b)
}

/** By code point (UTF-16 unit: names are ASCII). */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export function sortNames(names: Iterable<string>): string[] {
  return sortByKey([...names])
}

/**
 * The parts of `^`, `|`, `+` or `/` in their canonical order: plain names by `compareNames`, parts that hold an operator
 * by code point, the two lists merged by code point. `last` names what sorts behind every other name.
 */
export function sortParts(parts: readonly string[], last?: (part: string) => boolean): string[] {
  const compound = parts.filter((part) => COMPOUND.test(part))
  const plain = sortByKey(compound.length === 0 ? parts : parts.filter((part) => !COMPOUND.test(part)))
  const sorted = last === undefined ? plain : [...plain.filter((part) => !last(part)), ...plain.filter(last)]
  return compound.length === 0 ? sorted : merge(sorted, compound.sort(compareText))
}

function merge(left: readonly string[], right: readonly string[]): string[] {
  const merged: string[] = []
  let at = 0
  for (const part of right) {
    for (let next = left[at]; next !== undefined && compareText(next, part) < 0; next = left[at]) {
      merged.push(next)
      at += 1
    }
    merged.push(part)
  }
  return [...merged, ...left.slice(at)]
}

const KEY_LENGTH = 5
type Key = readonly number[]

function sortByKey(names: readonly string[]): string[] {
  if (names.length < 2) return [...names]
  const keyed = names.map((name) => ({ name, key: keyOf(name) }))
  return keyed
    .sort((a, b) => compareKeys(a.key, b.key) || compareText(a.name, b.name))
    .map(({ name }) => name)
}

function compareKeys(x: Key, y: Key): number {
  for (let at = 0; at < KEY_LENGTH; at += 1) {
    const difference = (x[at] ?? 0) - (y[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** `[first number, has a colon, second, third, fourth field]`; a field that is no number is 0, or last when it is one of the first two. */
function keyOf(name: string): Key {
  const form = name.endsWith('ARS') ? name.slice(0, -3) : name.replace(LETTERS_ASIDE, '')
  if (!form.includes(':')) return [leadingNumber(form), 0, 0, 0, 0]
  const [first = '', second = '', third = '', fourth = ''] = form.slice(form.indexOf('*') + 1).split(':')
  return [numberOr(first, LAST), 1, numberOr(second, LAST), numberOr(third, 0), numberOr(fourth, 0)]
}

const LAST = 1e9

function numberOr(field: string, otherwise: number): number {
  return /^\d+$/.test(field) ? Number(field) : otherwise
}

/** `Cw10` is 10; `12` is 12; `DRB1*15` is 1: the first digits behind something else, as the peer reads them. */
function leadingNumber(form: string): number {
  const digits = /^\d+$/.test(form) ? form : (/^\D+(\d+)/.exec(form)?.[1] ?? '')
  return numberOr(digits, LAST)
}
