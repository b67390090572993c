/** Makes a request that converts a table. */
import { gzipSync } from 'node:zlib'
import type { Genes } from './genes.ts'
import { inlineCell, makeWorkbook } from '../workbook.ts'
import { repeated } from './repeated.ts'
import type { WorstRequest } from './requests.ts'

export function tableRequest(genes: Genes): WorstRequest {
  const words = new URLSearchParams({ name: 'a.csv', ...genes.query })
  return { method: 'POST', path: `/table?${words.toString()}`, body: bodyOf(genes) }
}

function bodyOf({ kind, unit, joint, size }: Genes): string | Buffer {
  const safe = unit.replaceAll('"', '')
  const rows = (row: (at: number) => string) => {
    const lines: string[] = []
    for (let length = 0, at = 0; length < size; at += 1) {
      const line = row(at)
      lines.push(line)
      length += line.length
    }
    return lines.join('')
  }
  switch (kind) {
    case 'table-rows':
      return `id,A_1,A_2\n${repeated(`1,${safe},${safe}\n`, size)}`
    case 'table-row':
      return `id,A_1,A_2\n${repeated(`${unit},`, size)}\n`
    case 'table-columns':
      return `${repeated(`${safe || 'A'},`, size / 2)}\n${repeated('01:01,', size / 2)}\n`
    case 'table-unknown':
      return `id,A_1,A_2\n${rows((at) => `${at},A*99:${at},B*98:${at}\n`)}`
    case 'table-unknown-gl':
      return `id,gl\n${rows((at) => `${at},"${repeated(`${safe || 'A*01:01'}${at % 7}${joint}`, 4000)}"\n`)}`
    case 'table-quoted':
      return `id,A_1,A_2\n${repeated(`"1,\n2","${safe}","${safe}"\n`, size)}`
    case 'table-gl':
      return `id,gl\n${rows((at) => `${at},A*01:01+${safe}${joint}B*07:${at}\n`)}`
    case 'table-packed':
      return gzipSync(`id,A_1,A_2\n${repeated(`1,${safe},${safe}${joint}`, size)}`, { level: 1 })
    case 'table-workbook':
      return farWorkbook(safe, size)
    case 'table-wide':
      return wideTable(safe, size)
    case 'table-wide-packed':
      return gzipSync(wideTable(safe, size), { level: 1 })
    default:
      return `id,A_1,A_2\n${repeated(unit + joint, size)}`
  }
}

/** Columns of a wide table: one less than the maximum of a row. */
const WIDE = 49_999

/** A wide table with short cells. */
function wideTable(cell: string, size: number): string {
  const row = `1${`,${cell.slice(0, 20)}`.repeat(WIDE)}\n`
  return `id,A_1,A_2${','.repeat(WIDE - 2)}\n${repeated(row, size)}`
}

/** Bytes of XML for a row with one cell. */
const FAR_ROW = 60

/** A header, and rows whose only cell is in the last column of a sheet. */
function farWorkbook(cell: string, size: number): Buffer {
  const names = ['id', 'A_1', 'A_2'].map((name, at) => inlineCell(`${'ABC'.charAt(at)}1`, name))
  const rows = Array.from({ length: Math.min(size / FAR_ROW, 1_000_000) }, (_, at) => `<row r="${at + 2}">${inlineCell(`XFD${at + 2}`, cell || '1')}</row>`) // prettier-ignore
  return makeWorkbook({ sheets: [{ name: 'S', rows: `<row r="1">${names.join('')}</row>${rows.join('')}` }] })
}
