/**
 * UNIFORMAT 3: `id`, a tab, and a genotype a locus, in the same order in all rows; `,` between the copies, `&` between possible alleles, `|` between
 * possible genotypes, `@` for a locus that is not typed, and a copy alone where the other is the same or blank (hla-net.eu/tools/overview).
 */
import type { PopulationFormat } from './population-format.ts'

export const UNIFORMAT: PopulationFormat = {
  title: 'UNIFORMAT',
  summary: 'UNIFORMAT 3: a genotype a locus; lists with `&`, possible genotypes with `|`, `@` for not typed',
  holds: { lists: true, alternatives: true, half: 'blank', anyLoci: false },
  roles: [],
  forbidden: /[\t\r\n\v\f #]/,
  head: () => '',
  row({ id, genotypes }) {
    const loci = genotypes.map(({ genotype }) =>
      genotype === undefined
        ? '@'
        : genotype.alternatives
            .map((copies) => copies.map((copy) => copy.replaceAll('/', '&')).join(','))
            .join('|'),
    )
    return `${[id, ...loci].join('\t')}\n`
  },
}
