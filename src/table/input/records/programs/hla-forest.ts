/** HLAforest: one line per allele, from the root of its tree to the leaf: `ROOT:A<TAB>ROOT:A:02<TAB>ROOT:A:02:01`. */
import type { TypingRecord } from '../typing-record.ts'
import { type ProgramFormat, lineSource, matchesMostLines } from './line-records.ts'

export const HLA_FOREST: ProgramFormat = {
  name: 'hlaforest',
  summary: 'HLAforest',
  example: 'ROOT:A\tROOT:A:02\tROOT:A:02:01',
  isWrittenBy: matchesMostLines(/^ROOT:[A-Z0-9]+(?:\tROOT:[A-Z0-9]+(?::\w+)+)*\s*$/),
  open(file) {
    return lineSource(file, {
      title: 'HLAforest',
      reading: 'one line per allele; ROOT:A:02:01 is A*02:01',
      reader: () => readLine,
    })
  },
}

function readLine(text: string, line: number): readonly TypingRecord[] {
  const leaf = text.trim().split('\t').at(-1) ?? ''
  if (leaf === '') return []
  const [, locus = '', ...fields] = leaf.split(':')
  const typing = fields.length === 0 ? '' : `${locus}*${fields.join(':')}`
  return [{ person: undefined, locus, typing, slot: undefined, line, values: [] }]
}
