/**
 * FHIR R4 as JSON Lines: one Observation per genotype, with the GL String Code of the answering release (NMDP's HLA
 * reporting guide, a draft: fhir.nmdp.org/ig/hla-reporting, profile hla-genotype). Tables do not contain a result
 * status, so it is `unknown`.
 */
import type { PopulationFormat } from './population-format.ts'

export const FHIR_LINES: PopulationFormat = {
  title: 'FHIR',
  summary:
    'FHIR: one genotype Observation of the HLA reporting guide (a draft) per line, as GL String Codes; lists and possible genotypes unchanged',
  holds: { lists: true, alternatives: true, half: 'blank', anyLoci: true },
  roles: [],
  // JSON allows every character
  forbidden: /[^\s\S]/,
  head: () => '',
  row: ({ id, genotypes, release }) =>
    genotypes
      .flatMap(({ locus, genotype }) => {
        const code = genotype?.alternatives.map((copies) => copies.join('+')).join('|')
        return code === undefined ? [] : [`${ascii(JSON.stringify(observation(id, locus, glStringCode(code, release))))}\n`] // prettier-ignore
      })
      .join(''),
}

function observation(id: string, locus: string, code: string) {
  return {
    resourceType: 'Observation',
    meta: { profile: ['http://fhir.nmdp.org/ig/hla-reporting/StructureDefinition/hla-genotype'] },
    status: 'unknown',
    category: [coding('http://terminology.hl7.org/CodeSystem/observation-category', 'laboratory')],
    // genotype display name
    code: coding('http://loinc.org', '84413-4'),
    // FHIR ids are shorter than names in a table may be
    subject: { identifier: { value: id } },
    valueCodeableConcept: coding('http://glstring.org', code),
    // gene studied
    component: [
      { code: coding('http://loinc.org', '48018-6'), valueCodeableConcept: { text: `HLA-${locus}` } },
    ],
  }
}

function coding(system: string, code: string) {
  return { coding: [{ system, code }] }
}

function glStringCode(text: string, release: string): string {
  return `hla#${release}#${text.replaceAll(/(^|[|+/])(?!HLA-)/g, '$1HLA-')}`
}

/** ASCII JSON is the same in every encoding of the table; FHIR requires UTF-8. */
function ascii(json: string): string {
  return json.replaceAll(
    /[\u0080-\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
