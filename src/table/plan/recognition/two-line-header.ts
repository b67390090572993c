/** Headers of two lines: the locus above, and below it which of the two typings. Pure. */
import { readLocusHeader } from '../locus-header.ts'

/** The names that both lines make together; undefined: the second line is no part of the header. */
export function joinHeaderLines(
  above: readonly string[],
  below: readonly string[] | undefined,
): string[] | undefined {
  if (below === undefined || below.length !== above.length) return undefined
  const filled = fillRight(above)
  const slots = below.map((text, at) => (SLOT.test(text.trim()) ? slotAt(filled[at] ?? '', text) : undefined))
  const counted = slots.filter((slot) => slot !== undefined)
  const isRest = (_: unknown, at: number) =>
    slots[at] !== undefined || above[at]?.trim() === '' || below[at]?.trim() === ''
  // 1 and 2 in turn, under one locus after the other
  const areTurns = counted.every((slot, at) => slot === 1 + (at % 2)) && counted.length % 2 === 0
  if (counted.length === 0 || !areTurns || !below.every(isRest)) return undefined
  // under names that are all there, 1 and 2 may be the antigens of a first row
  const isSaid =
    counted.length > 2 ||
    slots.some(
      (slot, at) => slot !== undefined && (above[at]?.trim() === '' || !/^\d+$/.test(below[at] ?? '')),
    )
  if (!isSaid) return undefined
  return above.map((name, at) =>
    slots[at] === undefined
      ? name.trim() === ''
        ? (below[at] ?? '')
        : name
      : `${filled[at]} ${below[at]?.trim()}`,
  )
}

const SLOT =
  /^(?:(?:allele|typing|type|typ|al|hap(?:lotype)?|h|copy)[_. -]*)?(?:[12]|[ab]|ii?|first|second|1st|2nd)$/i

/** A merged cell stands over the empty ones behind it. */
function fillRight(above: readonly string[]): string[] {
  let last = ''
  return above.map((name) => {
    if (name.trim() !== '') last = name.trim()
    return last
  })
}

function slotAt(name: string, slot: string): 0 | 1 | 2 | undefined {
  return readLocusHeader(`${name} ${slot.trim()}`).find((read) => read.slot !== undefined)?.slot
}
