/** cwd: keep the common and well-documented alleles of a list. */
import { command } from '../../advice.ts'
import { keepCommon } from '../../engine/cwd.ts'
import { HlaError } from '../../errors.ts'
import {
  type Catalogue,
  CATALOGUE_IDS,
  ciwd3Catalogue,
  cwd2Catalogue,
  DEFAULT_CIWD_FILTER,
} from '../../reference/catalogues.ts'
import { CIWD_CATEGORIES, CIWD_POPULATIONS } from '../../reference/sources/ciwd.ts'
import { withAdvice } from '../answers/advice.ts'
import { DATASET_SCHEMA, defineOperation, describeDataset, NOTES_SCHEMA, withNotes } from '../operation.ts'
import type { Knowledge } from '../knowledge.ts'
import { answerWithOptions, READING_PROPERTIES } from '../answers/lifting.ts'
import type { ValueOf } from '../schema.ts'

const INPUT = {
  type: 'object',
  properties: {
    gl_string: { type: 'string', description: 'an allele list or a MAC' },
    catalogue: { type: 'string', enum: CATALOGUE_IDS, description: 'CWD 2.0.0 (default) or CIWD 3.0.0' },
    categories: {
      type: 'array',
      items: { type: 'string', enum: CIWD_CATEGORIES },
      description: 'categories of CIWD 3.0.0 to keep (default C, I, WD)',
    },
    populations: {
      type: 'array',
      items: { type: 'string', enum: CIWD_POPULATIONS },
      description: 'populations of CIWD 3.0.0 to look in (default TOTAL)',
    },
    no_mac: { type: 'boolean', description: 'do not look up the MAC of the result' },
    ...READING_PROPERTIES,
  },
  required: ['gl_string'],
  additionalProperties: false,
} as const

export const cwdOperation = defineOperation({
  name: 'cwd',
  group: 'reduce',
  summary: 'Keep only common and well-documented alleles, with the MAC of the result',
  http: {
    method: 'POST',
    path: '/cwd-redux',
    summary: 'Keeps the common and well-documented alleles of a typing, and returns the MAC of those',
    failure: 'not-in-catalogue',
    empty: {
      codes: ['not-in-catalogue'],
      output: (input, knowledge) => ({
        gl_string: input.gl_string,
        cwd: '',
        cwd_mac: '',
        catalogue: chosenCatalogue(input, knowledge).title,
        ...describeDataset(knowledge),
      }),
    },
  },
  subject: 'gl_string',
  answer: 'cwd',
  input: INPUT,
  output: {
    type: 'object',
    properties: {
      gl_string: { type: 'string' },
      cwd: { type: 'string', description: 'the members, separated by "/"; never empty' },
      cwd_mac: { type: 'string', description: 'the MAC of the members; empty when there is none' },
      catalogue: { type: 'string' },
      dataset: DATASET_SCHEMA,
      notes: NOTES_SCHEMA,
    },
    required: ['gl_string', 'cwd', 'cwd_mac', 'catalogue'],
    additionalProperties: false,
  },
  examples: [
    {
      command: "hla cwd 'B*15:01:01/B*15:01:03/B*15:04/B*15:07/B*15:26N/B*15:27'",
      output: 'B*15:01/B*15:04/B*15:07/B*15:27\t',
    },
    { command: "hla cwd 'A*01:AB'", output: 'A*01:01/A*01:02\tA*01:AB' },
    { command: "hla cwd 'HLA-A*01:01:01:01'", output: 'HLA-A*01:01\t' },
    {
      command: "printf 'id,A_1\\n1,01:01/01:04N/01:06\\n' | hla cwd -d , --no-mac",
      output: 'id,A_1,A_1_cwd\n1,01:01/01:04N/01:06,A*01:01/A*01:04N/A*01:06',
    },
  ],
  run: (input, knowledge) =>
    withAdvice(input.gl_string, knowledge, () => {
      const { gl_string, no_mac } = input
      const catalogue = chosenCatalogue(input, knowledge)
      // the catalogues contain two-field names
      return answerWithOptions(gl_string, { ...input, keepsFields: true }, knowledge, (read) => {
        const { names, mac, notes } = keepCommon(knowledge.engine(), read.text, catalogue)
        const cwd_mac = no_mac === true ? '' : mac
        return {
          gl_string,
          cwd: names.join('/'),
          cwd_mac,
          catalogue: catalogue.title,
          ...describeDataset(knowledge),
          ...withNotes([...read.notes, ...read.placed(notes)]),
        }
      })
    }),
  toText: ({ cwd, cwd_mac }) => `${cwd}\t${cwd_mac}`,
  cells: {
    columns: ({ no_mac }) => (no_mac === true ? ['cwd'] : ['cwd', 'cwd_mac']),
    outcome: ({ cwd, cwd_mac }) => ({ results: [cwd, cwd_mac] }),
    areTypings: true,
  },
})

function chosenCatalogue(
  { catalogue = 'cwd2', categories, populations }: ValueOf<typeof INPUT>,
  knowledge: Knowledge,
): Catalogue {
  if (catalogue === 'cwd2') {
    if (categories === undefined && populations === undefined) return knowledge.release.derive(cwd2Catalogue)
    throw new HlaError('bad-request', 'CWD 2.0.0 has no categories or populations; those are of ciwd3')
  }
  const table = knowledge.ciwd3()
  if (table === undefined) {
    const hint = command('data catalogue', { args: ['ciwd3'] })
    throw new HlaError('no-catalogue', 'the CIWD 3.0.0 catalogue is not installed', { hint })
  }
  const chosen = {
    categories: categories ?? DEFAULT_CIWD_FILTER.categories,
    populations: populations ?? DEFAULT_CIWD_FILTER.populations,
  }
  return ciwd3Catalogue(table, chosen)
}
