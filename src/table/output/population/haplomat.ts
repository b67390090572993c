/**
 * Hapl-o-Mat, format GLSC: `id` and a GL String a locus, with tabs between, no header; a locus that is not typed is left out (Schäfer et al. 2017,
 * BMC Bioinformatics 18:284; examplePopulations/populationData_b.glc). A genotype has both copies.
 */
import type { PopulationFormat } from './population-format.ts'

export const HAPLOMAT: PopulationFormat = {
  title: 'Hapl-o-Mat',
  summary: 'Hapl-o-Mat (GLSC): a GL String a locus that is typed; lists and possible genotypes as they are',
  holds: { lists: true, alternatives: true, half: 'none', anyLoci: true },
  roles: [],
  forbidden: /[\t\r\n\v\f ]/,
  head: () => '',
  row({ id, genotypes }) {
    const typed = genotypes.flatMap(({ genotype }) =>
      genotype === undefined ? [] : [genotype.alternatives.map((copies) => copies.join('+')).join('|')],
    )
    return `${[id, ...typed].join('\t')}\n`
  },
}
