/** Where in a table stands what a format of population genetics wants: decided before the first row. Pure. */
import { HlaError } from '../../../errors.ts'
import type { PlannedGroup, TablePlan } from '../../plan/plan.ts'
import type { WriteRequest } from '../../plan/table-request.ts'
import { findPersonColumns, type PersonRole } from './person-columns.ts'
import type { PopulationFormat } from './population-format.ts'

export interface PopulationLayout {
  readonly idColumn: number
  readonly roles: ReadonlyMap<PersonRole, number>
  /** Of the columns of the format; empty where a row says them. */
  readonly loci: readonly string[]
}

/** @throws {HlaError} usage — the table does not have what the format wants, or has what it cannot hold at all */
export function findPopulationLayout(
  plan: TablePlan,
  format: PopulationFormat,
  request: WriteRequest,
): PopulationLayout {
  const { title, holds, loci: fixed } = format
  const { groups, header, idColumn } = plan
  if (idColumn === undefined)
    throw new HlaError('usage', `${title} names each person, and ${header.table} has no column that does`, {
      hint: '--id-column names it',
    })
  const subjects = [...new Set(groups.map(({ subject }) => subject))]
  if (subjects.length > 1)
    throw new HlaError(
      'usage',
      `${title} has a person a row, and ${header.table} has ${subjects.join(', ')}`,
      {
        hint: '-x leaves out the columns of the others',
      },
    )
  const named = groups.flatMap(({ locus }) => (locus === undefined ? [] : [locus]))
  const labels = ({ columns }: PlannedGroup) => columns.map((column) => header.labels[column] ?? '').join(' ')
  const mixed = groups.find(({ locus }) => locus === undefined)
  if (mixed !== undefined && !holds.anyLoci)
    throw new HlaError('usage', `${title} needs a locus a column: ${labels(mixed)} may hold any`, {
      hint: '--input-format gl divides GL Strings by locus; -x leaves columns out',
    })
  const other = groups.find(({ locus = '' }) => fixed?.includes(locus) === false)
  if (other !== undefined)
    throw new HlaError(
      'usage',
      `${title} has no place for ${labels(other)}: its loci are ${fixed?.join(', ')}`,
      {
        hint: '-x leaves columns out',
      },
    )
  const twice = named.find((locus, at) => named.indexOf(locus) < at)
  if (twice !== undefined)
    throw new HlaError('usage', `${title} has one place for ${twice}, and several columns hold it`, {
      hint: '-x leaves columns out',
    })
  const roles = findPersonColumns(request.personColumns, header, format)
  return { idColumn, roles, loci: fixed ?? named }
}
