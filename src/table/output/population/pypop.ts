/**
 * PyPop: tab-separated, a header, two columns per locus, `****` for missing (Lancaster et al. 2024, Front Immunol
 * 15:1378512; pypop.org, "Data file"). `00:00` at DRB3, DRB4 and DRB5 is an absent gene, as in published files.
 */
import { bareCopy } from './genotype.ts'
import type { PopulationFormat } from './population-format.ts'

export const PYPOP: PopulationFormat = {
  title: 'PyPop',
  summary: 'PyPop: tab-separated, two columns per locus, `****` for missing',
  holds: { lists: false, alternatives: false, half: 'copy', anyLoci: false },
  absent: '00:00',
  roles: ['population'],
  forbidden: /[\t\r\n]/,
  head: (loci) =>
    `${['populat', 'id', ...loci.flatMap((locus) => [1, 2].map((copy) => `${locus.toLowerCase()}_${copy}`))].join('\t')}\n`,
  row({ id, role, genotypes }) {
    const alleles = genotypes.flatMap(({ genotype }) => {
      const [copies = []] = genotype?.alternatives ?? []
      return [0, 1].map((at) => (copies[at] === undefined ? MISSING : bareCopy(copies[at])))
    })
    return `${[role('population') || 'population', id, ...alleles].join('\t')}\n`
  },
}

const MISSING = '****'
