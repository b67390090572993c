/** `wmda/hla_nom_g.txt` and `wmda/hla_nom_p.txt`: one group per line, `locus*;members;name`. */
import { readDataLines } from './lines.ts'

export interface GroupRow {
  /** Full names, locus included, in the order of the file. */
  readonly members: readonly string[]
  /** Full name as published: `A*01:01:01G`. Lines without one are alleles outside every group and yield no row. */
  readonly name: string
}

export function parseGroups(text: string): GroupRow[] {
  const rows: GroupRow[] = []
  for (const { text: line } of readDataLines(text)) {
    const [locus, members, name] = line.split(';')
    if (!locus || !members || !name) continue
    rows.push({ members: members.split('/').map((member) => locus + member), name: locus + name })
  }
  return rows
}
