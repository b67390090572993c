/** xHLA, `report-SAMPLE-hla.json`: alleles of all genes in one list, with the sample. */
import { HlaError } from '../../../../errors.ts'
import { locusInTyping } from '../../../plan/locus-header.ts'
import { asFields, jsonSource, type JsonTyping } from './json-records.ts'
import { documentIn, type ProgramFormat } from './line-records.ts'

export const X_HLA: ProgramFormat = {
  name: 'xhla',
  summary: 'xHLA',
  example: '{"report_type": "hla_typing", "sample_id": "17", "hla": {"alleles": ["A*02:01"]}}',
  isWrittenBy(lines) {
    const begun = documentIn(lines)
    const isReport = begun.startsWith('{') && /"report_type"\s*:\s*"hla_typing"/.test(begun)
    return isReport && begun.includes('"alleles"')
  },
  open(file) {
    return jsonSource(file, { title: 'xHLA', reading: 'the list of alleles of a sample', read: readDocument })
  },
}

function readDocument(document: unknown): readonly JsonTyping[] {
  const { sample_id, subject_id, hla } = asFields(document) ?? {}
  const alleles = asFields(hla)?.['alleles']
  if (!Array.isArray(alleles)) throw unexpected('hla.alleles')
  const named = [sample_id, subject_id].find((one) => typeof one === 'string' && one !== '')
  return alleles.map((typing: unknown) => {
    const locus = typeof typing === 'string' ? locusInTyping(typing) : undefined
    if (typeof typing !== 'string' || locus === undefined) throw unexpected(String(typing))
    return { person: typeof named === 'string' ? named : undefined, locus, typing, slot: undefined }
  })
}

function unexpected(where: string): HlaError {
  return new HlaError(
    'io',
    `${JSON.stringify(where)} is not in the format of xHLA, which lists alleles with their genes`,
  )
}
