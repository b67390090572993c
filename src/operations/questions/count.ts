/** count: alleles, genotypes or categories of persons, by locus and population. */
import { COUNTED, newCounter } from '../../engine/count.ts'
import { ofRelease, readPerson, type TypedLocus } from '../../engine/match/person.ts'
import { DEFAULT_METHOD } from '../../engine/reduce/methods.ts'
import { HlaError, isHlaError } from '../../errors.ts'
import { CATALOGUE_IDS } from '../../reference/catalogues.ts'
import { adviseError } from '../answers/advice.ts'
import { COUNT_SCHEMA, countCells, countQuestion, countRecord, readPossibilities } from '../answers/counting.ts' // prettier-ignore
import { readGlStringCode } from '../answers/gl-string-code.ts'
import { READING_PROPERTIES } from '../answers/lifting.ts'
import { PROBLEM_SCHEMA, problemRecord } from '../answers/problem.ts'
import type { Knowledge } from '../knowledge.ts'
import { DATASET_SCHEMA, defineOperation, describeDataset, ipdVersion } from '../operation.ts'
import { OPTIONS_SCHEMA } from '../options-schema.ts'
import { METHOD_SCHEMA } from '../reduction-schema.ts'
import { object } from '../schema.ts'
import { cwdOperation } from './cwd.ts'
import { reduxOperation } from './redux.ts'

const TEXTS = { type: 'array', items: { type: 'string' } } as const

export const countOperation = defineOperation({
  name: 'count',
  group: 'names',
  summary: 'Count the alleles, genotypes or categories of a table, by locus and population',
  http: {
    method: 'POST',
    path: '/count',
    summary: 'Counts alleles, genotypes or categories of persons, by locus and population',
    isBeyondContract: true,
  },
  subject: undefined,
  answer: 'counts',
  input: object(['gl_strings'], {
    gl_strings: { ...TEXTS, description: 'a GL String for each person' },
    by: { ...TEXTS, description: 'the population of each person' },
    of: {
      type: 'string',
      enum: COUNTED,
      description: 'alleles (default), genotypes, or categories of how common alleles are',
    },
    share: {
      type: 'boolean',
      description: 'also divide each ambiguous typing equally among its possibilities',
    },
    reduction_method: METHOD_SCHEMA,
    catalogue: { type: 'string', enum: CATALOGUE_IDS, description: 'catalogue of the categories' },
    options: OPTIONS_SCHEMA,
    ...READING_PROPERTIES,
  }),
  output: object(['of', 'persons', 'counts', 'ipd_version'], {
    of: { type: 'string', enum: COUNTED },
    reduction_method: { type: 'string', description: 'names that are counted' },
    persons: { type: 'integer' },
    counts: { type: 'array', items: COUNT_SCHEMA },
    ipd_version: { type: 'integer' },
    dataset: DATASET_SCHEMA,
    problems: { type: 'array', items: PROBLEM_SCHEMA, description: 'why typings are unread' },
  }),
  examples: [
    {
      command: 'hla count -q -i donors.csv',
      output:
        'locus,kind,name,typings,persons\nA,name,A*02:01,3,2\nA,name,A*24:02,1,1\nA,null,A*24:09N,1,1\nA,ambiguous,,1,1',
    },
    {
      command: 'hla count -q -i donors.csv --of genotypes',
      output:
        'locus,kind,name,typings,persons\nA,name,A*02:01+A*02:01,2,1\nA,name,A*02:01+A*24:02,2,1\nA,ambiguous,,2,1',
    },
    { command: 'hla count -i donors.csv --by region -o regions.csv', output: '' },
  ],
  run: (input, knowledge) => {
    const { gl_strings, by: populations = [], of = 'alleles', share = false } = input
    refuseUnpaired(gl_strings, populations)
    if (share && of === 'genotypes')
      throw new HlaError('bad-request', 'genotypes have no shares: count alleles or categories')
    const columns = { withPopulation: populations.length > 0, withShare: share }
    const counter = newCounter({
      of,
      resolve: (text) => readPossibilities(of, answerOne(text, input, knowledge)),
    })
    const problems: HlaError[] = []
    const failed = (error: unknown) => {
      if (!isHlaError(error)) throw error
      problems.push(error)
    }
    for (const [at, text] of gl_strings.entries())
      counter.add(populations[at] ?? '', readLoci(text), (_, error) => failed(error))
    return {
      of,
      ...(of !== 'categories' && { reduction_method: input.reduction_method ?? DEFAULT_METHOD }),
      persons: counter.persons(),
      counts: counter.rows(share).map((row) => countRecord(row, columns)),
      ipd_version: ipdVersion(knowledge),
      ...describeDataset(knowledge),
      ...(problems.length > 0 && {
        problems: problems.map((one) => problemRecord(adviseError(one, one.offending ?? '', knowledge))),
      }),
    }
  },
  toText: ({ counts }) => {
    const columns = columnsOf(counts)
    return counts.map((record) => countCells(record, columns).join('\t')).join('\n')
  },
  countsTables: true,
  isNegative: ({ problems = [] }) => problems.length > 0,
})

function columnsOf(
  counts: readonly { readonly population?: string | undefined; readonly share?: string | undefined }[],
) {
  const [first] = counts
  return { withPopulation: first?.population !== undefined, withShare: first?.share !== undefined }
}

/** @throws {HlaError} bad-request */
function refuseUnpaired(persons: readonly string[], populations: readonly string[]): void {
  if (populations.length === 0 || populations.length === persons.length) return
  throw new HlaError('bad-request', `by has ${populations.length} entries for ${persons.length} persons`)
}

function answerOne(text: string, asked: Readonly<Record<string, unknown>>, knowledge: Knowledge) {
  const { operation, input } = countQuestion(text, asked)
  // countQuestion makes the input of either operation
  return operation === 'cwd'
    ? cwdOperation.run(input as never, knowledge)
    : reduxOperation.run(input as never, knowledge)
}

/** A text that cannot be read is a person whose loci are unknown. */
function readLoci(text: string): ReadonlyMap<string, TypedLocus> {
  try {
    const code = readGlStringCode(text)
    const person = readPerson(code?.glString ?? text)
    return new Map([...person].map(([locus, typed]) => [locus, ofRelease(typed, code?.release)]))
  } catch (error) {
    if (!isHlaError(error)) throw error
    return new Map([['', { kind: 'unread', error }]])
  }
}
