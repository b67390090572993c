/** redux: reduce a GL String to a level. */
import { option } from '../../advice.ts'
import { DEFAULT_METHOD, type Method, METHOD_NAMES, parseMethod } from '../../engine/reduce/methods.ts'
import type { Engine } from '../../engine/engine.ts'
import { readGenotypes } from '../../engine/match/resolve.ts'
import { redux } from '../../engine/redux.ts'
import { refuseNulls, writeNames } from '../../engine/write-as.ts'
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
import { REDUCED_AS_PROPERTY, writeAs } from '../answers/gl-string-code.ts'
import { answerWithOptions } from '../answers/lifting.ts'
import { REDUCTION_INPUT } from '../reduction-schema.ts'
import { object } from '../schema.ts'

/** @throws {HlaError} no-molecule; bad-request — other methods map null alleles to the name of an expressed allele */
function writeReduced(
  { text, given, method }: { readonly text: string; readonly given: string; readonly method: Method },
  as: As,
  engine: Engine,
): string {
  if (as === undefined || as === 'gl' || as === 'glsc') return writeAs(text, as, engine.release.facts.label)
  if (as !== 'who') {
    if (method !== MOLECULES)
      throw new HlaError(
        'bad-request',
        `names for ${as} are molecule names, but ${method} reduces to groups`,
        {
          hint: option('method', MOLECULES),
        },
      )
    refuseNulls(given, as)
  }
  return writeNames(text, as, engine)
}

/** Method whose names are those of proteins. */
const MOLECULES: Method = 'U2'

type As = (typeof REDUCED_AS_PROPERTY)['enum'][number] | undefined

function copiesRecord(text: string, engine: Engine, method: Method) {
  return readGenotypes(text, engine, method).map((genotype) =>
    genotype.map(({ names, expressed, nulls }) => ({
      names: names.join('/'),
      expressed: expressed.join('/'),
      nulls: nulls.join('/'),
    })),
  )
}

export const reduxOperation = defineOperation({
  name: 'redux',
  group: 'reduce',
  summary: 'Reduce typings (GL Strings, alleles, MACs, XX codes, antigens)',
  http: {
    method: 'POST',
    path: '/redux',
    summary: 'Reduces a typing by one method: two fields (lgx), G groups, antigens and others',
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
    // the contract's name for the version of the reducing library
    more: { pyard_version: { type: 'string', description: 'version of this program' } },
    toBody: (output) => ({ ...output, pyard_version: packageVersion() }),
  },
  subject: 'gl_string',
  answer: 'ard',
  input: {
    ...REDUCTION_INPUT,
    properties: {
      ...REDUCTION_INPUT.properties,
      as: REDUCED_AS_PROPERTY,
      copies: { type: 'boolean', description: 'also say what each copy may be, null alleles apart' },
    },
  },
  output: object(['gl_string', 'reduction_method', 'ard', 'ipd_version', 'status'], {
    gl_string: { type: 'string' },
    reduction_method: { type: 'string', enum: METHOD_NAMES },
    ard: { type: 'string', description: 'the reduced GL String; never empty' },
    ipd_version: { type: 'integer' },
    status: { type: 'string', enum: ['ok'] },
    copies: {
      type: 'array',
      description: 'with copies: the typings of each possible genotype, in the order of the text',
      items: {
        type: 'array',
        items: object(['names', 'expressed', 'nulls'], {
          names: {
            type: 'string',
            description: 'reduced names, separated by "/"; at loci without groups full names',
          },
          expressed: { type: 'string', description: 'those that an expressed allele has' },
          nulls: { type: 'string', description: 'full names of the null alleles that it may be' },
        }),
      },
    },
    dataset: DATASET_SCHEMA,
    notes: NOTES_SCHEMA,
  }),
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
      return answerWithOptions(input.gl_string, input, knowledge, (read) => {
        const engine = knowledge.engine(input.options, read.membersOf)
        const { text, notes } = redux(engine, read.text, method)
        return {
          gl_string: input.gl_string,
          reduction_method: method,
          ard: writeReduced({ text, given: read.text, method }, input.as, engine),
          ipd_version: ipdVersion(knowledge),
          status: 'ok' as const,
          ...(input.copies === true ? { copies: copiesRecord(read.text, engine, method) } : {}),
          ...describeDataset(knowledge),
          ...withNotes([...read.notes, ...read.placed(notes)]),
        }
      })
    }),
  toText: ({ ard }) => ard,
  brief: ({ ard, notes }) => (notes === undefined ? ard : undefined),
  cells: {
    columns: ({ reduction_method = DEFAULT_METHOD }) => [reduction_method],
    outcome: ({ ard, copies }) => ({ results: [ard], copies }),
    areTypings: true,
    isByTyping: true,
    notesMembers: true,
  },
})
