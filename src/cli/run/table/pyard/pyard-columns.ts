/** Columns in the configuration of py-ard's batch tool -> options. Pure. */
import { HlaError } from '../../../../errors.ts'
import type { LocusColumns, PyardSettings } from './pyard-settings.ts'

/** @throws {HlaError} usage — a name that no option can hold */
export function columnArguments(settings: PyardSettings): string[] {
  const { locus_column_mapping: mapping = {}, glstring_columns: strings = [] } = settings
  return [
    ...locusWords(mapping),
    ...(strings.length === 0 ? [] : ['-g', formatColumns(strings)]),
    ...(Object.keys(mapping).length + strings.length === 0 ? [] : ['--only-named']),
    ...(settings.generate_glstring === true ? ['--gl-out', nameFor(mapping, 'gl')] : []),
    ...(settings.generate_glstring === true && settings.homozygosify_glstring === true
      ? ['--second-blank', 'homozygous']
      : []),
    ...(settings.map_drb345_to_drbx === true && hasSixColumns(mapping)
      ? ['--drbx', nameFor(mapping, 'DRBX')]
      : []),
  ]
}

function locusWords(mapping: LocusColumns): string[] {
  const subjects = Object.entries(mapping)
  return subjects.flatMap(([subject, loci]) =>
    Object.entries(loci).flatMap(([locus, columns]) => {
      const who = subjects.length === 1 ? '' : `${subject}:`
      return ['-l', `${who}${locus.toUpperCase()}=${formatColumns(columns)}`]
    }),
  )
}

/** One subject's columns are named after it here, several are there too. */
function nameFor(mapping: LocusColumns, name: string): string {
  const [subject, another] = Object.keys(mapping)
  return subject === undefined || another !== undefined ? name : `${subject}_${name}`
}

/** Two each of DRB3, DRB4 and DRB5; the peer does it for such subjects only. */
function hasSixColumns(mapping: LocusColumns): boolean {
  return Object.values(mapping).some((loci) => {
    const drb345 = Object.entries(loci).filter(([locus]) => /^DRB[345]$/i.test(locus))
    return drb345.flatMap(([, columns]) => columns).length === 6
  })
}

function formatColumns(columns: readonly string[]): string {
  const wrong = columns.find((column) => column.includes(',') || column.trim() !== column || column === '')
  if (wrong !== undefined)
    throw new HlaError('usage', `a column named ${JSON.stringify(wrong)} cannot be chosen by name`, {
      offending: wrong,
      hint: 'rename it in the table',
    })
  // digits alone are the number of a column
  return columns.map((column) => (/^\d+$/.test(column) ? `=${column}` : column)).join(',')
}
