/** explain: derivation of a reduction, step by step, with the lines of the published files. */
import { advice } from '../../advice.ts'
import { adviceText } from '../faces.ts'
import { differentSteps, type Explanation, explain, type Step } from '../../engine/explain/explain.ts'
import { DEFAULT_METHOD, METHOD_NAMES, parseMethod } from '../../engine/reduce/methods.ts'
import { isHlaError, type Note, withDetails } from '../../errors.ts'
import { parseReleaseNumber } from '../../reference/release-number.ts'
import { withoutPrefix } from '../../nomenclature/allele.ts'
import { withAdvice } from '../answers/advice.ts'
import { explanationText, type StepRecord } from '../answers/explanation-text.ts'
import {
  DATASET_SCHEMA,
  defineOperation,
  describeDataset,
  ipdVersion,
  NOTES_SCHEMA,
  withNotes,
} from '../operation.ts'
import type { Knowledge } from '../knowledge.ts'
import { answerWithOptions } from '../answers/lifting.ts'
import { REDUCTION_INPUT } from '../reduction-schema.ts'
import { object, type ValueOf } from '../schema.ts'
import { categoriesText } from './cwd.ts'
import { nameFacts } from './validate.ts'
import { formatCount } from '../../format-count.ts'

export const explainOperation = defineOperation({
  name: 'explain',
  group: 'names',
  summary: 'Explain step by step why a typing reduces as it does',
  http: {
    method: 'POST',
    path: '/explain',
    summary: 'Reduces a typing, and returns each step with the published file it is based on',
    isBeyondContract: true,
  },
  subject: 'gl_string',
  answer: 'ard',
  input: REDUCTION_INPUT,
  output: object(['gl_string', 'reduction_method', 'ard', 'ipd_version', 'steps', 'other'], {
    gl_string: { type: 'string' },
    reduction_method: { type: 'string', enum: METHOD_NAMES },
    ard: { type: 'string', description: 'the reduced GL String, as redux answers it' },
    ipd_version: { type: 'integer' },
    dataset: DATASET_SCHEMA,
    steps: {
      type: 'array',
      items: object(['leaf', 'step', 'title', 'text'], {
        leaf: {
          type: 'string',
          description: 'the name that the step is about; in steps that combine names, the GL String',
        },
        step: { type: 'integer', description: 'counted from 1 for each name of the GL String' },
        title: { type: 'string' },
        text: { type: 'string' },
        file: { type: 'string', description: 'the published file that the step cites' },
        line: { type: 'integer', description: 'line of that file, from 1' },
      }),
    },
    other: {
      type: 'object',
      description: 'results of the other methods, for a single name',
      additionalProperties: { type: 'string' },
    },
    notes: NOTES_SCHEMA,
  }),
  examples: [
    {
      command: "hla explain 'A*43:01'",
      output: `A*43:01 -> A*43:01   (lgx, IPD-IMGT/HLA 3.58.0)
  1 parse    allele: locus A, fields 43 01
  2 known    hla_nom.txt:7979, assigned 1991-07-15
  3 G group  A*43:01:01G, hla_nom_g.txt:5203
  4 rule     lgx uses the G group -> A*43:01:01G
  5 result   first two fields: A*43:01
  6 verdict  valid
  7 number   HLA00111
  8 common   CWD 2.0.0: CWD
  other levels: G A*43:01:01G  P A*43:01  lg A*43:01g  W A*43:01  S A43`,
    },
    { command: "hla explain -m G 'DRB4*01:03:19'" },
    { command: "hla explain -m S 'A*02:01' 'B*15:12'" },
  ],
  run: (input, knowledge) =>
    citingDeletion(input.gl_string, knowledge, () => {
      const method = parseMethod(input.reduction_method ?? DEFAULT_METHOD)
      return answerWithOptions(input.gl_string, input, knowledge, (read) => {
        const engine = knowledge.engine(input.options, read.membersOf)
        const explanation = explain(engine, knowledge.citations, read.text, method)
        return {
          gl_string: input.gl_string,
          reduction_method: method,
          ard: explanation.text,
          ipd_version: ipdVersion(knowledge),
          ...describeDataset(knowledge),
          steps: [
            ...stepRecords(input.gl_string, readingSteps(read.notes)),
            ...listRecords(read.text, explanation, (leaf) => factSteps(leaf, input, knowledge)),
          ],
          other: explanation.other,
          ...withNotes([...read.notes, ...read.placed(explanation.notes)]),
        }
      })
    }),
  toText: (output) =>
    explanationText({ ...output, release: parseReleaseNumber(String(output.ipd_version)).label }),
})

function listRecords(
  text: string,
  { leaves, unexplained, together }: Explanation,
  factsOf: (leaf: string) => readonly Step[],
): StepRecord[] {
  const more =
    unexplained === 0 ? [] : [{ title: 'more', text: `${formatCount(unexplained)} further names, not shown` }]
  return [
    ...leaves.flatMap(({ leaf, steps }) => stepRecords(leaf, [...steps, ...factsOf(leaf)])),
    ...stepRecords(text, [...more, ...together]),
  ]
}

/** Two to four fields: not a code, group or antigen. */
const ALLELE = /\*\d+(?::\d+){1,3}[ACLNQS]?$/

/** Verdict, accession number and categories of an allele, in the words of `validate` and `cwd`; empty for codes, groups and antigens. */
function factSteps(
  leaf: string,
  { options, lift }: Pick<ValueOf<typeof REDUCTION_INPUT>, 'options' | 'lift'>,
  knowledge: Knowledge,
): Step[] {
  const name = withoutPrefix(leaf)
  if (!ALLELE.test(name)) return []
  const { verdict, accession } = nameFacts(name, { options, lift }, knowledge)
  return [
    { title: 'verdict', text: verdict },
    ...(accession === '' ? [] : [{ title: 'number', text: accession }]),
    { title: 'common', text: categoriesText(name, knowledge) },
  ]
}

function stepRecords(leaf: string, steps: readonly Step[]): StepRecord[] {
  return steps.map(({ title, text, citation }, at) => ({
    leaf,
    step: at + 1,
    title,
    text,
    ...(citation === undefined ? {} : { file: citation.file, line: citation.line }),
  }))
}

/** Maximum number of different readings shown: each step repeats the whole text; the notes contain all. */
const MAX_READINGS = 12

function readingSteps(notes: readonly Note[]): Step[] {
  const different = differentSteps(notes.map(readingStep))
  const more = different.length - MAX_READINGS
  if (more <= 0) return different
  const text = `${formatCount(more)} further readings, listed in the notes`
  return [...different.slice(0, MAX_READINGS), { title: 'more', text }]
}

/** Step for a leniency, or a name of another release. */
function readingStep({ code, message }: Note): Step {
  return { title: code.startsWith('accept-') ? 'read as' : 'lift', text: message }
}

/** Adds to the error of a deleted name the line that documents the deletion. */
function citingDeletion<T>(text: string, knowledge: Knowledge, answer: () => T): T {
  try {
    return withAdvice(text, knowledge, answer)
  } catch (error) {
    const row = isHlaError(error)
      ? knowledge.citations.deleted(withoutPrefix(error.offending ?? ''))
      : undefined
    if (!isHlaError(error) || row === undefined) throw error
    const place = `${row.file}:${row.line}`
    const said =
      adviceText(error.hint, 'command-line')?.includes(row.description) === true
        ? place
        : `${place}: ${row.description}`
    const hint = error.hint === undefined ? said : advice`${error.hint}\n${said}`
    throw withDetails(error, { hint })
  }
}
