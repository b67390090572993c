/** Names of columns as a person gave them, and the column that tells rows apart in reports. Pure. */
import type { Header } from '../header.ts'

const ID =
  /^(?:#|i?id|(?:sample|subject|donor|patient|recipient|person|individual|participant|case|record|registry|grid)?[_. -]*(?:id|no|nr|number|code|name|iid)|sample|subject|donor|patient|recipient|person|individual|participant|case|grid|kennung|key)$/i
const GROUP =
  /^(?:f(?:am(?:ily)?)?[_. -]*id|fam(?:ily)?|pedigree|pop(?:ulation)?|region|country|cent(?:er|re)|site|cohort|group|data[_. -]?set|batch|plate|race|ethnicity|sex|gender|status|disease)(?:[_. -]*(?:id|no|nr|number|code|name))?$/i

export function isIdName(name: string): boolean {
  return ID.test(plainName(name))
}

/**
 * Of these columns, which hold no typings: one that is called an id and repeats none, else one that repeats none, else one that is
 * called so, else the first. A family, a population, a region is many people's.
 */
export function findIdColumn(
  columns: readonly number[],
  { names }: Header,
  values: (column: number) => readonly string[],
): number | undefined {
  const isDistinct = (column: number) => {
    const all = values(column)
    return all.length > 0 && new Set(all).size === all.length && all.every((value) => value.trim() !== '')
  }
  const nameAt = (column: number) => plainName(names?.[column] ?? '')
  const single = columns.filter((column) => !GROUP.test(nameAt(column)))
  const called = single.filter((column) => ID.test(nameAt(column)))
  return called.find(isDistinct) ?? called[0] ?? single.find(isDistinct) ?? single[0] ?? columns[0]
}

/** `A...2` and `...3` of readxl, `Unnamed: 2` of pandas. */
export function plainName(name: string): string {
  const trimmed = name.trim()
  if (/^Unnamed: \d+(?:_level_\d+)?$/.test(trimmed) || trimmed === '.') return ''
  return trimmed.replace(/\.\.\.\d+$/, '').trim()
}
