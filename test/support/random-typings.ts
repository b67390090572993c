/** Random typings of a release: genotypes and lists with all kinds of its names, and with unknown ones. */
import { isGrouped, readLocus, threeFields, twoFields } from '../../src/nomenclature/allele.ts'
import type { Release } from '../../src/reference/release.ts'
import type { MacTable } from '../../src/reference/mac-table.ts'
import { randomNumbers } from './random-numbers.ts'

/** A function that returns another typing at each call; the sequence depends on the seed. */
export function randomTypings(release: Release, macs: MacTable, seed: number): () => string {
  const random = randomNumbers(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const names = namesByLocus(release)
  const codes = [...macs.codesWithPrefix('')]
  const leaf = (locus: string): string => {
    const name = pick(names.get(locus) ?? [])
    const kind = random()
    if (kind < 0.7) return name
    const two = twoFields(name)
    if (kind < 0.76) return two
    if (kind < 0.8) return threeFields(name)
    if (kind < 0.88) return `${two.split(':')[0]}:${pick(codes)}`
    if (kind < 0.92) return `${two.split(':')[0]}:XX`
    if (kind < 0.94) return name.replaceAll(':', '')
    if (kind < 0.96) return `${two}:${Math.floor(random() * 99)}`
    return `${two}${pick(['N', 'Q', 'L', 'S', 'g', 'G', 'P'])}`
  }
  const loci = [...names.keys()]
  return () => {
    const prefix = random() < 0.1 ? 'HLA-' : ''
    const locus = pick(random() < 0.85 ? loci.filter(isGrouped) : loci)
    const typing = () => Array.from({ length: random() < 0.8 ? 1 : 2 }, () => prefix + leaf(locus)).join('/')
    return random() < 0.4 ? typing() : `${typing()}+${typing()}`
  }
}

/** Names of the release of every kind, by locus; antigens have a separate key. */
function namesByLocus(release: Release): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (let id = 0; id < release.size; id += 1) {
    if (!KINDS.some((kind) => release.isKind(kind, id))) continue
    const name = release.nameOf(id)
    const locus = name.includes('*') ? readLocus(name) : 'antigen'
    const known = names.get(locus)
    if (known === undefined) names.set(locus, [name])
    else known.push(name)
  }
  return names
}

const KINDS = ['who', 'allele', 'gGroup', 'pGroup', 'reduced', 'antigen'] as const
