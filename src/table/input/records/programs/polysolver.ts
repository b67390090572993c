/** POLYSOLVER, `winners.hla.txt`: `HLA-A<TAB>hla_a_02_01_01_01<TAB>hla_a_24_02_01_01`. */
import type { TypingRecord } from '../typing-record.ts'
import { type ProgramFormat, lineSource, matchesMostLines } from './line-records.ts'

export const POLYSOLVER: ProgramFormat = {
  name: 'polysolver',
  summary: 'POLYSOLVER',
  example: 'HLA-A\thla_a_02_01_01_01\thla_a_24_02_01_01',
  isWrittenBy: matchesMostLines(
    /^HLA-([A-Z0-9]+)\thla_[a-z0-9]+(?:_\d+)+[a-z]?\thla_[a-z0-9]+(?:_\d+)+[a-z]?\s*$/,
  ),
  open(file) {
    return lineSource(file, {
      title: 'POLYSOLVER',
      reading: 'one line per locus; hla_a_02_01 is A*02:01',
      reader: () => readLine,
    })
  },
}

function readLine(text: string, line: number): readonly TypingRecord[] {
  const [locus = '', ...names] = text.trim().split('\t')
  if (locus === '') return []
  return names.map((name, at) => ({
    person: undefined,
    locus: locus.replace(/^HLA-/, ''),
    typing: spelled(name),
    slot: at === 0 ? 1 : at === 1 ? 2 : undefined,
    line,
    values: [],
  }))
}

/** Names in another form are unchanged, and fail. */
function spelled(name: string): string {
  const [, locus, fields, suffix = ''] = /^hla_([a-z0-9]+)((?:_\d+)+)([a-z]?)$/.exec(name) ?? []
  if (locus === undefined || fields === undefined) return name
  return `${locus.toUpperCase()}*${fields.slice(1).replaceAll('_', ':')}${suffix.toUpperCase()}`
}
