/** Known names that are one slip away: a digit or letter swapped, left out, doubled or mistyped. */
import { readLocus } from '../../nomenclature/allele.ts'
import { MOST_SUGGESTIONS } from './advice.ts'
import type { NameSource } from './advice.ts'

const DIGITS = '0123456789'
const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** Shorter loci are too close to each other to tell a slip from a choice. */
const SHORTEST_LOCUS = 3

/**
 * Known names one edit from `name`, the likeliest kind of slip first. No digit of the first field is replaced or
 * added: another first field is another antigen, and A*29:99 is no likelier meant by A*99:99 than anything else.
 */
export function findNeighbours(name: string, names: NameSource): string[] {
  const star = name.indexOf('*')
  if (star < 0) return []
  const isLocusRight = star < SHORTEST_LOCUS || hasAny(names.withPrefix(`${readLocus(name)}*`))
  const from = isLocusRight ? star + 1 : 0
  const found = new Set<string>()
  for (const edited of makeEdits(name, star, from)) {
    if (edited !== name && names.isKnown(edited)) found.add(edited)
    if (found.size === MOST_SUGGESTIONS) break
  }
  return [...found]
}

function hasAny(names: Iterable<string>): boolean {
  return names[Symbol.iterator]().next().done !== true
}

function* makeEdits(name: string, star: number, from: number): Generator<string> {
  const colon = name.indexOf(':')
  const second = colon < 0 ? name.length : colon + 1
  for (let at = from; at + 1 < name.length; at += 1) {
    const swapped = `${name[at + 1]}${name[at]}`
    if (!swapped.includes('*')) yield name.slice(0, at) + swapped + name.slice(at + 2)
  }
  for (let at = from; at < name.length; at += 1) {
    if (at !== star) yield name.slice(0, at) + name.slice(at + 1)
  }
  const isEditable = (at: number) => (at >= from && at <= star) || at >= second
  for (let at = from; at <= name.length; at += 1) {
    if (!isEditable(at)) continue
    for (const character of at <= star ? LETTERS_AND_DIGITS : DIGITS) {
      yield name.slice(0, at) + character + name.slice(at)
    }
  }
  for (let at = from; at < name.length; at += 1) {
    if (at === star || name[at] === ':' || !isEditable(at)) continue
    for (const character of at < star ? LETTERS_AND_DIGITS : DIGITS) {
      yield name.slice(0, at) + character + name.slice(at + 1)
    }
  }
}
