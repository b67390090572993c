/**
 * Names as peptide-binding predictors list them, written and read: `HLA-A02:01`, `DRB1_0101`, `HLA-DQA10501-DQB10201`.
 * NetMHCpan and NetMHCIIpan: the lists of their option `-listMHC`; pVACseq: `pvacseq valid_alleles`; MHCflurry:
 * `mhcflurry-predict --list-supported-alleles`; IEDB: its tools API.
 */
import { cutFields, hasPrefix, PREFIX, readLocus, withoutPrefix } from './allele.ts'

export const PROGRAMS = ['netmhcpan', 'pvacseq', 'mhcflurry', 'iedb'] as const
export type Program = (typeof PROGRAMS)[number]

/** Characters before, in and between the parts of a name. */
interface Form {
  readonly prefix: '' | typeof PREFIX
  readonly star: '' | '*' | '_'
  readonly colon: '' | ':'
}

interface Forms {
  readonly classOne: Form
  /** DRB1 and its neighbours; undefined for a program that knows only class I. */
  readonly dr?: Form
  /** Both chains of a DQ or DP molecule; the prefix stands before the first. */
  readonly pair?: Form & { readonly joint: '-' | '/' }
}

const PLAIN = { prefix: '', star: '*', colon: ':' } as const
const PREFIXED = { prefix: PREFIX, star: '*', colon: ':' } as const

const FORMS: Readonly<Record<Program, Forms>> = {
  netmhcpan: {
    classOne: { prefix: PREFIX, star: '', colon: ':' },
    dr: { prefix: '', star: '_', colon: '' },
    pair: { prefix: PREFIX, star: '', colon: '', joint: '-' },
  },
  pvacseq: { classOne: PREFIXED, dr: PLAIN, pair: { ...PLAIN, joint: '-' } },
  mhcflurry: { classOne: PREFIXED },
  iedb: { classOne: PREFIXED, dr: PREFIXED, pair: { ...PREFIXED, joint: '/' } },
}

/** Thrown when a program has no name for a molecule; the message ends a sentence. */
export class NoMolecule extends Error {
  /** True for one chain of a molecule that the program names by both. */
  readonly lacksPartner: boolean
  constructor(message: string, lacksPartner = false) {
    super(message)
    this.lacksPartner = lacksPartner
  }
}

/**
 * Molecule of one name (`A*02:01:01:01`, `DRB1*01:01`) or of two chains, each without `HLA-`: `HLA-A02:01`. Fields after
 * the second do not change the protein; they are dropped with any letter after them.
 * @throws {NoMolecule} a group, code or antigen; a name of one field; a null allele; one chain alone; a gene that the
 * program does not know
 */
export function writeMolecule(chains: readonly string[], program: Program): string {
  const { classOne, dr, pair } = FORMS[program]
  const [alpha = '', beta] = chains.map(readProtein)
  const gene = readLocus(alpha)
  if (beta === undefined) {
    if (CLASS_ONE.has(gene)) return written(alpha, classOne)
    if (dr === undefined) throw new NoMolecule('it knows molecules of class I only')
    if (DR.has(gene)) return written(alpha, dr)
    if (CHAINS.has(gene))
      throw new NoMolecule('it names molecules of two chains, such as DQA1*05:01~DQB1*02:01', true)
    throw new NoMolecule(`it has no molecules of ${gene}`)
  }
  if (pair === undefined) throw new NoMolecule('it knows molecules of class I only')
  if (partnerOf(gene) !== readLocus(beta))
    throw new NoMolecule('two genes make one molecule only as DQA1 and DQB1, or DPA1 and DPB1')
  return written(alpha, pair) + pair.joint + written(beta, { ...pair, prefix: '' })
}

function written(name: string, { prefix, star, colon }: Form): string {
  return prefix + name.replace('*', star).replace(':', colon)
}

const CLASS_ONE: ReadonlySet<string> = new Set(['A', 'B', 'C', 'E', 'F', 'G'])
const DR: ReadonlySet<string> = new Set(['DRB1', 'DRB3', 'DRB4', 'DRB5'])
/** Genes whose protein is one chain of a molecule. */
const CHAINS: ReadonlySet<string> = new Set(['DQA1', 'DQB1', 'DPA1', 'DPB1'])

/** `DQB1` for `DQA1`; undefined for the gene of a second chain, and for other genes. */
export function partnerOf(gene: string): string | undefined {
  return CHAINS.has(gene) && gene.endsWith('A1') ? gene.replace('A1', 'B1') : undefined
}

/** The letter of A*24:02:01:02L belongs to that allele, that of A*30:14L to every allele of its protein. */
function readProtein(name: string): string {
  if (!ALLELE.test(name)) throw new NoMolecule('only alleles of two fields or more name a protein')
  if (name.endsWith('N')) throw new NoMolecule('a null allele makes no protein')
  return cutFields(name, 2)
}

const ALLELE = /^[A-Z][A-Z0-9]*\*\d+(?::\d+){1,3}[NLSQCA]?$/

/** Characters of the forms and of other notations (`hla_a_02_01_01`), as alternatives. */
function characters(part: 'star' | 'colon' | 'joint', others: readonly string[]): string {
  const forms = Object.values(FORMS).flatMap(({ classOne, dr, pair }) => [classOne, dr, pair])
  const own = forms.flatMap((form) => {
    const character = form !== undefined && part in form ? form[part as 'star' | 'colon'] : ''
    return character === '' ? [] : [character]
  })
  return `(?:${[...new Set([...own, ...others])].map((one) => `\\${one}`).join('|')})`
}

const LOCUS = 'A|B|Cw?|DRA|DRB[1345]|D[QP][AB]1|D[MO][AB]|E|F|G'
const LETTER = '[NLSQCA]?'
const SEPARATED = String.raw`\d{2,4}(?:${characters('colon', ['_'])}\d{2,4}){1,3}`
/** Two fields or more without a character between them. */
const DIGITS = String.raw`\d{4,8}`
const BEFORE = String.raw`^\s*(HLA[-_]?)?`
/** Without an underscore, digits are pairs: `B15123` may be a number. */
const NAME = new RegExp(
  String.raw`${BEFORE}(${LOCUS})((?:_?${SEPARATED}|_${DIGITS}|(?:\d\d){2,4})${LETTER})\s*$`,
  'i',
)
const CHAIN = String.raw`(${LOCUS})${characters('star', [])}?((?:${SEPARATED}|${DIGITS})${LETTER})`
/** With or without an asterisk in each chain. */
const PAIR = new RegExp(
  String.raw`${BEFORE}${CHAIN}${characters('joint', ['_'])}(?:HLA[-_]?)?${CHAIN}\s*$`,
  'i',
)
/** Every locus begins with A to G, and `HLA-` with H. */
const BEGINS = /^\s*[A-H]/i
/** The first chain of a pair. */
const ALPHA = /D[RPQ]A/i

/**
 * `A02:01` -> `A*02:01`, `DQA10501-DQB10201` -> `DQA1*0501~DQB1*0201`; a written `HLA-` is kept. Digits stay together,
 * since the release knows what they name (`spellNoted`). undefined for other notations.
 */
export function readNotation(text: string): string | undefined {
  // the patterns take milliseconds to compile: text that cannot match does not need them
  if (!BEGINS.test(text)) return undefined
  const [, prefix, locus, fields] = (text.includes('*') ? undefined : NAME.exec(text)) ?? []
  if (locus !== undefined && fields !== undefined) {
    const name = makeName(prefix, locus, fields)
    return name === text ? undefined : name
  }
  if (!ALPHA.test(text)) return undefined
  const [, before, first, firstFields, second, secondFields] = PAIR.exec(text) ?? []
  if (first === undefined || firstFields === undefined || second === undefined || secondFields === undefined)
    return undefined
  if (!ALPHA.test(first) || !/D[RPQ]B/i.test(second)) return undefined
  return `${makeName(before, first, firstFields)}~${makeName(before, second, secondFields)}`
}

function makeName(prefix: string | undefined, locus: string, fields: string): string {
  const whole = locus.toUpperCase().replace('CW', 'C')
  const name = `${whole}*${fields.replace(/^_/, '').toUpperCase().replaceAll('_', ':')}`
  return prefix !== undefined && hasPrefix(prefix.toUpperCase()) ? PREFIX + name : name
}

/**
 * A name of `readNotation` as the release writes it. Predictors name proteins, by two fields: digits are divided so
 * where such a name is listed (`DPB1*100101` is DPB1*1001:01), and are otherwise an old name. undefined where several
 * are listed.
 */
export function spellNoted(
  name: string,
  isListed: (name: string) => boolean,
  respell: (oldName: string) => string,
): string | undefined {
  if (name.includes(':')) return name
  const bare = withoutPrefix(name)
  const old = respell(bare)
  const isFound = old.includes(':') && isListed(old)
  const [only = old, ...more] = isFound ? [old] : twoFieldDivisions(bare).filter(isListed)
  return more.length > 0 ? undefined : (hasPrefix(name) ? PREFIX : '') + only
}

function twoFieldDivisions(name: string): string[] {
  const start = name.indexOf('*') + 3
  return [start, start + 1, start + 2].map((at) => `${name.slice(0, at)}:${name.slice(at)}`)
}
