/** SpecHLA, `hla.result.txt`: a line with the release, a header with `HLA_A_1`, and one row per sample. */
import type { TypingRecord } from '../typing-record.ts'
import { type ProgramFormat, beginsWith, lineSource } from './line-records.ts'

const isWrittenBy = beginsWith(/^#/, /^Sample(?:\tHLA_[A-Z0-9]+_[12])+\s*$/)

export const SPEC_HLA: ProgramFormat = {
  name: 'spechla',
  summary: 'SpecHLA',
  example: 'Sample\tHLA_A_1\tHLA_A_2 … S1\tA*02:01:01:01\tA*24:02:01:01',
  isWrittenBy,
  open(file) {
    if (!isWrittenBy(file.lines)) return undefined
    return lineSource(file, {
      title: 'SpecHLA',
      reading: 'one row per sample below HLA_A_1, HLA_A_2 and so on',
      reader: newReader,
    })
  },
}

function newReader(): (text: string, line: number) => readonly TypingRecord[] {
  let columns: readonly { readonly locus: string; readonly slot: 1 | 2 }[] | undefined
  return (text, line) => {
    if (text.startsWith('#') || text.trim() === '') return []
    const [person = '', ...cells] = text.split('\t').map((cell) => cell.trim())
    if (columns === undefined) {
      columns = cells.map((name) => ({ locus: name.slice(4, -2), slot: name.endsWith('1') ? 1 : 2 }))
      return []
    }
    return columns.map(({ locus, slot }, at) => ({
      person,
      locus,
      typing: (cells[at] ?? '').replaceAll(';', '/'),
      slot,
      line,
      values: [],
    }))
  }
}
