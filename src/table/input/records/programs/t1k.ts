/** T1K, `PREFIX_genotype.tsv`: gene, number of alleles, then allele, abundance and quality twice; no header. */
import type { TypingRecord } from '../typing-record.ts'
import { type ProgramFormat, lineSource, matchesMostLines } from './line-records.ts'

const ALLELE = String.raw`(?:\.|\S+\*\S+)\t-?[\d.]+\t-?[\d.]+`

export const T1K: ProgramFormat = {
  name: 't1k',
  summary: 'T1K',
  example: 'HLA-A\t2\tHLA-A*02:01:01\t40.5\t20\tHLA-A*24:02:01\t38.1\t18',
  isWrittenBy: matchesMostLines(
    new RegExp(String.raw`^[A-Z][A-Z0-9-]*\t[0-2]\t${ALLELE}\t${ALLELE}(?:\t|$)`),
  ),
  open(file) {
    const leftOut = new Map<string, number>()
    return lineSource(file, {
      title: 'T1K',
      reading: 'gene, alleles, and allele, abundance and quality twice; . is no allele',
      extras: SLOTS.flatMap((slot) =>
        ['abundance', 'quality'].map((name) => ({ name, isOfTyping: true, slot })),
      ),
      ignored: ['further alleles'],
      leftOut,
      reader: () => {
        // the file may be read again
        leftOut.clear()
        return (text, line) => readLine(text, line, leftOut)
      },
    })
  },
}

const SLOTS = [1, 2] as const

/** Note for alleles of quality 0 or less: T1K prints them, and means none (mourisl/T1K, issue 15). */
const NO_QUALITY = 'alleles of quality 0 or less'

function readLine(text: string, line: number, leftOut: Map<string, number>): readonly TypingRecord[] {
  const [gene = '', , first = '', a1 = '', q1 = '', second = '', a2 = '', q2 = ''] = text.split('\t')
  if (text.trim() === '') return []
  const values = [a1, q1, a2, q2]
  const read = (allele: string, quality: string) => {
    if (allele === '.') return ''
    if (quality.trim() === '' || !(Number(quality) <= 0))
      return allele.replaceAll('HLA-', '').replaceAll(',', '/')
    leftOut.set(NO_QUALITY, (leftOut.get(NO_QUALITY) ?? 0) + 1)
    return ''
  }
  return [read(first, q1), read(second, q2)].map((typing, at) => ({
    person: undefined,
    locus: gene.trim().replace(/^HLA-/, ''),
    typing,
    slot: SLOTS[at],
    line,
    values,
  }))
}
