/** How an answer is written where a document has its typing: as that one was written, or not at all. Pure. */
import { advice, option } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import { foldGlString } from '../../nomenclature/gl-string.ts'
import { compareText } from '../../nomenclature/order.ts'

/** The same alleles in another order are the same typing. */
export function isSameTyping(one: string, other: string): boolean {
  if (one === other) return true
  return PARTS.test(one) && one.length === other.length && sorted(one) === sorted(other)
}

function sorted(glString: string): string {
  return foldGlString(glString, {
    typing: (text) => [...new Set(text.split('/'))].toSorted(compareText).join('/'),
    operation: (operator, parts: string[]) =>
      (operator === '~' ? parts : parts.toSorted(compareText)).join(operator),
  })
}

/** Some part of it is an antigen, and no name of an allele: `A2`, `Cw7`. */
export function isSerologic(glString: string): boolean {
  return partsIn(glString).some((part) => !part.includes('*') && !part.includes(':'))
}

/** Names between its operators. */
export function partsIn(glString: string): readonly string[] {
  return glString.split(PARTS)
}

const PARTS = /[\^|+~?/]/

/** Of a GL String: `A*01:01+A2` -> `HLA-A*01:01+HLA-A2`. */
export function withPrefix(glString: string): string {
  return glString.replaceAll(/[^|+~?/^]+/g, 'HLA-$&')
}

/** Of a field that is about one locus: with the sign, the locus and the prefix that `source` has. @throws {HlaError} unfit-answer */
export function spellField(answer: string, locus: string, source: string): string {
  // an answer is written as it was asked
  const parts = answer.replaceAll('HLA-', '').split('/')
  if (/[\^|+~?]/.test(answer)) throw unfit(answer, 'a field holds one typing, and this is a genotype or more')
  const names = parts.map((part) => (part.startsWith(`${locus}*`) ? part.slice(locus.length + 1) : undefined))
  if (names.includes(undefined)) throw unfit(answer, `a field of ${locus} holds names of ${locus}`)
  const [, prefix = ''] = /^((?:HLA-)?(?:[A-Za-z][A-Za-z0-9]*)?\*?)/.exec(source) ?? []
  const isNamed = /[A-Za-z]/.test(prefix)
  // a name of another spelling of the locus gets its own
  const before = isNamed ? `${prefix.startsWith('HLA-') ? 'HLA-' : ''}${locus}*` : prefix
  return names.map((name = '', at) => (at === 0 || isNamed ? before : '') + name).join('/')
}

/** Of a field of antigens: a number where `source` is one. `letters`: before the numbers of this locus. @throws {HlaError} unfit-answer */
export function spellAntigen(answer: string, letters: string, source: string): string {
  if (PARTS.test(answer)) throw unfit(answer, 'a field holds one antigen')
  const number = answer.startsWith(letters) ? answer.slice(letters.length) : answer
  return /^\d+$/.test(source.trim()) && /^\d+$/.test(number) ? number : answer
}

export function unfit(answer: string, why: string): HlaError {
  const shown = answer.length > MOST_SHOWN ? `${answer.slice(0, MOST_SHOWN)}…` : answer
  return new HlaError('unfit-answer', `${shown}: ${why}`, {
    offending: shown,
    hint: advice`without ${option('output-format', 'same')}, the output is a table, which holds every answer`,
  })
}

const MOST_SHOWN = 60
