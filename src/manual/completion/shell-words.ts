/** Splits a command line as bash does, and quotes a word for it. Pure. */

export interface ShellLine {
  /** All words but the last, unquoted. */
  readonly before: readonly string[]
  /** The last word, possibly empty. */
  readonly current: string
  /** Unclosed quote around it. */
  readonly quote: string
}

export function splitLine(line: string): ShellLine {
  const words: string[] = []
  let [current, isWord, quote] = ['', false, '']
  for (let at = 0; at < line.length; at += 1) {
    const letter = line.charAt(at)
    if (letter === '\\' && quote !== "'") {
      at += 1
      current += line.charAt(at)
      isWord = true
    } else if (quote !== '') {
      if (letter === quote) quote = ''
      else current += letter
    } else if (letter === '"' || letter === "'") {
      quote = letter
      isWord = true
    } else if (/\s/.test(letter)) {
      if (isWord) words.push(current)
      ;[current, isWord] = ['', false]
    } else {
      current += letter
      isWord = true
    }
  }
  return { before: words, current, quote }
}

/**
 * Part of a completed word that bash substitutes: bash's own word begins after the last of its word breaks (including
 * `=` and `:`). Outside quotes, special characters are escaped by a backslash.
 */
export function forBash(word: string, { current, quote }: ShellLine, breaks: string): string {
  if (quote !== '') return word
  const letters = breaks.replace(/\s/g, '').split('')
  const start = Math.max(-1, ...letters.map((letter) => current.lastIndexOf(letter))) + 1
  return word.slice(start).replace(/[\s'"\\$`!&;|<>(){}[\]*?#~]/g, '\\$&')
}
