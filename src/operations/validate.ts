/** validate: say whether a GL String is valid, and everything that is wrong with it. */
import { isMalformed, VALIDATION_LEVELS, validateGlString } from '../engine/validate.ts'
import { renamedLater } from '../engine/renamed-later.ts'
import type { Note } from '../errors.ts'
import { advised } from './advice.ts'
import { isRecord } from './http-face.ts'
import { DATASET_SCHEMA, datasetOf } from './ipd-version.ts'
import type { Knowledge } from './knowledge.ts'
import { defineOperation, NOTES_SCHEMA, withNotes } from './operation.ts'
import { OPTIONS_SCHEMA } from './options-schema.ts'
import { causeOf, PROBLEM_SCHEMA, problemRecord } from './problem.ts'

export const validateOperation = defineOperation({
  name: 'validate',
  group: 'names',
  summary: 'Say whether typings are valid, and why not',
  http: {
    method: 'POST',
    path: '/validate',
    also: [{ method: 'GET', path: '/valid' }],
    statusOf: ({ valid, malformed }) => (valid ? 200 : malformed ? 400 : 404),
    fromReply({ status, body }, { gl_string }) {
      if (!isRecord(body) || ![200, 400, 404].includes(status)) return undefined
      const { valid = false, message, cause = message } = body
      // an answer of our own service has more to say
      if ('malformed' in body) return body
      return valid === true
        ? { gl_string, valid, malformed: false }
        : { gl_string, valid: false, malformed: status === 400, message, cause }
    },
  },
  subject: 'gl_string',
  answer: 'valid',
  input: {
    type: 'object',
    properties: {
      gl_string: { type: 'string', description: 'a GL String, allele, group, MAC, XX code or antigen' },
      level: {
        type: 'string',
        enum: VALIDATION_LEVELS,
        description: 'strict: the first two fields must exist (default); exists: all fields; grammar: none',
      },
      options: OPTIONS_SCHEMA,
    },
    required: ['gl_string'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: {
      gl_string: { type: 'string' },
      valid: { type: 'boolean' },
      malformed: { type: 'boolean', description: 'no GL String at all, whatever the release' },
      message: { type: 'string' },
      cause: { type: 'string', description: 'every cause of the verdict, separated by "; "' },
      code: { type: 'string', description: 'error code of the first cause' },
      position: PROBLEM_SCHEMA.properties.position,
      suggestions: PROBLEM_SCHEMA.properties.suggestions,
      problems: { type: 'array', items: PROBLEM_SCHEMA, description: 'in the order of the text' },
      dataset: DATASET_SCHEMA,
      notes: NOTES_SCHEMA,
    },
    required: ['gl_string', 'valid', 'malformed'],
    additionalProperties: false,
  },
  examples: [
    { command: "hla validate 'A*01:01+A*02:01'", output: 'valid' },
    { command: "hla validate 'A*01:01+A*99:99'", output: 'invalid\tA*99:99 is not a valid Allele', exit: 1 },
    { command: "hla validate 'A*01:01+'", output: 'malformed\tnothing after the last "+"', exit: 1 },
  ],
  run: ({ gl_string, level, options }, knowledge) => {
    const { valid, malformed, problems, warnings } = validateGlString(
      knowledge.engine(options),
      gl_string,
      level,
    )
    const base = { gl_string, valid, malformed }
    if (valid) {
      const later = laterNames(gl_string, knowledge)
      return { ...base, ...datasetOf(knowledge), ...withNotes([...warnings, ...later]) }
    }
    const deciding = problems.filter((problem) => isMalformed(problem) === malformed)
    const records = problems.map((problem) => problemRecord(advised(problem, gl_string, knowledge)))
    const first = records[deciding[0] === undefined ? 0 : problems.indexOf(deciding[0])]
    return {
      ...base,
      message: `Provided GL String is ${malformed ? 'malformed' : 'invalid'}: ${gl_string}`,
      cause: [...new Set(deciding.map(causeOf))].join('; '),
      ...(first === undefined
        ? {}
        : { code: first.code, position: first.position, suggestions: first.suggestions }),
      problems: records,
      ...datasetOf(knowledge),
    }
  },
  toText: ({ valid, malformed, cause }) =>
    valid ? 'valid' : `${malformed ? 'malformed' : 'invalid'}\t${cause ?? ''}`,
  isNegative: ({ valid }) => !valid,
})

/** The starter set knows no other release. */
function laterNames(glString: string, { history, release }: Knowledge): Note[] {
  const known = history()
  return known === undefined ? [] : renamedLater(known, glString, release.facts.label)
}
