/** A file of G or P groups line by line, including malformed lines, for comparison. Pure. */
import { readLocus, threeFields, twoFields } from '../nomenclature/allele.ts'
import { readDataLines } from './sources/lines.ts'

/** Form of group names, and the part of an allele name that decides its group. */
export interface GroupForm {
  readonly name: RegExp
  readonly of: (allele: string) => string
}

export const G_FORM: GroupForm = { name: /^\d{2,}:\d{2,}:\d{2,}G$/, of: withThreeFields }
export const P_FORM: GroupForm = {
  name: /^\d{2,}:\d{2,}P$/,
  of: (allele) => twoFields(withoutLetter(allele)),
}

/** `A*01:32` belongs to the group `A*01:32:01G`. */
function withThreeFields(allele: string): string {
  const bare = withoutLetter(allele)
  return twoFields(bare) === bare ? `${bare}:01` : threeFields(bare)
}

function withoutLetter(allele: string): string {
  return allele.replace(/[A-Z]$/, '')
}

export interface GroupLine {
  readonly members: readonly string[]
  /** Name with its locus; undefined for an allele outside every group. */
  readonly name: string | undefined
  readonly number: number
}

export interface GroupFile {
  readonly lines: readonly GroupLine[]
  /** Member -> its line. */
  readonly lineOf: ReadonlyMap<string, GroupLine>
  readonly repeated: readonly string[]
  /** Lines that are not `locus*;members;name`. */
  readonly odd: readonly number[]
  readonly loci: ReadonlySet<string>
}

export function readGroupFile(text: string, { name: shape }: GroupForm): GroupFile {
  const lines: GroupLine[] = []
  const lineOf = new Map<string, GroupLine>()
  const repeated: string[] = []
  const odd: number[] = []
  for (const { text: row, number } of readDataLines(text)) {
    const [locus = '', members = '', name, ...more] = row.split(';')
    const alleles = members.split('/').map((member) => locus + member)
    const line = { members: alleles, name: name ? locus + name : undefined, number }
    const isNamed = name !== undefined && (name === '' ? alleles.length === 1 : shape.test(name))
    if (!isNamed || more.length > 0 || !locus.endsWith('*')) odd.push(number)
    for (const allele of alleles) {
      if (lineOf.has(allele)) repeated.push(allele)
      lineOf.set(allele, line)
    }
    lines.push(line)
  }
  return { lines, lineOf, repeated, odd, loci: new Set([...lineOf.keys()].map(readLocus)) }
}
