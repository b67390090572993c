/**
 * FHIR R4: genotype Observations of the HLA reporting guide, whose values are GL String Codes: an Observation a line, one alone, in a Bundle, or the
 * summary of a DiagnosticReport. The guide is a draft (fhir.nmdp.org/ig/hla-reporting).
 */
import type { RecordFormat, RecordInput, RecordSource, TypingRecord } from '../typing-record.ts'
import { documentBeginning, documentDialect } from './document-source.ts'
import { fhirReader } from './fhir-reader.ts'
import { fhirResources } from './fhir-resources.ts'

export const FHIR: RecordFormat = {
  name: 'fhir',
  summary:
    'genotype Observations of the HLA reporting guide (FHIR, a draft): JSON Lines, a Bundle, a DiagnosticReport',
  example:
    '{"resourceType": "Observation", …, "valueCodeableConcept": {"coding": [{"system": "http://glstring.org", "code": "hla#3.58.0#HLA-A*01:01+HLA-A*02:01"}]}}',
  open(file, isAsked) {
    const begun = documentBeginning(file)
    const isFhir = /^\s*\{/.test(begun) && /"resourceType"\s*:\s*"[A-Z]\w*"/.test(begun)
    if (!isAsked && !isFhir) return undefined
    return {
      format: 'FHIR',
      reading: 'the GL String Codes of genotype Observations',
      personName: 'subject',
      extras: [],
      ignored: ['all other resources', 'summaries of reports beside Observations of the subject'],
      dialect: documentDialect(file),
      hasPaths: true,
      blocks: () => fhirRecords(file),
    } satisfies RecordSource
  },
}

async function* fhirRecords(file: RecordInput): AsyncGenerator<readonly TypingRecord[]> {
  const reader = fhirReader()
  for await (const resources of fhirResources(file)) yield resources.flatMap((one) => reader.read(one))
  yield reader.finish()
}
