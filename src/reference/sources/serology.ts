/** `wmda/rel_ser_ser.txt`: broad antigens with their splits and associated antigens. */
import { readDataLines } from './lines.ts'

export interface SerologyRow {
  /** `A`, `B`, `Cw`, `DQ`, `DR`, `Dw`: the letters antigens begin with. */
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
    const named = (list: string) => (list === '' ? [] : list.split('/').map((antigen) => locus + antigen))
    rows.push({ locus, antigen: locus + number, splits: named(splits), associated: named(associated) })
  }
  return rows
}
