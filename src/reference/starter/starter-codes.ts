/** data/starter/codes.tsv: short multiple allele codes and their expansions. */
import { createHash } from 'node:crypto'
import { encodeMacTable } from '../mac-table.ts'
import { readDataLines, readHeader } from '../sources/lines.ts'

/** Bytes of a MacTable. `text` is the file's. */
export function encodeStarterCodes(text: string): Uint8Array {
  const { date = '' } = readHeader(text)
  const [, ...lines] = readDataLines(text)
  const codes = lines.map(({ text: line }) => {
    const [code = '', expansion = ''] = line.split('\t')
    return [code, expansion] as const
  })
  return encodeMacTable({ date, codes }, createHash('sha256').update(text).digest('hex'))
}
