/** Formats other than tables, one person per row of the table, by their --output-format name. */
import type { OutputFormatName } from '../../plan/output-format-names.ts'
import { ARLEQUIN_PART, arlequinSink } from './arlequin-sink.ts'
import { DONORS } from './donor-format.ts'
import { HML } from './hml-format.ts'
import {
  bareCopy,
  type FormatField,
  joinGenotype,
  type LocusGenotype,
  type OutputFormat,
  prefixedGenotype,
} from './output-format.ts'

/** PyPop calls its own `populat`. */
const POPULATION: FormatField = { name: 'population', columns: ['population', 'populat', 'pop'] }

/** Both copies of each locus, without loci. */
function twoCopies(genotypes: readonly LocusGenotype[], missing: string): string[] {
  return genotypes.flatMap(({ genotype }) => {
    const [copies = []] = genotype?.alternatives ?? []
    return [0, 1].map((at) => (copies[at] === undefined ? missing : bareCopy(copies[at])))
  })
}

/**
 * PyPop: tab-separated, a header, two columns per locus, `****` for missing (Lancaster et al. 2024, Front Immunol
 * 15:1378512; pypop.org, "Data file"). `00:00` at DRB3, DRB4 and DRB5 is an absent gene, as in published files.
 */
const PYPOP: OutputFormat = {
  title: 'PyPop',
  summary: 'PyPop: tab-separated, two columns per locus, `****` for missing',
  holds: { lists: false, alternatives: false, half: 'copy', anyLoci: false, antigens: true },
  absent: '00:00',
  fields: [POPULATION],
  forbidden: /[\t\r\n]/,
  head: (loci) =>
    `${['populat', 'id', ...loci.flatMap((locus) => [1, 2].map((copy) => `${locus.toLowerCase()}_${copy}`))].join('\t')}\n`,
  row({ id, field, genotypes }) {
    return `${[field('population') || 'population', id, ...twoCopies(genotypes, '****')].join('\t')}\n`
  },
}

/**
 * Arlequin 3.5, unphased genotypes: one sample per population, two lines per person, one per copy, `?` for missing
 * (Arlequin manual, "Data file": Profile and Samples). Sizes precede the persons: `arlequin-sink.ts` assembles the file
 * from these rows.
 */
const ARLEQUIN: OutputFormat = {
  title: 'Arlequin',
  summary:
    'Arlequin: a project file, one sample per population, two lines per person, `?` for missing; written at the end',
  holds: { lists: false, alternatives: false, half: 'copy', anyLoci: false, antigens: true },
  fields: [POPULATION],
  forbidden: /[\t\r\n\v\f "#{}]/,
  row({ id, field, genotypes }) {
    const copies = [0, 1].map((at) =>
      genotypes.map(({ genotype }) => genotype?.alternatives[0]?.[at] ?? '?').join(' '),
    )
    return `${[field('population') || 'population', `${id}\t1\t${copies[0]}`, `\t\t${copies[1]}`].join(ARLEQUIN_PART)}\n`
  },
  sink: arlequinSink,
}

const UNIFORMAT: OutputFormat = {
  title: 'UNIFORMAT',
  summary:
    'UNIFORMAT 3: one genotype per locus; lists with `&`, possible genotypes with `|`, `@` for not typed',
  holds: { lists: true, alternatives: true, half: 'blank', anyLoci: false, antigens: true },
  fields: [],
  forbidden: /[\t\r\n\v\f #]/,
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

const HPED: OutputFormat = {
  title: 'HPED',
  summary: 'HPED of HATK: a pedigree, and two alleles at each of eight loci, `0` for missing',
  holds: { lists: false, alternatives: false, half: 'copy', anyLoci: false, antigens: true },
  loci: ['A', 'B', 'C', 'DPA1', 'DPB1', 'DQA1', 'DQB1', 'DRB1'],
  fields: [
    { name: 'family', columns: ['family', 'family_id', 'fid', 'f_id'] },
    { name: 'father', columns: ['father'] },
    { name: 'mother', columns: ['mother'] },
    {
      name: 'sex',
      columns: ['sex', 'gender'],
      rule: (text) => (readSex(text) === undefined ? 'is not M, F or unknown' : undefined),
    },
    { name: 'phenotype', columns: ['phenotype', 'pheno'] },
  ],
  forbidden: /[\t\r\n\v\f ]/,
  row({ id, field, genotypes }) {
    const parents = [field('father') || MISSING, field('mother') || MISSING]
    const pedigree = [
      field('family') || id,
      id,
      ...parents,
      readSex(field('sex')) ?? MISSING,
      field('phenotype') || '-9',
    ]
    return `${[...pedigree, ...twoCopies(genotypes, MISSING)].join('\t')}\n`
  },
}

const MISSING = '0'

/** Codes of a PLINK pedigree: 1 male, 2 female, 0 unknown. */
function readSex(text: string): string | undefined {
  const word = text.toLowerCase()
  if (['1', 'm', 'male'].includes(word)) return '1'
  if (['2', 'f', 'female'].includes(word)) return '2'
  return ['', '0', 'u', 'na', 'unknown'].includes(word) ? '0' : undefined
}

const HAPLOMAT: OutputFormat = {
  title: 'Hapl-o-Mat',
  summary: 'Hapl-o-Mat (GLSC): one GL String per typed locus; lists and possible genotypes unchanged',
  holds: { lists: true, alternatives: true, half: 'none', anyLoci: true, antigens: false },
  fields: [],
  forbidden: /[\t\r\n\v\f ]/,
  row({ id, genotypes }) {
    const typed = genotypes.flatMap(({ genotype }) => genotype ?? []).map(joinGenotype)
    return `${[id, ...typed].join('\t')}\n`
  },
}

const GRIMM: OutputFormat = {
  title: 'GRIMM',
  summary: 'GRIMM: name, GL String and optionally two races, comma-separated; lists unchanged',
  holds: { lists: true, alternatives: false, half: 'copy', anyLoci: true, antigens: false },
  fields: [
    { name: 'race', columns: ['race'] },
    { name: 'race2', columns: ['race2'] },
  ],
  forbidden: /[\t\r\n,%]/,
  row({ id, field, genotypes }) {
    const loci = genotypes.flatMap(({ locus, genotype }) => {
      if (genotype === undefined) return []
      const [[first = '', second = `${locus}*UUUU`] = []] = genotype.alternatives
      return [`${first}+${second}`]
    })
    const [race, race2] = [field('race'), field('race2')]
    // a program that finds one race column requires the other
    const races = race === '' && race2 === '' ? [] : [race || race2, race2 || race]
    return `${[id, loci.join('^'), ...races].join(',')}\n`
  },
}

/**
 * FHIR R4 as JSON Lines: one Observation per genotype, with the GL String Code of the answering release (NMDP's HLA
 * reporting guide, a draft: fhir.nmdp.org/ig/hla-reporting, profile hla-genotype). Tables do not contain a result
 * status, so it is `unknown`.
 */
const FHIR_LINES: OutputFormat = {
  title: 'FHIR',
  summary:
    'FHIR: one genotype Observation of the HLA reporting guide (a draft) per line, as GL String Codes; lists and possible genotypes unchanged',
  holds: { lists: true, alternatives: true, half: 'blank', anyLoci: true, antigens: false },
  fields: [],
  // JSON allows every character
  forbidden: /[^\s\S]/,
  row: ({ id, genotypes, release }) =>
    genotypes
      .flatMap(({ locus, genotype }) => {
        if (genotype === undefined) return []
        const code = `hla#${release}#${prefixedGenotype(genotype)}`
        return [`${JSON.stringify(observation(id, locus, code))}\n`]
      })
      .join(''),
}

function observation(id: string, locus: string, code: string) {
  return {
    resourceType: 'Observation',
    meta: { profile: ['http://fhir.nmdp.org/ig/hla-reporting/StructureDefinition/hla-genotype'] },
    status: 'unknown',
    category: [coding('http://terminology.hl7.org/CodeSystem/observation-category', 'laboratory')],
    // genotype display name
    code: coding('http://loinc.org', '84413-4'),
    // FHIR ids are shorter than names in a table may be
    subject: { identifier: { value: id } },
    valueCodeableConcept: coding('http://glstring.org', code),
    // gene studied
    component: [
      { code: coding('http://loinc.org', '48018-6'), valueCodeableConcept: { text: `HLA-${locus}` } },
    ],
  }
}

function coding(system: string, code: string) {
  return { coding: [{ system, code }] }
}

export const OUTPUT_FORMATS: Readonly<Record<OutputFormatName, OutputFormat>> = {
  pypop: PYPOP,
  arlequin: ARLEQUIN,
  uniformat: UNIFORMAT,
  haplomat: HAPLOMAT,
  grimm: GRIMM,
  hped: HPED,
  fhir: FHIR_LINES,
  hml: HML,
  donors: DONORS,
}
