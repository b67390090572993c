/** Parts of a name. */

export const LETTERS = ['N', 'Q', 'L', 'S'] as const

export function bare(name: string): string {
  return name.replace(/^HLA-/, '')
}

/** The first `count` fields, without one trailing `G` or `P`. */
export function short(name: string, count: number): string {
  return (count === 1 ? name : name.replace(/[GP]$/, '')).split(':').slice(0, count).join(':')
}

export function letterOf(name: string): string {
  return /[NQLS]$/.exec(name)?.[0] ?? ''
}

export function locus(name: string): string {
  return name.split('*')[0] ?? ''
}

export function fields(name: string): number {
  return name.split(':').length
}

/** Key -> values; keys in order of first occurrence. */
export function grouped<T>(pairs: Iterable<readonly [string, T]>): Map<string, T[]> {
  const lists = new Map<string, T[]>()
  for (const [key, value] of pairs) {
    const list = lists.get(key)
    if (list === undefined) lists.set(key, [value])
    else list.push(value)
  }
  return lists
}

/** Loci with G and P groups. */
export const GROUPED = new Set(
  'A B C DMA DMB DOA DOB DPA1 DPB1 DQA1 DQB1 DRA DRB1 DRB3 DRB4 DRB5 E F G'.split(' '),
)
