/**
 * GRIMM: `id,GL String`, and behind it two races, each with `;` between several (nmdp-bioinformatics, py-graph-imputation, data/subjects/donor.csv). A locus
 * has two copies; one with `UUUU` is read as not typed.
 */
import type { PopulationFormat } from './population-format.ts'

export const GRIMM: PopulationFormat = {
  title: 'GRIMM',
  summary: 'GRIMM: name, GL String and two races or none, with commas; lists as they are',
  holds: { lists: true, alternatives: false, half: 'copy', anyLoci: true },
  roles: ['race', 'race2'],
  forbidden: /[\t\r\n,%]/,
  head: () => '',
  row({ id, role, genotypes }) {
    const loci = genotypes.flatMap(({ locus, genotype }) => {
      if (genotype === undefined) return []
      const [[first = '', second = `${locus}*UUUU`] = []] = genotype.alternatives
      return [`${first}+${second}`]
    })
    const [race, race2] = [role('race'), role('race2')]
    // a program that finds one race asks for the other
    const races = race === '' && race2 === '' ? [] : [race || race2, race2 || race]
    return `${[id, loci.join('^'), ...races].join(',')}\n`
  },
}
