/** splits: broad and split antigens of an antigen or allele group. */
import { findSplits } from '../../engine/antigens.ts'
import { DATASET_SCHEMA, defineOperation, describeDataset, NOTES_SCHEMA, withNotes } from '../operation.ts'
import { object } from '../schema.ts'

export const splitsOperation = defineOperation({
  name: 'splits',
  group: 'names',
  summary: 'Print the broad and split antigens of an antigen or allele group',
  http: {
    method: 'GET',
    path: '/splits/{allele}',
    summary: 'Returns the broad antigen and the split antigens of an antigen or allele group',
    hasNoBadTyping: true,
    failure: 'unknown-antigen',
  },
  subject: 'allele',
  answer: 'broad',
  input: object(['allele'], {
    allele: { type: 'string', description: 'an antigen (A10) or locus and first field (A*10)' },
    associated: {
      type: 'boolean',
      description:
        'print the antigen it is associated with and all antigens associated with that one, in place of the broad antigen and its splits',
    },
  }),
  output: object(['allele', 'broad', 'splits'], {
    allele: { type: 'string' },
    broad: {
      type: 'string',
      description: 'the broad antigen; with option associated, the antigen with which others are associated',
    },
    splits: {
      type: 'array',
      items: { type: 'string' },
      description: 'its splits; with option associated, the associated antigens',
    },
    levels: {
      type: 'object',
      description: 'antigens associated with the broad antigen and with its splits, separated by "/"',
      additionalProperties: { type: 'string' },
    },
    dataset: DATASET_SCHEMA,
    notes: NOTES_SCHEMA,
  }),
  examples: [
    { command: "hla splits 'A25'", output: 'A10\tA25/A26/A34/A66' },
    { command: "hla splits 'HLA-A*10'", output: 'HLA-A*10\tHLA-A*25/HLA-A*26/HLA-A*34/HLA-A*66' },
    { command: "hla splits 'B14'", output: 'B14\tB64/B65' },
    { command: "hla splits --associated 'A203'", output: 'A2\tA203/A210' },
  ],
  run: ({ allele, associated }, knowledge) => {
    const found = findSplits(knowledge.engine(), allele, associated)
    const { broad, splits, notes } = found
    const levels = Object.entries(found.associated).map(([antigen, all]) => [antigen, all.join('/')] as const)
    return {
      allele,
      broad,
      splits,
      ...(levels.length === 0 ? {} : { levels: Object.fromEntries(levels) }),
      ...describeDataset(knowledge),
      ...withNotes(notes),
    }
  },
  toText: ({ broad, splits }) => `${broad}\t${splits.join('/')}`,
})
