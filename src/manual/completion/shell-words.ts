/** A line as bash has it -> words, and a word back into the line. Pure. */

export interface ShellLine {
  /** All but the last, without their quotes. */
  readonly before: readonly string[]
  /** The word the line ends in, perhaps empty. */
  readonly current: string
  /** The quote that it stands in; it is not closed. */
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
 * The part of a completed word that bash puts in place of what it takes for the word: that begins behind the last
 * of its word breaks in what is typed (`=` and `:` among them), and outside quotes special characters need a backslash.
 */
export function forBash(word: string, { current, quote }: ShellLine, breaks: string): string {
  if (quote !== '') return word
  const letters = breaks.replace(/\s/g, '').split('')
  const start = Math.max(-1, ...letters.map((letter) => current.lastIndexOf(letter))) + 1
  return word.slice(start).replace(/[\s'"\\$`!&;|<>(){}[\]*?#~]/g, '\\$&')
}
