/** Advice from the part of a name that is known. */
import { countFields, cutFields, readLocus } from '../../nomenclature/allele.ts'
import { splitSuffix } from '../lift/relation.ts'
import type { NameSource } from './advice.ts'

const FIELD_WORDS = ['', 'one-field', 'two-field', 'three-field', 'four-field'] as const

export interface KnownStem {
  readonly hint: string
  /** The known part, when it is a name itself. */
  readonly suggestions: readonly string[]
}

/** The longest beginning, in whole fields, under which the release has names: how many, with as many fields as `name`. */
export function knownStem(name: string, names: NameSource): KnownStem | undefined {
  const star = name.indexOf('*')
  if (star < 0) return undefined
  const locus = readLocus(name)
  for (let fields = countFields(name) - 1; fields > 0; fields -= 1) {
    const stem = cutFields(name, fields)
    const count = countUnder(names, `${stem}:`, fields + 1)
    const suggestions = fields > 1 && names.isKnown(stem) ? [stem] : []
    if (count === 0 && suggestions.length > 0) return { hint: `${stem} has no further fields`, suggestions }
    if (count === 0) continue
    const words = `${group(count)} ${FIELD_WORDS[fields + 1] ?? ''} ${count === 1 ? 'name starts' : 'names start'}`
    return { hint: `${words} with ${stem}:`, suggestions }
  }
  if (countFields(name) === 1) return loneFirstField(name, names)
  const [any] = names.withPrefix(`${locus}*`)
  const beginning = any === undefined ? `${locus}*` : cutFields(name, 1)
  return { hint: `no name in ${names.release} starts with ${beginning}`, suggestions: [] }
}

/** `A*02`: what people mean by it has a code. */
function loneFirstField(name: string, names: NameSource): KnownStem {
  const padded = name.replace(/\*(\d)$/, '*0$1')
  const [any] = names.withPrefix(`${padded}:`)
  if (any === undefined)
    return { hint: `no allele of ${names.release} begins with ${name}:`, suggestions: [] }
  const hint = `an allele has two fields or more; ${padded}:XX stands for every ${padded} allele`
  return { hint, suggestions: [] }
}

/** Distinct beginnings of `fields` fields; short forms with an expression letter (`A*01:04N`) do not count again. */
function countUnder(names: NameSource, prefix: string, fields: number): number {
  const known = counted.get(names) ?? new Map<string, number>()
  counted.set(names, known)
  // a prefix counts one number of fields: those of it and one more
  const before = known.get(prefix)
  if (before !== undefined) return before
  const found = new Set<string>()
  for (const name of names.withPrefix(prefix)) found.add(splitSuffix(cutFields(name, fields)).stem)
  // of those without names there is no end
  if (found.size > 0) known.set(prefix, found.size)
  return found.size
}

/** A column of wrong names asks for the same few again and again. */
const counted = new WeakMap<NameSource, Map<string, number>>()

/** `1,234`, in every locale. */
function group(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}
