/** splits: broad and split antigens of an antigen or allele group. */
import { splitsOf } from '../../engine/antigens.ts'
import { DATASET_SCHEMA, datasetOf } from '../answers/ipd-version.ts'
import { defineOperation, NOTES_SCHEMA, withNotes } from '../operation.ts'

export const splitsOperation = defineOperation({
  name: 'splits',
  group: 'names',
  summary: 'Print the broad and split antigens of an antigen or allele group',
  http: {
    method: 'GET',
    path: '/splits/{allele}',
    hasNoBadTyping: true,
    failure: 'unknown-antigen',
  },
  subject: 'allele',
  answer: 'broad',
  input: {
    type: 'object',
    properties: {
      allele: { type: 'string', description: 'an antigen (A10) or locus and first field (A*10)' },
    },
    required: ['allele'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: {
      allele: { type: 'string' },
      broad: { type: 'string' },
      splits: { type: 'array', items: { type: 'string' } },
      dataset: DATASET_SCHEMA,
      notes: NOTES_SCHEMA,
    },
    required: ['allele', 'broad', 'splits'],
    additionalProperties: false,
  },
  examples: [
    { command: "hla splits 'A25'", output: 'A10\tA25/A26/A34/A66' },
    { command: "hla splits 'HLA-A*10'", output: 'HLA-A*10\tHLA-A*25/HLA-A*26/HLA-A*34/HLA-A*66' },
    { command: "hla splits 'B14'", output: 'B14\tB64/B65' },
  ],
  run: ({ allele }, knowledge) => {
    const { broad, splits, notes } = splitsOf(knowledge.engine(), allele)
    return { allele, broad, splits, ...datasetOf(knowledge), ...withNotes(notes) }
  },
  toText: ({ broad, splits }) => `${broad}\t${splits.join('/')}`,
})
