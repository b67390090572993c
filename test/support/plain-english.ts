/** Typed import of the style check of `.build`. */
interface Line {
  readonly path: string
  readonly number: number
  readonly text: string
}

const { addedLines, findTics, readWords } = (await import(
  new URL('../../.build/plain-english.mjs', import.meta.url).href
)) as {
  addedLines: (diff: string) => Line[]
  findTics: (lines: readonly Line[], words: unknown) => string[]
  readWords: (text: string) => unknown
} // types of its exports

/** Warnings for added lines. */
export function ticsOf(diff: string, words: string): string[] {
  return findTics(addedLines(diff), readWords(words))
}
