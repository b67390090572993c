/**
 * Names as peptide-binding predictors list them, the reverse of notation.ts. NetMHCpan and NetMHCIIpan: the lists of
 * their option `-listMHC`; pVACseq: `pvacseq valid_alleles`; MHCflurry: `mhcflurry-predict --list-supported-alleles`;
 * IEDB: its tools API.
 */
import { cutFields, PREFIX, readLocus } from './allele.ts'

export const PROGRAMS = ['netmhcpan', 'pvacseq', 'mhcflurry', 'iedb'] as const
export type Program = (typeof PROGRAMS)[number]

interface Spelling {
  /** `A*02:01` */
  readonly classOne: (name: string) => string
  /** `DRB1*01:01`; undefined for a program that knows only class I. */
  readonly dr?: (name: string) => string
  /** `DQA1*05:01` and `DQB1*02:01` */
  readonly pair?: (alpha: string, beta: string) => string
}

function withoutColon(name: string): string {
  return name.replaceAll(':', '')
}

function withoutSigns(name: string): string {
  return withoutColon(name).replace('*', '')
}

const SPELLINGS: Readonly<Record<Program, Spelling>> = {
  netmhcpan: {
    classOne: (name) => PREFIX + name.replace('*', ''),
    dr: (name) => withoutColon(name).replace('*', '_'),
    pair: (alpha, beta) => `${PREFIX}${withoutSigns(alpha)}-${withoutSigns(beta)}`,
  },
  pvacseq: {
    classOne: (name) => PREFIX + name,
    dr: (name) => name,
    pair: (alpha, beta) => `${alpha}-${beta}`,
  },
  mhcflurry: { classOne: (name) => PREFIX + name },
  iedb: {
    classOne: (name) => PREFIX + name,
    dr: (name) => PREFIX + name,
    pair: (alpha, beta) => `${PREFIX}${alpha}/${beta}`,
  },
}

/** Thrown when a program has no name for a molecule; the message ends a sentence. */
export class NoMolecule extends Error {}

/**
 * Molecule of one name (`A*02:01:01:01`, `DRB1*01:01`) or of the two chains of one haplotype, each without `HLA-`:
 * `HLA-A02:01`.
 * Fields after the second do not change the protein; they are dropped with any letter after them.
 * @throws {NoMolecule} a group, code or antigen; a name of one field; a null allele; one chain alone; a gene that the
 * program does not know
 */
export function writeMolecule(chains: readonly string[], program: Program): string {
  const { classOne, dr, pair } = SPELLINGS[program]
  const [alpha = '', beta] = chains.map(readProtein)
  const [gene, other] = [readLocus(alpha), beta === undefined ? undefined : readLocus(beta)]
  if (other === undefined) {
    if (CLASS_ONE.has(gene)) return classOne(alpha)
    if (dr === undefined) throw new NoMolecule('it knows molecules of class I only')
    if (DR.has(gene)) return dr(alpha)
    if (CHAIN.test(gene))
      throw new NoMolecule('it names molecules of two chains, such as DQA1*05:01~DQB1*02:01')
    throw new NoMolecule(`it has no molecules of ${gene}`)
  }
  if (pair === undefined) throw new NoMolecule('it knows molecules of class I only')
  if (beta === undefined || !CHAIN.test(gene) || !gene.endsWith('A1') || other !== gene.replace('A1', 'B1'))
    throw new NoMolecule('two genes make one molecule only as DQA1 and DQB1, or DPA1 and DPB1')
  return pair(alpha, beta)
}

const CLASS_ONE: ReadonlySet<string> = new Set(['A', 'B', 'C', 'E', 'F', 'G'])
const DR: ReadonlySet<string> = new Set(['DRB1', 'DRB3', 'DRB4', 'DRB5'])
const CHAIN = /^D[QP][AB]1$/

/** The letter of A*24:02:01:02L belongs to that allele, that of A*30:14L to every allele of its protein. */
function readProtein(name: string): string {
  if (!ALLELE.test(name)) throw new NoMolecule('only alleles of two fields or more name a protein')
  if (name.endsWith('N')) throw new NoMolecule('a null allele makes no protein')
  return cutFields(name, 2)
}

const ALLELE = /^[A-Z][A-Z0-9]*\*\d+(?::\d+){1,3}[NLSQCA]?$/
