/** Columns of a person, from the known cells of a row: the GL String and the pair of DRB3, DRB4 and DRB5. */
import { formatGlStringCode } from '../../nomenclature/gl-string-code.ts'
import { orderParts, parsePart } from '../../nomenclature/order.ts'
import type { CellAnswer } from '../answers/answers.ts'
import { formatDrbx } from '../output/drbx-pair.ts'
import { formatGenotype, type GlStyle } from '../output/gl-column.ts'
import type { OutputColumns } from '../plan/output-columns.ts'
import type { PlannedGroup, TablePlan } from '../plan/plan.ts'
import type { WriteRequest } from '../plan/table-request.ts'
import { failUnfitDrbx } from './convert-rows.ts'
import type { KnownCells } from './known-cells.ts'
import { type SplitRow, fieldOf, rememberedBy } from './remembered.ts'

/** Text behind the row; undefined for typings that do not fit each other, which the ordinary path explains. */
type SubjectText = (row: SplitRow) => string | undefined

/** undefined when there are no such columns. The groups have one locus each (`areKnownRows`). */
export function subjectTexts(
  { groups }: TablePlan,
  { secondBlank, glsc }: WriteRequest,
  { gl, drbx }: OutputColumns,
  { delimiter, valueIn }: Pick<KnownCells, 'valueIn'> & { readonly delimiter: string },
): SubjectText | undefined {
  if (gl.length + drbx.length === 0) return undefined
  const style = { secondBlank, method: 0 }
  const of = (subject: string) => groups.filter((group) => group.subject === subject)
  const release = glsc ? groups[0]?.context.facts.label : undefined
  const glStrings = gl.map(({ subject }) => glString(of(subject), style, release))
  const pairs = drbx.map(({ subject }) => drbxPair(of(subject), style, { delimiter, valueIn }))
  return (row) => {
    let line = ''
    for (const text of glStrings) line += delimiter + text(row)
    for (const pair of pairs) {
      const text = pair(row)
      if (text === undefined) return undefined
      line += delimiter + text
    }
    return line
  }
}

/** As `formatGlString`; the genotypes of a locus are remembered. */
function glString(
  groups: readonly PlannedGroup[],
  style: GlStyle,
  release: string | undefined,
): (row: SplitRow) => string {
  const genotypes = groups.map(({ columns, context }) =>
    rememberedBy(columns, (row) => {
      const answers = columns.flatMap((column) => row.cells[column]?.answer ?? [])
      const text = formatGenotype(answers, style, context.joined?.kind === 'split')
      return text === '' ? undefined : parsePart(text)
    }),
  )
  return (row) => {
    const parts = genotypes.map((genotype) => genotype(row)).filter((part) => part !== undefined)
    const text = orderParts(parts)
      .map((part) => part.text)
      .join('^')
    return text === '' || release === undefined ? text : formatGlStringCode(release, text)
  }
}

function drbxPair(
  groups: readonly PlannedGroup[],
  style: GlStyle,
  { delimiter, valueIn }: Pick<KnownCells, 'valueIn'> & { readonly delimiter: string },
): SubjectText {
  const own = groups.filter(({ locus = '' }) => /^DRB[1345]$/.test(locus))
  const columns = own.flatMap((group) => group.columns)
  return rememberedBy(columns, (row) => {
    const answers = new Map<number, CellAnswer>()
    const values = new Map<number, string>()
    for (const column of columns) {
      const answer = row.cells[column]?.answer
      if (answer !== undefined) answers.set(column, answer)
      values.set(column, valueIn(fieldOf(row, column)))
    }
    failUnfitDrbx(own, answers, { values, style })
    const isUnfit = [...answers.values()].some(({ status }) => status === 'error')
    return isUnfit ? undefined : formatDrbx(own, answers, style).join(delimiter)
  })
}
