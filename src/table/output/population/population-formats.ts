/** Formats with one person per row for programs of population genetics, by their --output-format name. */
import type { OutputFormatName } from '../../plan/output-format-names.ts'

export interface PopulationFormat {
  /** Name in messages. */
  readonly title: string
  readonly summary: string
  /** Genotypes that the format can hold. */
  readonly holds: {
    /** A copy may be a list of alleles. */
    readonly lists: boolean
    /** There may be several possible genotypes. */
    readonly alternatives: boolean
    /**
     * A genotype with one copy: `copy`: the other is marked missing; `blank`: left blank, meaning the same or not seen;
     * `none`: both copies are required.
     */
    readonly half: 'copy' | 'blank' | 'none'
    /** True when persons may have any loci in any order, so that whole GL Strings are accepted. */
    readonly anyLoci: boolean
  }
  /** The only possible loci, in this order; undefined: those of the table. */
  readonly loci?: readonly string[]
  /** Text for an absent DRB3, DRB4 or DRB5; undefined when it cannot be expressed. */
  readonly absent?: string
  /** Possible person columns besides the typings. */
  readonly roles: readonly PersonRole[]
  /** Characters not allowed in a value of such a column. */
  readonly forbidden: RegExp
  readonly head?: (loci: readonly string[]) => string
  readonly row: (person: WrittenPerson) => string
}

interface WrittenPerson {
  readonly id: string
  /** Answering release: `3.58.0`. */
  readonly release: string
  /** Empty without such a column, or when its cell is empty. */
  readonly role: (role: PersonRole) => string
  readonly genotypes: readonly LocusGenotype[]
}

export interface LocusGenotype {
  readonly locus: string
  /** undefined when not typed, or not to be written. */
  readonly genotype: Genotype | undefined
}

export type PersonRole =
  | 'population' | 'race' | 'race2' | 'family' | 'father' | 'mother' | 'sex' | 'phenotype' // prettier-ignore

/** Genotype of a person at a locus. */
export interface Genotype {
  /** Possible genotypes of the person. Each has one copy or two; a copy is an allele, or a list with `/`. */
  readonly alternatives: readonly (readonly string[])[]
}

/** `A*01:01/A*01:02` -> `01:01/01:02`; antigens keep their letters. */
function bareCopy(copy: string): string {
  return copy.replaceAll(/[^/*]+\*/g, '')
}

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
const PYPOP: PopulationFormat = {
  title: 'PyPop',
  summary: 'PyPop: tab-separated, two columns per locus, `****` for missing',
  holds: { lists: false, alternatives: false, half: 'copy', anyLoci: false },
  absent: '00:00',
  roles: ['population'],
  forbidden: /[\t\r\n]/,
  head: (loci) =>
    `${['populat', 'id', ...loci.flatMap((locus) => [1, 2].map((copy) => `${locus.toLowerCase()}_${copy}`))].join('\t')}\n`,
  row({ id, role, genotypes }) {
    return `${[role('population') || 'population', id, ...twoCopies(genotypes, '****')].join('\t')}\n`
  },
}

/**
 * Arlequin 3.5, unphased genotypes: one sample per population, two lines per person, one per copy, `?` for missing
 * (Arlequin manual, "Data file": Profile and Samples). Sizes precede the persons: `arlequin-sink.ts` assembles the file
 * from these rows.
 */
const ARLEQUIN: PopulationFormat = {
  title: 'Arlequin',
  summary:
    'Arlequin: a project file, one sample per population, two lines per person, `?` for missing; written at the end',
  holds: { lists: false, alternatives: false, half: 'copy', anyLoci: false },
  roles: ['population'],
  forbidden: /[\t\r\n\v\f "#{}]/,
  row({ id, role, genotypes }) {
    const copies = [0, 1].map((at) =>
      genotypes.map(({ genotype }) => genotype?.alternatives[0]?.[at] ?? '?').join(' '),
    )
    return `${[role('population') || 'population', `${id}\t1\t${copies[0]}`, `\t\t${copies[1]}`].join(ARLEQUIN_PART)}\n`
  },
}

/** Separates the population from the lines of a person. */
export const ARLEQUIN_PART = '\u001f'

const UNIFORMAT: PopulationFormat = {
  title: 'UNIFORMAT',
  summary:
    'UNIFORMAT 3: one genotype per locus; lists with `&`, possible genotypes with `|`, `@` for not typed',
  holds: { lists: true, alternatives: true, half: 'blank', anyLoci: false },
  roles: [],
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

const HPED: PopulationFormat = {
  title: 'HPED',
  summary: 'HPED of HATK: a pedigree, and two alleles at each of eight loci, `0` for missing',
  holds: { lists: false, alternatives: false, half: 'copy', anyLoci: false },
  loci: ['A', 'B', 'C', 'DPA1', 'DPB1', 'DQA1', 'DQB1', 'DRB1'],
  roles: ['family', 'father', 'mother', 'sex', 'phenotype'],
  forbidden: /[\t\r\n\v\f ]/,
  row({ id, role, genotypes }) {
    const parents = [role('father') || MISSING, role('mother') || MISSING]
    const pedigree = [role('family') || id, id, ...parents, role('sex') || MISSING, role('phenotype') || '-9']
    return `${[...pedigree, ...twoCopies(genotypes, MISSING)].join('\t')}\n`
  },
}

const MISSING = '0'

const HAPLOMAT: PopulationFormat = {
  title: 'Hapl-o-Mat',
  summary: 'Hapl-o-Mat (GLSC): one GL String per typed locus; lists and possible genotypes unchanged',
  holds: { lists: true, alternatives: true, half: 'none', anyLoci: true },
  roles: [],
  forbidden: /[\t\r\n\v\f ]/,
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

/**
 * FHIR R4 as JSON Lines: one Observation per genotype, with the GL String Code of the answering release (NMDP's HLA
 * reporting guide, a draft: fhir.nmdp.org/ig/hla-reporting, profile hla-genotype). Tables do not contain a result
 * status, so it is `unknown`.
 */
const FHIR_LINES: PopulationFormat = {
  title: 'FHIR',
  summary:
    'FHIR: one genotype Observation of the HLA reporting guide (a draft) per line, as GL String Codes; lists and possible genotypes unchanged',
  holds: { lists: true, alternatives: true, half: 'blank', anyLoci: true },
  roles: [],
  // JSON allows every character
  forbidden: /[^\s\S]/,
  row: ({ id, genotypes, release }) =>
    genotypes
      .flatMap(({ locus, genotype }) => {
        const code = genotype?.alternatives.map((copies) => copies.join('+')).join('|')
        return code === undefined ? [] : [`${ascii(JSON.stringify(observation(id, locus, glStringCode(code, release))))}\n`] // prettier-ignore
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

function glStringCode(text: string, release: string): string {
  return `hla#${release}#${text.replaceAll(/(^|[|+/])(?!HLA-)/g, '$1HLA-')}`
}

/** ASCII JSON is the same in every encoding of the table; FHIR requires UTF-8. */
function ascii(json: string): string {
  return json.replaceAll(
    /[\u0080-\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

export const POPULATION_FORMATS: Readonly<Record<OutputFormatName, PopulationFormat>> = {
  pypop: PYPOP,
  arlequin: ARLEQUIN,
  uniformat: UNIFORMAT,
  haplomat: HAPLOMAT,
  grimm: GRIMM,
  hped: HPED,
  fhir: FHIR_LINES,
}
