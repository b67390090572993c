/** ard: the two-field form of the antigen recognition domain of one allele. */
import { advice, command } from '../../advice.ts'
import { redux } from '../../engine/redux.ts'
import { HlaError } from '../../errors.ts'
import { packageVersion } from '../../package-root.ts'
import { withAdvice } from '../answers/advice.ts'
import {
  DATASET_SCHEMA,
  defineOperation,
  describeDataset,
  ipdVersion,
  NOTES_SCHEMA,
  withNotes,
} from '../operation.ts'
import { answerWithOptions, READING_PROPERTIES } from '../answers/lifting.ts'
import { OPTIONS_SCHEMA } from '../options-schema.ts'
import { object } from '../schema.ts'

export const ardOperation = defineOperation({
  name: 'ard',
  group: 'reduce',
  summary: 'Print the two-field ARD form of one allele or MAC (as redux by method lgx)',
  http: {
    method: 'GET',
    path: '/ard/{allele}',
    summary: 'Returns the two-field name (method lgx) of one allele or MAC',
    empty: {
      codes: ['no-alleles'],
      output: ({ allele }, knowledge) => ({
        allele,
        ard: '',
        ipd_version: ipdVersion(knowledge),
        hla_version: packageVersion(),
        ...describeDataset(knowledge),
      }),
    },
    plain: ({ ard }) => ard,
    // the contract's name for the version of the reducing library
    more: { pyard_version: { type: 'string', description: 'version of this program' } },
    toBody: (output) => ({ ...output, pyard_version: output.hla_version }),
  },
  subject: 'allele',
  answer: 'ard',
  input: object(['allele'], {
    allele: { type: 'string', description: 'one allele, group, MAC, XX code or antigen' },
    options: OPTIONS_SCHEMA,
    ...READING_PROPERTIES,
  }),
  output: object(['allele', 'ard', 'ipd_version', 'hla_version'], {
    allele: { type: 'string' },
    ard: { type: 'string' },
    ipd_version: { type: 'integer' },
    hla_version: { type: 'string', description: 'version of this program' },
    dataset: DATASET_SCHEMA,
    notes: NOTES_SCHEMA,
  }),
  examples: [
    { command: "hla ard 'A*01:01:01:01'", output: 'A*01:01' },
    { command: "hla ard 'A*01:AB'", output: 'A*01:01/A*01:02' },
    { command: "hla ard 'HLA-DPA1*02:07:01'", output: 'HLA-DPA1*02:02' },
  ],
  run: (input, knowledge) =>
    withAdvice(input.allele, knowledge, () => {
      checkSingle(input.allele)
      return answerWithOptions(input.allele, input, knowledge, (read) => {
        const { text, notes } = redux(knowledge.engine(input.options, read.membersOf), read.text, 'lgx')
        return {
          allele: input.allele,
          ard: text,
          ipd_version: ipdVersion(knowledge),
          hla_version: packageVersion(),
          ...describeDataset(knowledge),
          ...withNotes([...read.notes, ...read.placed(notes)]),
        }
      })
    }),
  toText: ({ ard }) => ard,
})

function checkSingle(text: string): void {
  const at = text.search(/[\^?|+~/]/)
  if (at < 0) return
  const offending = text.charAt(at)
  throw new HlaError('not-a-single-allele', `ard takes one allele or code, but there is a "${offending}"`, {
    offending,
    position: [at, at + 1],
    hint: advice`${command('redux')} takes whole GL Strings`,
  })
}
