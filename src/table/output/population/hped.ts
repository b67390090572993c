/** HPED of HATK: six columns of a PLINK pedigree, then eight loci with two alleles each, `0` for what is missing (HATK, docs/_0_HLA2HPED.md). */
import { bareCopy } from './genotype.ts'
import type { PopulationFormat } from './population-format.ts'

export const HPED: PopulationFormat = {
  title: 'HPED',
  summary: 'HPED of HATK: a pedigree, and two alleles at each of eight loci, `0` for missing',
  holds: { lists: false, alternatives: false, half: 'copy', anyLoci: false },
  loci: ['A', 'B', 'C', 'DPA1', 'DPB1', 'DQA1', 'DQB1', 'DRB1'],
  roles: ['family', 'father', 'mother', 'sex', 'phenotype'],
  forbidden: /[\t\r\n\v\f ]/,
  head: () => '',
  row({ id, role, genotypes }) {
    const parents = [role('father') || MISSING, role('mother') || MISSING]
    const pedigree = [role('family') || id, id, ...parents, role('sex') || MISSING, role('phenotype') || '-9']
    const alleles = genotypes.flatMap(({ genotype }) => {
      const [copies = []] = genotype?.alternatives ?? []
      return [0, 1].map((at) => (copies[at] === undefined ? MISSING : bareCopy(copies[at])))
    })
    return `${[...pedigree, ...alleles].join('\t')}\n`
  },
}

const MISSING = '0'
