/** redux: reduce a GL String to a level. */
import { DEFAULT_METHOD, METHOD_NAMES, parseMethod } from '../../engine/reduce/methods.ts'
import { redux } from '../../engine/redux.ts'
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
import { AS_PROPERTY, writeAs } from '../answers/gl-string-code.ts'
import { answerWithOptions } from '../answers/lifting.ts'
import { REDUCTION_INPUT } from '../reduction-schema.ts'

export const reduxOperation = defineOperation({
  name: 'redux',
  group: 'reduce',
  summary: 'Reduce typings (GL Strings, alleles, MACs, XX codes, antigens)',
  http: {
    method: 'POST',
    path: '/redux',
    required: ['reduction_method'],
    fill: { reduction_method: DEFAULT_METHOD },
    empty: {
      codes: ['no-serology', 'no-alleles'],
      output: ({ gl_string, reduction_method = DEFAULT_METHOD }, knowledge) => ({
        gl_string,
        reduction_method,
        ard: '',
        ipd_version: ipdVersion(knowledge),
        status: 'ok' as const,
        ...describeDataset(knowledge),
      }),
    },
    // the contract's name for the version of the library that reduces
    more: { pyard_version: { type: 'string', description: 'version of this program' } },
    toBody: (output) => ({ ...output, pyard_version: packageVersion() }),
  },
  subject: 'gl_string',
  answer: 'ard',
  input: { ...REDUCTION_INPUT, properties: { ...REDUCTION_INPUT.properties, as: AS_PROPERTY } },
  output: {
    type: 'object',
    properties: {
      gl_string: { type: 'string' },
      reduction_method: { type: 'string', enum: METHOD_NAMES },
      ard: { type: 'string', description: 'the reduced GL String; never empty' },
      ipd_version: { type: 'integer' },
      status: { type: 'string', enum: ['ok'] },
      dataset: DATASET_SCHEMA,
      notes: NOTES_SCHEMA,
    },
    required: ['gl_string', 'reduction_method', 'ard', 'ipd_version', 'status'],
    additionalProperties: false,
  },
  examples: [
    { command: "hla redux -m G 'A*01:01:01:01'", output: 'A*01:01:01G' },
    {
      command: "hla redux 'HLA-A*01:01:01+HLA-A*02:AB^HLA-B*07:02'",
      output: 'HLA-A*01:01+HLA-A*02:01/HLA-A*02:02^HLA-B*07:02',
    },
    { command: "hla redux -m S 'A*01:01+A*02:01'", output: 'A1+A2' },
    {
      command: "printf 'id,A_1,A_2\\n1,01:01:01,02:AB\\n' | hla redux -d ,",
      output: 'id,A_1,A_1_lgx,A_2,A_2_lgx\n1,01:01:01,A*01:01,02:AB,A*02:01/A*02:02',
    },
  ],
  run: (input, knowledge) =>
    withAdvice(input.gl_string, knowledge, () => {
      const method = parseMethod(input.reduction_method ?? DEFAULT_METHOD)
      return answerWithOptions(input.gl_string, { ...input, liftsMembers: input.lift }, knowledge, (read) => {
        const { text, notes } = redux(knowledge.engine(input.options, input.lift), read.text, method)
        return {
          gl_string: input.gl_string,
          reduction_method: method,
          ard: writeAs(text, input.as, knowledge.release.facts.label),
          ipd_version: ipdVersion(knowledge),
          status: 'ok' as const,
          ...describeDataset(knowledge),
          ...withNotes([...read.notes, ...read.placed(notes)]),
        }
      })
    }),
  toText: ({ ard }) => ard,
  brief: ({ ard, notes }) => (notes === undefined ? ard : undefined),
  cells: {
    columns: ({ reduction_method = DEFAULT_METHOD }) => [reduction_method],
    outcome: ({ ard }) => ({ results: [ard] }),
    areTypings: true,
    isByTyping: true,
    notesMembers: true,
  },
})
