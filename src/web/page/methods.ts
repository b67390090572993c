/** The methods of reduction by their words, for both pages. */

/** Names, words and summaries of the engine's methods, inserted when the page is built. */
declare const HLA_METHODS: readonly {
  readonly name: string
  readonly words: string
  readonly summary: string
}[]

export const METHODS = HLA_METHODS

/** `two fields, ARD (lgx)` */
export function methodTitle(method: string): string {
  const known = METHODS.find(({ name }) => name === method)
  return known === undefined ? method : `${known.words} (${method})`
}

export function methodSummary(method: string): string {
  return METHODS.find(({ name }) => name === method)?.summary ?? ''
}
