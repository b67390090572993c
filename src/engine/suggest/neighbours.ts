/** Known names that are one slip away: a digit or letter swapped, left out, doubled or mistyped. */
import { readLocus } from '../../nomenclature/allele.ts'
import { MOST_SUGGESTIONS } from './advice.ts'
import type { NameSource } from './advice.ts'

const DIGITS = makeUnits('0123456789')
const LETTERS_AND_DIGITS = makeUnits('ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789')

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
  eachEdit(name, star, from, (edited) => {
    if (!names.isKnownText(edited)) return true
    const text = String.fromCharCode(...edited)
    if (text !== name) found.add(text)
    return found.size < MOST_SUGGESTIONS
  })
  return [...found]
}

function hasAny(names: Iterable<string>): boolean {
  return names[Symbol.iterator]().next().done !== true
}

/** One slip in a name, wherever it may be. */
interface Editing {
  readonly name: string
  readonly star: number
  readonly from: number
  /** Whether characters may be put there. */
  readonly isEditable: (at: number) => boolean
  /** Its UTF-16 units, good until it returns; false: no more are wanted. */
  readonly take: (edited: Uint16Array) => boolean
}

/** A hundred of them: as texts they took as long as half of what else is found out about a name. */
function eachEdit(name: string, star: number, from: number, take: Editing['take']): void {
  const colon = name.indexOf(':')
  const second = colon < 0 ? name.length : colon + 1
  const isEditable = (at: number) => (at >= from && at <= star) || at >= second
  const editing = { name, star, from, isEditable, take }
  void (swap(editing) && leaveOut(editing) && putIn(editing) && replace(editing))
}

function swap({ name, star, from, take }: Editing): boolean {
  const units = makeUnits(name)
  for (let at = from; at + 1 < name.length; at += 1) {
    if (at === star || at + 1 === star) continue
    units[at] = name.charCodeAt(at + 1)
    units[at + 1] = name.charCodeAt(at)
    if (!take(units)) return false
    units[at] = name.charCodeAt(at)
    units[at + 1] = name.charCodeAt(at + 1)
  }
  return true
}

function leaveOut({ name, star, from, take }: Editing): boolean {
  const units = makeUnits(name.slice(0, from) + name.slice(from + 1))
  for (let at = from; at < name.length; at += 1) {
    if (at !== star && !take(units)) return false
    units[at] = name.charCodeAt(at)
  }
  return true
}

function putIn({ name, star, from, isEditable, take }: Editing): boolean {
  const units = makeUnits(`${name.slice(0, from)} ${name.slice(from)}`)
  for (let at = from; at <= name.length; at += 1) {
    if (isEditable(at) && !takeEach(at <= star ? LETTERS_AND_DIGITS : DIGITS, units, at, take)) return false
    units[at] = name.charCodeAt(at)
  }
  return true
}

function replace({ name, star, from, isEditable, take }: Editing): boolean {
  const units = makeUnits(name)
  for (let at = from; at < name.length; at += 1) {
    if (at === star || name[at] === ':' || !isEditable(at)) continue
    if (!takeEach(at < star ? LETTERS_AND_DIGITS : DIGITS, units, at, take)) return false
    units[at] = name.charCodeAt(at)
  }
  return true
}

/** Each of the characters at its place. */
function takeEach(characters: Uint16Array, units: Uint16Array, at: number, take: Editing['take']): boolean {
  for (let one = 0; one < characters.length; one += 1) {
    units[at] = characters[one] ?? 0
    if (!take(units)) return false
  }
  return true
}

function makeUnits(text: string): Uint16Array {
  const units = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at)
  return units
}
