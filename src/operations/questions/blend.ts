/** blend: DRBX of a DRB1 genotype with DRB3, DRB4 and DRB5. */
import { blendDrbx, DRBX_GENES, type DrbxGene } from '../../engine/blend.ts'
import { HlaError } from '../../errors.ts'
import { readLocus, withoutPrefix } from '../../nomenclature/allele.ts'
import { defineOperation, NOTES_SCHEMA, withNotes } from '../operation.ts'
import { object } from '../schema.ts'

export const blendOperation = defineOperation({
  name: 'blend',
  group: 'names',
  summary: 'Combine DRB3, DRB4 and DRB5 typings as the DRB1 genotype implies (DRBX)',
  http: {
    method: 'POST',
    path: '/blend',
    summary: 'Combines DRB3, DRB4 and DRB5 typings into the one that the DRB1 genotype implies (DRBX)',
    fill: { DRB3: '', DRB4: '', DRB5: '' },
    failure: 'blend-mismatch',
  },
  subject: 'DRB1_SLUG',
  answer: 'DRBX_blend',
  input: object(['DRB1_SLUG'], {
    DRB1_SLUG: { type: 'string', description: 'the DRB1 genotype, two typings joined with "+"' },
    DRB3: { type: 'string', description: 'typings of the gene; empty means not typed' },
    DRB4: { type: 'string', description: 'typings of the gene; empty means not typed' },
    DRB5: { type: 'string', description: 'typings of the gene; empty means not typed' },
  }),
  output: object(['DRBX_blend'], {
    DRBX_blend: { type: 'string', description: 'empty if none of the genes is expected or typed' },
    notes: NOTES_SCHEMA,
  }),
  examples: [
    {
      command: "hla blend 'DRB1*03:01+DRB1*04:01' --drb3 'DRB3*01:01' --drb4 'DRB4*01:03'",
      output: 'DRB3*01:01+DRB4*01:03',
    },
    { command: "hla blend 'DRB1*03:01+DRB1*01:01' --drb3 'DRB3*01:01+DRB3*01:01'", output: 'DRB3*01:01' },
    { command: "hla blend 'DRB1*01:01+DRB1*08:01' --drb3 'DRB3*01:01'", output: '', exit: 1 },
  ],
  run: ({ DRB1_SLUG, DRB3, DRB4, DRB5 }) => {
    checkGenotype(DRB1_SLUG)
    if (DRB3 === undefined && DRB4 === undefined && DRB5 === undefined) {
      throw new HlaError('bad-request', 'none of DRB3, DRB4 and DRB5 is given', {
        hint: 'pass an empty value for a gene that was not typed',
      })
    }
    const typings = { DRB3: DRB3 ?? '', DRB4: DRB4 ?? '', DRB5: DRB5 ?? '' }
    for (const gene of DRBX_GENES) checkTypings(gene, typings[gene])
    const { text, notes } = blendDrbx(DRB1_SLUG, typings)
    return { DRBX_blend: text, ...withNotes(notes) }
  },
  toText: ({ DRBX_blend }) => DRBX_blend,
})

/** Requires two typings: one chromosome does not determine the expected genes. */
function checkGenotype(text: string): void {
  const typings = text.split('+')
  if (typings.length === 2 && typings.every((typing) => readLocus(withoutPrefix(typing)) === 'DRB1')) return
  throw new HlaError('bad-syntax', 'blend takes the two DRB1 typings of a genotype, joined with "+"', {
    offending: text,
    position: [0, text.length],
  })
}

/** Refuses typings of another gene, which would be taken for this one's. The names themselves are not looked up. */
function checkTypings(gene: DrbxGene, text: string): void {
  const parts = text.trim() === '' ? [] : text.split('+')
  const other = parts.find((part) => !withoutPrefix(part.trim()).startsWith(`${gene}*`))
  if (other === undefined) return
  const at = text.indexOf(other)
  throw new HlaError(
    'bad-syntax',
    `the ${gene} input takes typings of ${gene}, not ${JSON.stringify(other)}`,
    {
      offending: text,
      position: [at, at + other.length],
    },
  )
}
