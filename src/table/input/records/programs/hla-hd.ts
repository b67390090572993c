/**
 * HLA-HD, `SAMPLE_final.result.txt`: one line per locus; `-` is the same allele again, or no second copy of DRB3, DRB4
 * and DRB5; `Not typed` means untyped.
 */
import { DRB345 } from '../../../plan/locus-header.ts'
import type { TypingRecord } from '../typing-record.ts'
import { type ProgramFormat, lineSource, matchesMostLines } from './line-records.ts'

const TYPING = String.raw`(?:HLA-[A-Z0-9]+\*\S+|Not typed|-)`

export const HLA_HD: ProgramFormat = {
  name: 'hla-hd',
  summary: 'HLA-HD',
  example: 'A\tHLA-A*24:02:01\tHLA-A*02:01:01',
  isWrittenBy: matchesMostLines(new RegExp(String.raw`^[A-Z0-9]+\t${TYPING}\t${TYPING}(?:\t|$)`)),
  open(file) {
    return lineSource(file, {
      title: 'HLA-HD',
      reading:
        'one line per locus; - means homozygous (for DRB3, DRB4 and DRB5 one copy), Not typed means untyped',
      reader: () => readLine,
    })
  },
}

/** More than two typings have no place, and fail as surplus. */
function readLine(text: string, line: number): readonly TypingRecord[] {
  const [locus = '', ...typings] = text.split('\t').map((part) => part.trim())
  if (text.trim() === '') return []
  // one chromosome may lack the gene: one detected allele is one copy
  const again = DRB345.includes(locus) ? '' : typings[0]
  return typings.map((typing, at) => ({
    person: undefined,
    locus,
    typing: read(typing === '-' && at > 0 ? (again ?? '') : typing),
    slot: at === 0 ? 1 : at === 1 ? 2 : undefined,
    line,
    values: [],
  }))
}

function read(typing: string): string {
  return typing === 'Not typed' || typing === '-' ? '' : typing.replaceAll('HLA-', '').replaceAll(',', '/')
}
