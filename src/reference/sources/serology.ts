/** `wmda/rel_ser_ser.txt`: broad antigens with their splits and associated antigens. */
import { readDataLines } from './lines.ts'

export interface SerologyRow {
  /** `A`, `B`, `Cw`, `DQ`, `DR`, `Dw`: the letters of antigens; `DR5` before the `1` of DR51. */
  readonly locus: string
  /** `A9` */
  readonly antigen: string
  readonly splits: readonly string[]
  readonly associated: readonly string[]
}

export function parseSerology(text: string): SerologyRow[] {
  const rows: SerologyRow[] = []
  for (const { text: line } of readDataLines(text)) {
    const [locus, number, splits, associated] = line.split(';')
    if (!locus || !number || splits === undefined || associated === undefined) continue
    const antigen = locus + number
    // `DR5;1;;01/02/03` of 2026: two digits after an antigen whose own number begins in the first column
    const before = /\d$/.test(locus) ? antigen : locus
    rows.push({ locus, antigen, splits: named(locus, splits), associated: named(before, associated) })
  }
  return rows
}

function named(before: string, list: string): string[] {
  return list === '' ? [] : list.split('/').map((number) => before + number)
}
