/**
 * Donor import file of Atlas (github.com/Anthony-Nolan/Atlas, README_DonorImport.md and Schemas). Its rules are those
 * by which `hla validate` checks such a file; A, B and DRB1 are required unless the donor is deleted.
 */
import { serologicTyping } from '../../sources/exchange/source-typing.ts'
import { DONOR_LENGTHS, DONOR_LOCI, DONOR_RULES } from '../../sources/exchange/rules/donor-rules.ts'
import { oneOf } from '../../sources/exchange/rules/field-rules.ts'
import { documentSink } from './document-sink.ts'
import { bareCopy, type Genotype, type OutputFormat, type WrittenPerson } from './output-format.ts'

const TITLE = 'Atlas donor import'
const MODES = ['diff', 'full', 'check']
const REQUIRED_LOCI = ['A', 'B', 'DRB1']

export const DONORS: OutputFormat = {
  title: TITLE,
  summary: 'donor import file of Atlas (JSON): alleles, codes and short lists in `dna`, antigens in `ser`',
  holds: { lists: true, alternatives: false, half: 'blank', anyLoci: true, antigens: true },
  fields: [
    { name: 'updateMode', need: 'required', form: MODES.join('|'), rule: oneOf(...MODES) },
    {
      name: 'changeType',
      columns: ['changetype', 'change_type'],
      need: 'required',
      form: 'N|NU|U|D',
      rule: DONOR_RULES.changeType,
    },
    {
      name: 'donorType',
      columns: ['donortype', 'donor_type'],
      need: 'required',
      form: 'D|C|B',
      rule: DONOR_RULES.donorType,
    },
    { name: 'donPool', columns: ['donpool', 'don_pool'], need: 'expected' },
    { name: 'ethn', columns: ['ethn'], need: 'expected', rule: DONOR_RULES.ethn },
  ],
  // JSON allows every character
  forbidden: /[^\s\S]/,
  head: (_, field) => `{\n  "updateMode": ${JSON.stringify(field('updateMode'))},\n  "donors": [`,
  row: donor,
  refuseGenotype(genotype, locus) {
    if (!DONOR_LOCI.includes(locus.toLowerCase())) return `typings of ${locus}`
    const [method, texts] = fieldTexts(genotype, locus)
    if (method === undefined) return `antigens of ${locus} other than one per copy`
    const long = texts.find((text) => DONOR_LENGTHS[method](text) !== undefined)
    return long === undefined
      ? undefined
      : `${JSON.stringify(long.slice(0, 60))}, which ${DONOR_LENGTHS[method](long) ?? ''}`
  },
  refusePerson({ field, genotypes }) {
    const change = field('changeType')
    if (field('updateMode') === 'full' && change !== 'N' && change !== 'NU')
      return `changeType ${change} in a file whose updateMode is full, where each is N or NU`
    if (change === 'D') return undefined
    const typed = new Set(genotypes.flatMap(({ locus, genotype }) => (genotype === undefined ? [] : [locus])))
    const missing = REQUIRED_LOCI.filter((locus) => !typed.has(locus))
    return missing.length === 0 ? undefined : `a donor without a typing of ${missing.join(', ')}`
  },
  sink: (sink, ended) => documentSink(sink, { title: TITLE, separator: ',', tail: ended('\n  ]\n}\n') }),
}

function donor({ id, field, genotypes }: WrittenPerson): string {
  const loci = genotypes.flatMap(({ locus, genotype }) => {
    if (genotype === undefined) return []
    const [method = 'dna', [field1 = null, field2 = null]] = fieldTexts(genotype, locus)
    return [[locus.toLowerCase(), { [method]: { field1, field2 } }] as const]
  })
  const about = {
    recordId: id,
    changeType: field('changeType'),
    donorType: field('donorType'),
    ...(field('donPool') === '' ? {} : { donPool: field('donPool') }),
    ethn: field('ethn') || null,
    ...(loci.length === 0 ? {} : { hla: Object.fromEntries(loci) }),
  }
  return `,\n    ${JSON.stringify(about)}`
}

/** `dna` with `*01:01/01:02`, or `ser` with the number of an antigen; no method for lists of antigens, or antigens beside alleles. */
function fieldTexts(
  { alternatives: [copies = []] }: Genotype,
  locus: string,
): readonly ['dna' | 'ser' | undefined, readonly string[]] {
  if (copies.every((copy) => copy.includes('*'))) return ['dna', copies.map((copy) => `*${bareCopy(copy)}`)]
  const numbers = copies.map((copy) => /\d+$/.exec(copy)?.[0] ?? '')
  const isSaid = copies.every((copy, at) => serologicTyping(locus, numbers[at] ?? '') === copy)
  return [isSaid ? 'ser' : undefined, numbers]
}
