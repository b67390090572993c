/** validate: say whether a GL String is valid, and everything that is wrong with it. */
import { isMalformed, VALIDATION_LEVELS, validateGlString } from '../../engine/validate/validate.ts'
import { renamedLater } from '../../engine/lift/renamed-later.ts'
import type { HlaError, Note } from '../../errors.ts'
import { advised } from '../answers/advice.ts'
import { isRecord } from '../http-face.ts'
import { DATASET_SCHEMA, defineOperation, describeDataset, NOTES_SCHEMA, withNotes } from '../operation.ts'
import type { Knowledge } from '../knowledge.ts'
import { answerWithOptions, READING_PROPERTIES } from '../answers/lifting.ts'
import { OPTIONS_SCHEMA } from '../options-schema.ts'
import { formatCause, PROBLEM_SCHEMA, problemRecord } from '../answers/problem.ts'
import { cellVerdict, failedVerdict, unlistedCause, VERDICTS, verdictWord } from '../answers/verdict.ts'

/** An older spelling of the option `exact`. */
const EXACT_LEVEL = 'exists'

export const validateOperation = defineOperation({
  name: 'validate',
  group: 'names',
  summary: 'Check whether typings are valid, and say why not',
  http: {
    method: 'POST',
    path: '/validate',
    also: [{ method: 'GET', path: '/valid' }],
    plain: ({ valid }) => String(valid),
    statusOf: ({ valid, malformed }) => (valid ? 200 : malformed ? 400 : 404),
    fromReply({ status, body }, { gl_string }) {
      if (!isRecord(body) || ![200, 400, 404].includes(status)) return undefined
      const { valid, message, cause = message } = body
      if (typeof valid !== 'boolean') return undefined
      // an answer of our own service has more to say
      if ('malformed' in body) return body
      return valid
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
        enum: [...VALIDATION_LEVELS, EXACT_LEVEL],
        description:
          'grammar: whether it is a GL String at all, whatever the release; strict: the default; exists: an older spelling of the option exact',
      },
      options: OPTIONS_SCHEMA,
      ...READING_PROPERTIES,
    },
    required: ['gl_string'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: {
      gl_string: { type: 'string' },
      valid: { type: 'boolean' },
      malformed: { type: 'boolean', description: 'the text is not a GL String, whatever the release' },
      unlisted: {
        type: 'boolean',
        description: 'valid, but the release does not list a third or fourth field; the notes say which',
      },
      message: { type: 'string' },
      cause: { type: 'string', description: 'every cause of the verdict, separated by "; "' },
      code: { type: 'string', description: 'code of the first cause' },
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
    {
      command: "hla validate 'A*01:01:999'",
      output: 'unlisted\tA*01:01:999 is not listed in 3.58.0; it is read by its first two fields, A*01:01',
    },
    { command: "hla validate 'A*01:01+'", output: 'malformed\tnothing after the last "+"', exit: 1 },
    {
      command: "printf 'id,A_1,A_2\\n1,01:01,24:999\\n' | hla validate -d ,",
      output: 'id,A_1,A_1_valid,A_2,A_2_valid\n1,01:01,valid,24:999,invalid',
      exit: 1,
    },
  ],
  run: (input, knowledge) => {
    const { gl_string } = input
    const untranslated: HlaError[] = []
    const asked = {
      ...input,
      liftsMembers: input.lift,
      untranslated: (error: HlaError) => void untranslated.push(error),
    }
    return answerWithOptions(gl_string, asked, knowledge, (read) => {
      const { level, options, lift } = input
      const engine = knowledge.engine(level === EXACT_LEVEL ? { ...options, exact: true } : options, lift)
      const checked = validateGlString(engine, read.text, level === EXACT_LEVEL ? undefined : level)
      const { malformed, unlisted, problems: found, warnings } = checked
      const problems = withUntranslated(
        untranslated,
        found.map((problem, at) =>
          // the others say what is wrong, not what may have been meant
          read.placedError(at < MOST_ADVISED ? advised(problem, read.text, knowledge) : problem),
        ),
      )
      if (problems.length > 0)
        return { ...verdict(gl_string, malformed, problems), ...describeDataset(knowledge) }
      const odd = [...warnings, ...laterNames(read.text, knowledge)]
      return {
        gl_string,
        valid: true,
        malformed: false,
        ...(unlisted ? { unlisted, ...unlistedCause(odd) } : {}),
        ...describeDataset(knowledge),
        ...withNotes([...read.notes, ...read.placed(odd)]),
      }
    })
  },
  toText(answer) {
    const word = verdictWord(answer)
    return word === 'valid' ? word : `${word}\t${answer.cause ?? ''}`
  },
  brief: ({ valid, notes }) => (valid && notes === undefined ? true : undefined),
  isNegative: ({ valid }) => !valid,
  cells: {
    columns: ['valid'],
    detailColumns: ['cause'],
    notesMembers: true,
    outcome: cellVerdict,
    failed: failedVerdict,
    kinds: VERDICTS,
    areTypings: false,
  },
})

/** Problems of one text for which names that may have been meant are looked for: it takes longer than to find them. */
const MOST_ADVISED = 200

/** The starter set knows no other release. */
function laterNames(glString: string, { history, release }: Knowledge): Note[] {
  const known = history()
  return known === undefined ? [] : renamedLater(known, glString, release.facts.label)
}

/** A name that has no name here cannot be valid; whatever else is wrong with it says less. */
function withUntranslated(untranslated: readonly HlaError[], others: readonly HlaError[]): HlaError[] {
  const places = new Set(untranslated.map(({ position }) => String(position)))
  const more = others.filter(({ position }) => !places.has(String(position)))
  return [...untranslated, ...more].sort((a, b) => (a.position?.[0] ?? 0) - (b.position?.[0] ?? 0))
}

function verdict(gl_string: string, malformed: boolean, problems: readonly HlaError[]) {
  const deciding = problems.filter((problem) => isMalformed(problem) === malformed)
  const records = problems.map(problemRecord)
  const first = records[deciding[0] === undefined ? 0 : problems.indexOf(deciding[0])]
  return {
    gl_string,
    valid: false,
    malformed,
    message: `Provided GL String is ${malformed ? 'malformed' : 'invalid'}: ${gl_string}`,
    cause: [...new Set(deciding.map(formatCause))].join('; '),
    ...(first === undefined
      ? {}
      : { code: first.code, position: first.position, suggestions: first.suggestions }),
    problems: records,
  }
}
