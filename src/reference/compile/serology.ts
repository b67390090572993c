/** Serology files -> antigens of alleles and alleles of antigens (specification 1.7). */
import { readLocus } from '../../nomenclature/allele.ts'
import { isNamedIn2026, otherSpelling } from '../../nomenclature/antigen.ts'
import type { DnaSerologyRow } from '../sources/dna-serology.ts'
import { addTo } from './groups.ts'
import { hatsAntigen } from './hats.ts'
import type { SerologyRow } from '../sources/serology.ts'

export interface AntigenTables {
  readonly antigens: ReadonlySet<string>
  readonly broads: Readonly<Record<string, readonly string[]>>
  readonly associated: Readonly<Record<string, string>>
  /**
   * Antigen -> full names; a broad includes those of its splits, and with the names of 2026 an antigen those of its
   * associated ones.
   */
  readonly antigenAlleles: ReadonlyMap<string, readonly string[]>
  readonly alleleAntigens: ReadonlyMap<string, readonly string[]>
}

export function compileSerology(
  dna: readonly DnaSerologyRow[],
  serology: readonly SerologyRow[],
  known: readonly string[],
): AntigenTables {
  const alleles = directAlleles(dna)
  const narrower = serology.flatMap((row) => row.associated)
  const isOf2026 = narrower.some(isNamedIn2026)
  // alleles that had A2 now have A0201: without them A2 would lose most of its alleles
  // (docs/adr/answers.md#levels-of-antigens)
  if (isOf2026) for (const row of serology) addAll(alleles, row.antigen, row.associated)
  for (const row of serology) addAll(alleles, row.antigen, row.splits)
  const antigenAlleles = new Map([...alleles].map(([antigen, names]) => [antigen, [...names]]))
  // A203 is then only another spelling of A0203
  const names = isOf2026 ? known.filter((antigen) => !narrower.includes(otherSpelling(antigen) ?? '')) : known
  const related = serology.flatMap((row) => [row.antigen, ...row.splits, ...row.associated])
  return {
    antigens: new Set([...names, ...related, ...hatsAntigens(dna), ...antigenAlleles.keys()]),
    broads: Object.fromEntries(
      serology.filter(({ splits }) => splits.length > 0).map((row) => [row.antigen, row.splits]),
    ),
    associated: Object.fromEntries(
      serology.flatMap(({ antigen, associated }) => associated.map((one) => [one, antigen])),
    ),
    antigenAlleles,
    alleleAntigens: inverse(antigenAlleles),
  }
}

/** Antigens that method hats can answer, for genes that have other published antigens. */
function hatsAntigens(rows: readonly DnaSerologyRow[]): string[] {
  const names = new Set(rows.flatMap(({ allele, hats }) => (hats ? [hatsAntigen(allele, hats)] : [])))
  return [...names].filter((name) => /^(?:A|B|Cw|DR|DQ)\d+$/.test(name))
}

/** Antigens of alleles, keyed by another of their names, such as lgx. */
export function antigensBy(
  antigenAlleles: ReadonlyMap<string, readonly string[]>,
  nameOf: (allele: string) => string,
): Map<string, readonly string[]> {
  return inverse(new Map([...antigenAlleles].map(([antigen, names]) => [antigen, names.map(nameOf)])))
}

/**
 * Alleles by antigen: the first two letters of the locus (`DR` for DRB1, DRB3 …; `Cw` for C) and the published number.
 */
function directAlleles(rows: readonly DnaSerologyRow[]): Map<string, Set<string>> {
  const alleles = new Map<string, Set<string>>()
  for (const { allele, antigens } of rows) {
    const locus = readLocus(allele).slice(0, 2)
    for (const number of antigens) addTo(alleles, (locus === 'C' ? 'Cw' : locus) + number, allele)
  }
  return alleles
}

function addAll(alleles: Map<string, Set<string>>, antigen: string, narrower: readonly string[]): void {
  for (const one of narrower) for (const allele of alleles.get(one) ?? []) addTo(alleles, antigen, allele)
}

function inverse(lists: ReadonlyMap<string, readonly string[]>): Map<string, readonly string[]> {
  const inverted = new Map<string, Set<string>>()
  for (const [key, values] of lists) for (const value of values) addTo(inverted, value, key)
  return new Map([...inverted].map(([key, values]) => [key, [...values]]))
}
