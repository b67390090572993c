/** Name patterns: `*` any characters, `?` one. Matching takes at most pattern × name steps for any pattern. Pure. */

export interface GlobOptions {
  /** `[ab]` matches one of these characters, `[!a-c]` any other. */
  readonly choices: boolean
}

export function isGlob(text: string, { choices }: GlobOptions): boolean {
  return choices ? /[*?[]/.test(text) : /[*?]/.test(text)
}

/** Uses no regular expression: backtracking could take forever on a pattern of 30 characters. */
export function globTest(pattern: string, options: GlobOptions): (name: string) => boolean {
  const runs = runsIn(pattern, options)
  const [first = [], ...rest] = runs
  const last = rest.pop()
  if (last === undefined) {
    return (name) => {
      const signs = Array.from(name)
      return signs.length === first.length && standsAt(first, signs, 0)
    }
  }
  return (name) => {
    const signs = Array.from(name)
    const end = signs.length - last.length
    if (first.length > end || !standsAt(first, signs, 0) || !standsAt(last, signs, end)) return false
    // between two stars the first match suffices: it leaves the longest rest
    let at = first.length
    for (const run of rest) {
      while (at + run.length <= end && !standsAt(run, signs, at)) at += 1
      at += run.length
      if (at > end) return false
    }
    return true
  }
}

type SignTest = (sign: string) => boolean

/** Runs of characters between the stars, one test per character. */
function runsIn(pattern: string, { choices }: GlobOptions): SignTest[][] {
  let run: SignTest[] = []
  const runs = [run]
  const pieces = choices ? /\[([^\]]+)\]|[^]/gu : /[^]/gu
  for (const [piece, choice] of pattern.matchAll(pieces)) {
    if (piece === '*') runs.push((run = []))
    else if (piece === '?') run.push(() => true)
    else run.push(choice === undefined ? (sign) => sign === piece : choiceTest(choice))
  }
  return runs
}

function choiceTest(choice: string): SignTest {
  const isOther = choice.startsWith('!')
  const signs = Array.from(isOther ? choice.slice(1) : choice)
  const ranges: (readonly [from: string, to: string])[] = []
  for (let at = 0; at < signs.length; at += 1) {
    const from = signs[at] ?? ''
    const isRange = signs[at + 1] === '-' && at + 2 < signs.length
    if (isRange) at += 2
    ranges.push([from, signs[at] ?? ''])
  }
  return (sign) => ranges.some(([from, to]) => isBetween(sign, from, to)) !== isOther
}

/** Compares code points: JavaScript compares strings by UTF-16 units. */
function isBetween(sign: string, from: string, to: string): boolean {
  const code = sign.codePointAt(0) ?? 0
  return code >= (from.codePointAt(0) ?? 0) && code <= (to.codePointAt(0) ?? 0)
}

function standsAt(run: readonly SignTest[], signs: readonly string[], start: number): boolean {
  return run.every((test, at) => test(signs[start + at] ?? ''))
}
