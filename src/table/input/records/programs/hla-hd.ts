/** HLA-HD, `SAMPLE_final.result.txt`: a line a locus; `-` is the same allele again, `Not typed` nothing. */
import type { RecordFormat, TypingRecord } from '../typing-record.ts'
import { lineSource } from './line-records.ts'

export const HLA_HD: RecordFormat = {
  name: 'hla-hd',
  summary: 'HLA-HD',
  example: 'A\tHLA-A*24:02:01\tHLA-A*02:01:01',
  open(file) {
    return lineSource(file, {
      title: 'HLA-HD',
      reading: 'a line a locus; - is homozygous, Not typed nothing',
      reader: () => readLine,
    })
  },
}

/** More than two typings have no place, and fail as such. */
function readLine(text: string, line: number): readonly TypingRecord[] {
  const [locus = '', ...typings] = text.split('\t').map((part) => part.trim())
  if (text.trim() === '') return []
  const [first = ''] = typings
  return typings.map((typing, at) => ({
    person: undefined,
    locus,
    typing: read(typing === '-' ? first : typing),
    slot: at === 0 ? 1 : at === 1 ? 2 : undefined,
    line,
    values: [],
  }))
}

function read(typing: string): string {
  return typing === 'Not typed' || typing === '-' ? '' : typing.replaceAll('HLA-', '').replaceAll(',', '/')
}
