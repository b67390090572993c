/** Columns whose names are written as programs that predict binding write them: `HLA-A02:01`, `A0201`, `DRB1_0101`. Pure. */
import { hasPrefix, PREFIX, withoutPrefix } from '../../nomenclature/allele.ts'
import { readNotation } from '../../nomenclature/notation.ts'
import { namesAntigensOf2026 } from '../../reference/release-number.ts'
import type { NameFacts } from './name-facts.ts'

/** Share of the different values. */
const NEARLY_ALL = 0.9

/** Whether the values are so written; what may be an antigen says nothing. */
export function areNoted(values: readonly string[], facts: NameFacts): boolean {
  const noted = values.filter((value) => {
    const parts = value.trim().split(/[+/^]/)
    return parts.every((part) => readNotation(part) !== undefined && !mayBeAntigen(part.trim(), facts))
  })
  return noted.length > 0 && noted.length >= NEARLY_ALL * values.length
}

/** `A*02:01` of `A0201`, `DQA1*05:01~DQB1*02:01` of `DQA10501-DQB10201`; undefined: it is not written so. */
export function notedNames(text: string, facts: NameFacts): string | undefined {
  const spelled = (name: string) =>
    name.includes(':') ? name : (hasPrefix(name) ? PREFIX : '') + facts.respell(withoutPrefix(name))
  return readNotation(text)?.split('~').map(spelled).join('~')
}

/** `B2708`, and with the names of 2026 `A0203`. */
export function mayBeAntigen(text: string, facts: NameFacts): boolean {
  const bare = withoutPrefix(text)
  const [, digits] = /^(?:[ABC]|Cw)(\d{4})$/.exec(bare) ?? []
  if (digits === undefined || (digits.startsWith('0') && !namesAntigensOf2026(facts.label))) return false
  return facts.isAntigen(bare)
}
