/** arcasHLA, `SAMPLE.genotype.json`: alleles per gene; or the same for several named samples. */
import { HlaError } from '../../../../errors.ts'
import { asFields, jsonSource, type JsonTyping } from './json-records.ts'
import { documentIn, type ProgramFormat } from './line-records.ts'

const GENES = /^\{\s*(?:"[^"]*"\s*:\s*\{\s*)?"[A-Z][A-Z0-9]*"\s*:\s*\[\s*"[A-Z][A-Z0-9]*\*/

export const ARCAS_HLA: ProgramFormat = {
  name: 'arcashla',
  summary: 'arcasHLA (JSON)',
  example: '{"A": ["A*02:01:01", "A*24:02:01"], "B": ["B*07:02:01"]}',
  isWrittenBy: (lines) => GENES.test(documentIn(lines)),
  open(file) {
    return jsonSource(file, { title: 'arcasHLA', reading: 'the alleles of each gene', read: readDocument })
  },
}

function readDocument(document: unknown): readonly JsonTyping[] {
  const fields = asFields(document)
  if (fields === undefined) throw unexpected('the document')
  return Object.entries(fields).flatMap(([name, value]) => {
    if (Array.isArray(value)) return readGene(undefined, name, value)
    const genes = asFields(value)
    if (genes === undefined) throw unexpected(name)
    return Object.entries(genes).flatMap(([gene, alleles]) => readGene(name, gene, alleles))
  })
}

function readGene(person: string | undefined, locus: string, alleles: unknown): readonly JsonTyping[] {
  if (!Array.isArray(alleles)) throw unexpected(locus)
  return alleles.map((typing: unknown, at) => {
    if (typeof typing !== 'string') throw unexpected(locus)
    return { person, locus, typing, slot: at === 0 ? 1 : at === 1 ? 2 : undefined }
  })
}

function unexpected(where: string): HlaError {
  return new HlaError(
    'io',
    `${JSON.stringify(where)} is not in the format of arcasHLA, which lists alleles by gene`,
  )
}
