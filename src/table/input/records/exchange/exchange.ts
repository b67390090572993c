/** THE LIST of documents that laboratories and registries exchange. */
import type { RecordFormat } from '../typing-record.ts'
import { DONOR_JSON } from './donor-json.ts'
import { FHIR } from './fhir.ts'
import { HML } from './hml.ts'
import { WMDA } from './wmda.ts'

export const EXCHANGE: readonly RecordFormat[] = [HML, WMDA, FHIR, DONOR_JSON]
