/** Order of an answer as docs/divergences.md defines it: by field number, then by text. */

const OPERATOR = /[/|+^~?]/

/**
 * Sorts plain names by number and parts with an operator by text, and merges both by text. Names in `ignored` come
 * last among the plain ones.
 */
export function sorted(parts: Iterable<string>, ignored: readonly string[] = []): string[] {
  const all = [...parts]
  if (all.length < 2) return all
  const isLast = (part: string) => Number(ignored.includes(part.slice(part.indexOf('*') + 1)))
  const plain = all.filter((part) => !OPERATOR.test(part)).map((part) => ({ part, numbers: numbersOf(part) }))
  plain.sort(
    (a, b) => isLast(a.part) - isLast(b.part) || byNumbers(a.numbers, b.numbers) || byText(a.part, b.part),
  )
  const names = plain.map(({ part }) => part)
  const merged: string[] = []
  for (const part of all.filter((one) => OPERATOR.test(one)).sort(byText)) {
    while (names.length > 0 && byText(names[0] ?? '', part) < 0) merged.push(names.shift() ?? '')
    merged.push(part)
  }
  return [...merged, ...names]
}

function byText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

function byNumbers(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((number, index) => number !== b[index])
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}

const BEHIND = Number.MAX_SAFE_INTEGER

/** Numbers that order a name. The locus and letters are ignored. A name without a colon has one number. */
function numbersOf(name: string): number[] {
  const form = name.endsWith('ARS') ? name.slice(0, -3) : name.replaceAll(/[PNQLSGg]/g, '')
  if (!form.includes(':')) {
    const digits = /^\d+$/.exec(form)?.[0] ?? /^\D+(\d+)/.exec(form)?.[1]
    return [digits === undefined ? BEHIND : Number(digits), 0, 0, 0, 0]
  }
  const [first = '', second = '', third = '', fourth = ''] = form.slice(form.indexOf('*') + 1).split(':')
  const number = (field: string, otherwise: number) => (/^\d+$/.test(field) ? Number(field) : otherwise)
  return [number(first, BEHIND), 1, number(second, BEHIND), number(third, 0), number(fourth, 0)]
}
