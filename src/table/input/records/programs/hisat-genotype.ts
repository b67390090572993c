/** HISAT-genotype's report: ranked alleles per gene; the two best are its typing. */
import type { TypingRecord } from '../typing-record.ts'
import { type ProgramFormat, lineSource } from './line-records.ts'

const RANKED = /^\s*(\d+) ranked ([A-Z0-9]+)\*(\S+) \(abundance: ([\d.]+)%\)/

export const HISAT_GENOTYPE: ProgramFormat = {
  name: 'hisat-genotype',
  summary: "HISAT-genotype's report",
  example: '1 ranked A*02:01:01:01 (abundance: 51.00%)',
  isWrittenBy: (lines) => lines.some((line) => line.includes('HISAT-genotype') || RANKED.test(line)),
  open(file) {
    return lineSource(file, {
      title: 'HISAT-genotype',
      reading: 'the alleles of rank 1 and 2 of each gene',
      extras: [{ name: 'abundance', isOfTyping: true }],
      ignored: ['alleles of rank 3 and below', 'counts of reads'],
      reader: () => readLine,
    })
  },
}

function readLine(text: string, line: number): readonly TypingRecord[] {
  const [, rank, locus = '', fields = '', abundance = ''] = RANKED.exec(text) ?? []
  if (rank !== '1' && rank !== '2') return []
  const slot = rank === '1' ? 1 : 2
  return [{ person: undefined, locus, typing: `${locus}*${fields}`, slot, line, values: [abundance] }]
}
