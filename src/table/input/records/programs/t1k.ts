/** T1K, `PREFIX_genotype.tsv`: gene, number of alleles, then allele, abundance and quality twice; no header. */
import type { RecordFormat, TypingRecord } from '../typing-record.ts'
import { lineSource } from './line-records.ts'

export const T1K: RecordFormat = {
  name: 't1k',
  summary: 'T1K',
  example: 'HLA-A\t2\tHLA-A*02:01:01\t40.5\t20\tHLA-A*24:02:01\t38.1\t18',
  open(file) {
    return lineSource(file, {
      title: 'T1K',
      reading: 'gene, alleles, and allele, abundance and quality twice; . is no allele',
      extras: SLOTS.flatMap((slot) =>
        ['abundance', 'quality'].map((name) => ({ name, isOfTyping: true, slot })),
      ),
      ignored: ['further alleles'],
      reader: () => readLine,
    })
  },
}

const SLOTS = [1, 2] as const

function readLine(text: string, line: number): readonly TypingRecord[] {
  const [gene = '', , first = '', a1 = '', q1 = '', second = '', a2 = '', q2 = ''] = text.split('\t')
  if (text.trim() === '') return []
  const values = [a1, q1, a2, q2]
  return [first, second].map((typing, at) => ({
    person: undefined,
    locus: gene.trim().replace(/^HLA-/, ''),
    typing: typing === '.' ? '' : typing.replaceAll('HLA-', '').replaceAll(',', '/'),
    slot: SLOTS[at],
    line,
    values,
  }))
}
