/** similar: alleles and codes that start with a prefix. */
import { namesLike, SIMILAR_KINDS } from '../../engine/suggest/similar.ts'
import { HlaError, type Note } from '../../errors.ts'
import { refuseStarter } from '../knowledge.ts'
import { defineOperation, NOTES_SCHEMA, withNotes } from '../operation.ts'
import { object } from '../schema.ts'

export const similarOperation = defineOperation({
  name: 'similar',
  group: 'names',
  summary: 'List alleles or MACs that start with a prefix',
  http: {
    method: 'GET',
    path: '/similar/{allele_prefix}',
    summary: 'Lists the alleles or MACs that start with a prefix',
    hasNoBadTyping: true,
    failure: 'no-match',
    toBody: ({ similar, count }) => similar ?? { count },
    body: {
      oneOf: [
        { type: 'array', items: { type: 'string' }, description: 'the names' },
        { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
      ],
    },
    fromReply({ status, body }, { prefix, count }) {
      if (status !== 200 || !Array.isArray(body)) return undefined
      const names = body.map(String)
      return count === true
        ? { prefix, count: names.length }
        : { prefix, similar: names, count: names.length }
    },
  },
  subject: 'prefix',
  answer: 'similar',
  input: object(['prefix'], {
    prefix: { type: 'string', description: 'locus and at least the beginning of the first field' },
    kind: {
      type: 'string',
      enum: SIMILAR_KINDS,
      description: 'list alleles or MACs (default: MACs when letters follow the colon)',
    },
    limit: {
      type: 'integer',
      minimum: 0,
      description: 'largest number of names to list; 0 means no limit (default)',
    },
    count: { type: 'boolean', description: 'print only their number' },
  }),
  output: object(['prefix', 'count'], {
    prefix: { type: 'string' },
    similar: {
      type: 'array',
      items: { type: 'string' },
      description: 'absent if the request asks only for the count',
    },
    count: { type: 'integer', description: 'how many there are, or how many are listed' },
    notes: NOTES_SCHEMA,
  }),
  examples: [
    { command: "hla similar 'A*01:01:01:04'", output: 'A*01:01:01:04' },
    { command: "hla similar --count 'A*01:01:0'", output: '129' },
    { command: "hla similar --limit 2 'HLA-DPB1*1037'", output: 'HLA-DPB1*1037:01' },
  ],
  run: ({ prefix, kind, limit = 0, count }, knowledge) => {
    refuseStarter(knowledge, 'listing names by prefix')
    const found = namesLike(knowledge.engine(), prefix, kind)
    if (count === true) return { prefix, count: countNames(found) }
    const { names, more } = takeFrom(found, limit)
    if (names.length === 0) {
      const message = `nothing in IPD-IMGT/HLA ${knowledge.release.facts.label} starts with ${prefix.slice(0, 60)}`
      throw new HlaError('no-match', message, { offending: prefix, position: [0, prefix.length] })
    }
    return { prefix, similar: names, count: names.length, ...withNotes(more ? [noteOnLimit(limit)] : []) }
  },
  toText: ({ similar, count }) => similar?.join('\n') ?? String(count),
  isNegative: ({ count }) => count === 0,
})

function countNames(names: Iterable<string>): number {
  let count = 0
  for (const _ of names) count += 1
  return count
}

function takeFrom(found: Iterable<string>, limit: number): { names: string[]; more: boolean } {
  const names: string[] = []
  for (const name of found) {
    if (limit > 0 && names.length === limit) return { names, more: true }
    names.push(name)
  }
  return { names, more: false }
}

function noteOnLimit(limit: number): Note {
  return {
    level: 'note',
    code: 'limited',
    message: `only the first ${limit} names are listed; limit 0 lists all`,
  }
}
