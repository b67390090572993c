/** Operands of `contains` -> expressions of the full-text index. */

/** As the index cuts text: runs of letters and digits; marks belong to the letter before them. */
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu

/** Each word begins a word of the title. Undefined: there is no word in it, which every title fits. */
export function titleMatch(operand: string): string | undefined {
  const words = operand.match(WORD)
  return words === null ? undefined : `title : (${words.map((word) => `"${word}" *`).join(' AND ')})`
}

/** Every word occurs as a whole; what is in double quotes occurs as a phrase. Undefined: there is no word in it. */
export function contentMatch(operand: string): string | undefined {
  const parts = [...operand.matchAll(/"([^"]*)"|([^"]+)/g)].flatMap(([, phrase, words = '']) =>
    phrase === undefined ? (words.match(WORD) ?? []) : [phrase.match(WORD)?.join(' ') ?? ''],
  )
  const terms = parts.filter((part) => part !== '').map((part) => `"${part}"`)
  return terms.length === 0 ? undefined : terms.join(' AND ')
}
