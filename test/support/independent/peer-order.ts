/** The peer's order of the two chromosomes of a genotype. For some names it depends on the input order (A3, A36). */

const OPERATOR = /[/|+^~]/

/** undefined if the peer raises an error: a field is not a number. */
export function sortAsPeer(parts: readonly string[], ignored: readonly string[]): string[] | undefined {
  try {
    // both programs sort short lists by stable insertion, so that even contradictory comparisons give the same order
    return [...parts].sort((a, b) => compareAsPeer(a, b, ignored))
  } catch {
    return undefined
  }
}

/**
 * Specification 4: locus and letters are ignored. Names without a colon and with equal numbers compare as "before"
 * both ways.
 */
function compareAsPeer(a: string, b: string, ignored: readonly string[]): number {
  if (a === b) return 0
  if (OPERATOR.test(a) || OPERATOR.test(b)) return a < b ? -1 : 1
  if (ignored.includes(a.slice(a.indexOf('*') + 1))) return 1
  if (ignored.includes(b.slice(b.indexOf('*') + 1))) return -1
  const [x, y] = [formOf(a), formOf(b)]
  if (x === y) return 0
  return x.includes(':') ? compareFields(x, y) : compareNumbers(x, y)
}

function formOf(name: string): string {
  return name.endsWith('ARS') ? name.slice(0, -3) : name.replace(/[PNQLSGg]/g, '')
}

/** Equal numbers compare as "before" in either order. */
function compareNumbers(x: string, y: string): number {
  if (/^\d+$/.test(x) && /^\d+$/.test(y)) return Number(x) < Number(y) ? -1 : 1
  const [first = '', second = ''] = [x, y].map((form) => /^\D+(\d+)/.exec(form)?.[1])
  return numberOf(first) <= numberOf(second) ? -1 : 1
}

function compareFields(x: string, y: string): number {
  const first = numberOf(firstFieldOf(x)) - numberOf(firstFieldOf(y))
  if (first !== 0) return first
  const [[, a = '', ...others], [, b = '', ...rest]] = [x.split(':'), y.split(':')]
  if (numberOf(a) !== numberOf(b)) return numberOf(a) - numberOf(b)
  for (const at of [0, 1]) {
    const difference = numberOr0(others[at]) - numberOr0(rest[at])
    if (difference !== 0) return difference
  }
  return 0
}

/** A name without a colon loses its last digit here, as in the peer: `MICB*027` counts as 2. */
function firstFieldOf(form: string): string {
  return form.slice(form.indexOf('*') + 1, form.indexOf(':'))
}

function numberOf(field: string): number {
  if (!/^\d+$/.test(field)) throw new RangeError('not comparable')
  return Number(field)
}

function numberOr0(field = ''): number {
  return /^\d+$/.test(field) ? Number(field) : 0
}
