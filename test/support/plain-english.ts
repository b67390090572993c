/** The check of style of `.build`, typed. */
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
} // as it exports

/** Warnings for what a diff adds. */
export function ticsOf(diff: string, words: string): string[] {
  return findTics(addedLines(diff), readWords(words))
}
