/** The formats with a person a row that are no tables, by the name that --output-format has for them. */
import type { OutputFormatName } from '../../plan/output-format-names.ts'
import { ARLEQUIN } from './arlequin.ts'
import { FHIR_LINES } from './fhir.ts'
import { GRIMM } from './grimm.ts'
import { HAPLOMAT } from './haplomat.ts'
import { HPED } from './hped.ts'
import type { PopulationFormat } from './population-format.ts'
import { PYPOP } from './pypop.ts'
import { UNIFORMAT } from './uniformat.ts'

export const POPULATION_FORMATS: ReadonlyMap<OutputFormatName, PopulationFormat> = new Map<
  OutputFormatName,
  PopulationFormat
>([
  ['pypop', PYPOP],
  ['arlequin', ARLEQUIN],
  ['uniformat', UNIFORMAT],
  ['haplomat', HAPLOMAT],
  ['grimm', GRIMM],
  ['hped', HPED],
  ['fhir', FHIR_LINES],
])

/** undefined: it is another kind of format. */
export function findPopulationFormat(name: OutputFormatName | undefined): PopulationFormat | undefined {
  return name === undefined ? undefined : POPULATION_FORMATS.get(name)
}
