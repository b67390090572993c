/** Formats with one person per row other than tables, by their --output-format name. */
import type { OutputFormatName } from '../../plan/output-format-names.ts'
import { ARLEQUIN } from './arlequin.ts'
import { FHIR_LINES } from './fhir.ts'
import type { PopulationFormat } from './population-format.ts'
import { PYPOP } from './pypop.ts'
import { bareCopy } from './genotype.ts'

const UNIFORMAT: PopulationFormat = {
  title: 'UNIFORMAT',
  summary:
    'UNIFORMAT 3: one genotype per locus; lists with `&`, possible genotypes with `|`, `@` for not typed',
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

const HPED: PopulationFormat = {
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

const HAPLOMAT: PopulationFormat = {
  title: 'Hapl-o-Mat',
  summary: 'Hapl-o-Mat (GLSC): one GL String per typed locus; lists and possible genotypes unchanged',
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

const GRIMM: PopulationFormat = {
  title: 'GRIMM',
  summary: 'GRIMM: name, GL String and optionally two races, comma-separated; lists unchanged',
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
    // a program that finds one race column requires the other
    const races = race === '' && race2 === '' ? [] : [race || race2, race2 || race]
    return `${[id, loci.join('^'), ...races].join(',')}\n`
  },
}

export const POPULATION_FORMATS: ReadonlyMap<OutputFormatName, PopulationFormat> = new Map<
  OutputFormatName,
  PopulationFormat
>([
  ['pypop', PYPOP],
  ['arlequin', ARLEQUIN],
  ['uniformat', UNIFORMAT],
  ['haplomat', HAPLOMAT],
  ['grimm', GRIMM],
  ['hped', HPED],
  ['fhir', FHIR_LINES],
])

/** undefined for another kind of format. */
export function findPopulationFormat(name: OutputFormatName | undefined): PopulationFormat | undefined {
  return name === undefined ? undefined : POPULATION_FORMATS.get(name)
}
