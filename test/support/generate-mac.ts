/** A synthetic list of multiple allele codes of any size, in the published form; identical on every machine. */

export type MacRow = readonly [code: string, expansion: string]

/** `count` rows with unique codes and expansions. Codes are in order from AA on, of two to five letters. */
export function* generateMacRows(count: number, seed = 1): Generator<MacRow> {
  const random = randomBelow(seed)
  const seen = new Set<number>()
  const recent: Draft[] = []
  for (let made = 0; made < count;) {
    const earlier = recent.length > 100 && random(100) < 55 ? recent[random(recent.length)] : undefined
    const draft = earlier === undefined ? freshDraft(random) : changedDraft(earlier, random)
    const expansion = textOf(draft)
    const print = fingerprint(expansion)
    if (draft.members.length < 2 || seen.has(print)) continue
    seen.add(print)
    recent[made % RECENT] = draft
    yield [nthCode(made), expansion]
    made += 1
  }
}

/** The rows in the published text form. */
export function generateMacText(count: number, seed = 1): string {
  const lines = ['"LAST UPDATED: 01/31/26"', 'CODE\tSUBTYPE', '']
  for (const row of generateMacRows(count, seed)) lines.push(row.join('\t'))
  return `${lines.join('\r\n')}\r\n`
}

/** Number of earlier lists that a new one may vary. */
const RECENT = 20_000

interface Draft {
  readonly generic: boolean
  /** `first field * 1024 + number`, times 5, plus 0 to 4 for no letter, N, L, S, Q. */
  readonly members: readonly number[]
}

type Random = (below: number) => number

/** Whole numbers only (xorshift, Marsaglia 2003): floating-point powers differ between machines. */
function randomBelow(seed: number): Random {
  let state = seed >>> 0 || 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

// most numbers are small, and most lists have one first field, as in the published list
function freshDraft(random: Random): Draft {
  const generic = random(100) < 62
  const highest = 40 + random(generic ? 760 : 400)
  const home = 1 + random(60)
  const members: number[] = []
  for (let left = listLength(random); left > 0; left--) {
    const group = random(4) > 0 ? home : 1 + random(83)
    const number = 1 + Math.min(random(highest), random(highest))
    const letter = random(80) === 0 ? 1 + random(4) : 0
    members.push(((generic ? 0 : group) * 1024 + number) * 5 + letter)
  }
  return { generic, members: ascending(members) }
}

function changedDraft({ generic, members }: Draft, random: Random): Draft {
  const kept = members.length > 3 && random(3) === 0 ? members.toSpliced(random(members.length), 1) : members
  const group = Math.floor((members[0] ?? 0) / 5 / 1024)
  const added = (group * 1024 + 1 + Math.min(random(900), random(900))) * 5
  return { generic, members: kept.length < 200 ? ascending([...kept, added]) : kept }
}

function listLength(random: Random): number {
  const share = random(100)
  if (share < 55) return 2 + random(8)
  if (share < 85) return 10 + random(11)
  return share < 95 ? 21 + random(40) : 61 + random(140)
}

function ascending(members: readonly number[]): number[] {
  return [...new Set(members)].sort((one, other) => one - other)
}

function textOf({ generic, members }: Draft): string {
  const names = members.map((member) => {
    const place = Math.floor(member / 5)
    const second = twoFigures(place % 1024) + ['', 'N', 'L', 'S', 'Q'][member % 5]
    return generic ? second : `${twoFigures(Math.floor(place / 1024))}:${second}`
  })
  return names.join('/')
}

function twoFigures(number: number): string {
  return String(number).padStart(2, '0')
}

/** 52 bits. A collision among a million lists has a probability of one in ten thousand, and only skips a list. */
function fingerprint(text: string): number {
  let low = 0x811c9dc5
  let high = 0x1b873593
  for (let at = 0; at < text.length; at++) {
    low = Math.imul(low ^ text.charCodeAt(at), 0x01000193)
    high = Math.imul(high ^ text.charCodeAt(at), 0x5bd1e995) + 1
  }
  return (low >>> 0) * 2 ** 20 + (high >>> 12)
}

/** AA, AB … ZZ without XX (which is not a list), then codes of three letters and more. */
function nthCode(index: number): string {
  let rest = index < 621 ? index : index + 1
  let letters = 2
  for (let codes = 26 ** 2; rest >= codes; codes *= 26) {
    rest -= codes
    letters += 1
  }
  let code = ''
  for (; letters > 0; letters--) {
    code = String.fromCharCode(65 + (rest % 26)) + code
    rest = Math.floor(rest / 26)
  }
  return code
}
