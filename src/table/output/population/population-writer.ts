/** Writes a person a row in a format of population genetics, and says of which typings it cannot. */
import { assured, HlaError } from '../../../errors.ts'
import type { CellAnswer } from '../../cells/answers.ts'
import type { Dialect } from '../../input/dialect.ts'
import { encodeByteText, readable } from '../../input/encoding.ts'
import type { TableRow } from '../../input/read-table.ts'
import { DRB345 } from '../../plan/locus-spellings.ts'
import type { PlannedGroup, TablePlan } from '../../plan/plan.ts'
import type { WriteRequest } from '../../plan/table-request.ts'
import type { ConvertedRow, RowWriter } from '../written-row.ts'
import { genotypeReader } from './genotype.ts'
import { findGenotypes, type GenotypeRequest, refuseGenotype } from './locus-genotypes.ts'
import type { PersonRole } from './person-columns.ts'
import type { PopulationFormat } from './population-format.ts'
import { findPopulationFormat } from './population-formats.ts'
import { findPopulationLayout } from './population-layout.ts'

/** @throws {HlaError} usage — the table does not have what the format wants */
export function populationWriter(plan: TablePlan, dialect: Dialect, request: WriteRequest): RowWriter {
  const format = assured(findPopulationFormat(request.format), 'a table is written in one of these formats')
  const layout = findPopulationLayout(plan, format, request)
  const isHomozygous = request.secondBlank === 'homozygous'
  const asked: GenotypeRequest = { format, isHomozygous, read: genotypeReader() }
  const release = plan.groups[0]?.context.facts.label ?? ''
  const ended = (text: string) => (request.eol === 'crlf' ? text.replaceAll('\n', '\r\n') : text)
  const encoded = (text: string) => encodeByteText(ended(text), dialect.encoding)
  const value = (row: TableRow, column: number) => readable(row.values[column] ?? '', dialect.encoding).trim()
  const role = (row: TableRow) => (name: PersonRole) => {
    const column = layout.roles.get(name)
    return column === undefined ? '' : written(name, value(row, column))
  }
  return {
    mark: encoded(format.head(layout.loci)),
    upper: '',
    head: '',
    other: () => '',
    again: () => '',
    fault: (row) => findFault(row),
    held: (group, answers) => heldAnswers(group, answers, asked),
    row({ row, answers }: ConvertedRow) {
      // which person it is, nobody knows
      if (answers.size === 0) return ''
      const genotypes = findGenotypes(plan.groups, answers, asked)
      const ordered =
        format.loci?.map((locus) => genotypes.find((one) => one.locus === locus) ?? NOT_TYPED(locus)) ??
        genotypes
      const id = value(row, layout.idColumn)
      return encoded(format.row({ id, release, role: role(row), genotypes: ordered }))
    },
  }

  function findFault(row: TableRow): HlaError | undefined {
    const id = value(row, layout.idColumn)
    if (id === '') return notInFormat(`a row without a name of the person`, format)
    const all = [id, ...[...layout.roles.values()].map((column) => value(row, column))]
    const wrong = all.find((one) => format.forbidden.test(one))
    if (wrong !== undefined) return notInFormat(`${JSON.stringify(wrong)} as the value of a column`, format)
    const sex = layout.roles.get('sex')
    if (sex !== undefined && readSex(value(row, sex)) === undefined)
      return notInFormat(`the sex ${JSON.stringify(value(row, sex))}`, format)
    return undefined
  }
}

function NOT_TYPED(locus: string) {
  return { locus, genotype: undefined }
}

function written(role: PersonRole, value: string): string {
  return role === 'sex' ? (readSex(value) ?? '') : value
}

/** As in a PLINK pedigree: 1 is male, 2 female, 0 unknown. */
function readSex(text: string): string | undefined {
  const word = text.toLowerCase()
  if (['1', 'm', 'male'].includes(word)) return '1'
  if (['2', 'f', 'female'].includes(word)) return '2'
  return ['', '0', 'u', 'na', 'unknown'].includes(word) ? '0' : undefined
}

/** The answers of a locus, with an error in place of what the format cannot hold. */
function heldAnswers(
  group: PlannedGroup,
  answers: readonly CellAnswer[],
  request: GenotypeRequest,
): readonly CellAnswer[] {
  const { format } = request
  const isAbsentHeld = format.absent !== undefined && DRB345.includes(group.locus ?? '')
  const single = answers.map((answer) => {
    if (answer.status === 'new') return refused(answer, 'a new allele', format)
    if (answer.status === 'absent' && !isAbsentHeld) return refused(answer, 'an absent gene', format)
    return answer
  })
  const reason = refuseGenotype(group, single, request)
  if (reason === undefined) return single
  return single.map((answer) => (answer.status === 'ok' ? refused(answer, reason, format) : answer))
}

function refused({ kind }: CellAnswer, what: string, format: PopulationFormat): CellAnswer {
  return { status: 'error', results: [], kind, error: notInFormat(what, format), notes: [] }
}

function notInFormat(what: string, { title }: PopulationFormat): HlaError {
  return new HlaError('not-in-format', `${title} cannot hold ${what}`)
}
