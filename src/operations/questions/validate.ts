/** validate: checks a GL String, and reports every error in it. */
import { isMalformed, VALIDATION_LEVELS, validateGlString } from '../../engine/validate/validate.ts'
import { listNulls } from '../../engine/expand/nulls.ts'
import { renamedLater } from '../../engine/lift/renamed-later.ts'
import { assured, type HlaError, type Note } from '../../errors.ts'
import { adviseError } from '../answers/advice.ts'
import { isAccession, withoutPrefix } from '../../nomenclature/allele.ts'
import type { History } from '../../reference/history/history.ts'
import type { CellOutcome } from '../cell-face.ts'
import { isRecord } from '../http-face.ts'
import { DATASET_SCHEMA, defineOperation, describeDataset, NOTES_SCHEMA, withNotes } from '../operation.ts'
import type { Knowledge } from '../knowledge.ts'
import { answerWithOptions, READING_PROPERTIES, requireHistory } from '../answers/lifting.ts'
import { OPTIONS_SCHEMA } from '../options-schema.ts'
import { PROBLEM_SCHEMA, problemRecord } from '../answers/problem.ts'
import {
  cellVerdict,
  failedVerdict,
  type JudgedProblem,
  NAME_SCHEMA,
  type NameRecord,
  notedName,
  VERDICT_COLUMNS,
  VERDICT_SCHEMA,
  verdictCells,
  verdictWord,
  warnedCells,
  wrongName,
} from '../answers/verdict.ts'
import { VERDICTS, verdictOfError, worstVerdict } from '../../engine/validate/verdict.ts'
import { object } from '../schema.ts'

export const validateOperation = defineOperation({
  name: 'validate',
  group: 'names',
  summary: 'Check whether typings are valid, and say why not',
  http: {
    method: 'POST',
    path: '/validate',
    summary:
      'Checks a typing against the release. A typing that is not valid is answered with 400 or 404, the reason and the place',
    also: [
      {
        method: 'GET',
        path: '/valid',
        summary: 'Checks a typing in the query, as POST /validate checks one in the body',
      },
    ],
    plain: ({ valid }) => String(valid),
    statusOf: ({ valid, malformed }) => (valid ? 200 : malformed ? 400 : 404),
    fromReply({ status, body }, { gl_string }) {
      if (!isRecord(body) || ![200, 400, 404].includes(status)) return undefined
      const { valid, message, cause = message } = body
      if (typeof valid !== 'boolean') return undefined
      // an answer from hla's own service has more properties
      if ('malformed' in body) return body
      return valid
        ? { gl_string, valid, malformed: false }
        : { gl_string, valid: false, malformed: status === 400, message, cause }
    },
  },
  subject: 'gl_string',
  answer: 'valid',
  input: object(['gl_string'], {
    gl_string: { type: 'string', description: 'a GL String, allele, group, MAC, XX code or antigen' },
    level: {
      type: 'string',
      enum: VALIDATION_LEVELS,
      description: 'grammar: whether it is a GL String at all, whatever the release; strict: the default',
    },
    no_plausibility: {
      type: 'boolean',
      description:
        'do not warn about more than two copies of a gene, or about DRB3, DRB4 or DRB5 that DRB1 excludes',
    },
    accession: { type: 'boolean', description: 'add the accession number of each name' },
    nulls: {
      type: 'boolean',
      description:
        'name the null alleles under groups, codes, lists and short names, which a reduction hides',
    },
    options: OPTIONS_SCHEMA,
    ...READING_PROPERTIES,
  }),
  output: object(['gl_string', 'valid', 'malformed'], {
    gl_string: { type: 'string' },
    valid: { type: 'boolean' },
    malformed: { type: 'boolean', description: 'the text is not a GL String, whatever the release' },
    unlisted: {
      type: 'boolean',
      description: 'valid, but the release does not list a third or fourth field; the notes say which',
    },
    verdict: VERDICT_SCHEMA,
    accession: {
      type: 'string',
      description:
        'with accession: of a single allele, which may be deleted or renamed; empty for anything else',
    },
    nulls: {
      type: 'array',
      items: { type: 'string' },
      description: 'with nulls: null alleles that a valid typing may be, in the order of the text',
    },
    names: {
      type: 'array',
      items: NAME_SCHEMA,
      description: 'names whose verdict is not valid, in the order of the text',
    },
    message: { type: 'string' },
    cause: { type: 'string', description: 'every cause of the verdict, separated by "; "' },
    code: { type: 'string', description: 'code of the first cause' },
    position: PROBLEM_SCHEMA.properties.position,
    suggestions: PROBLEM_SCHEMA.properties.suggestions,
    problems: { type: 'array', items: PROBLEM_SCHEMA, description: 'in the order of the text' },
    dataset: DATASET_SCHEMA,
    notes: NOTES_SCHEMA,
  }),
  examples: [
    { command: "hla validate 'A*01:01+A*02:01'", output: 'valid' },
    { command: "hla validate 'A*01:01+A*99:99'", output: 'unknown\tA*99:99 is not a valid Allele', exit: 1 },
    { command: "hla validate 'A*01:01+'", output: 'malformed\tnothing after the last "+"', exit: 1 },
    { command: "hla validate --nulls 'A*43:XX'", output: 'valid\tA*43:02N' },
    {
      command: "printf 'id,A_1,A_2\\n1,01:01,24:999\\n' | hla validate -d ,",
      output: 'id,A_1,A_1_verdict,A_2,A_2_verdict\n1,01:01,valid,24:999,unknown',
      exit: 1,
    },
  ],
  run: (input, knowledge) => {
    const { gl_string } = input
    const untranslated: HlaError[] = []
    const asked = {
      ...input,
      untranslated: (error: HlaError) => void untranslated.push(error),
    }
    const history = input.accession === true ? requireHistory(knowledge) : undefined
    return answerWithOptions(gl_string, asked, knowledge, (read) => {
      const { level, options, no_plausibility } = input
      const numbered = (names: readonly NameRecord[] = []) =>
        history && { accession: accessionOf(read.text, names, history, knowledge) }
      const engine = knowledge.engine(options, read.membersOf)
      const checked = validateGlString(engine, read.text, level, {
        plausibility: no_plausibility !== true,
      })
      const { malformed, unlisted, problems: found, warnings } = checked
      const problems = withUntranslated(
        untranslated,
        found.map((problem, at) => ({
          // suggestions, limited in number, do not affect the verdict
          verdict: verdictOfError(problem.code),
          problem: read.placedError(at < MAX_ADVISED ? adviseError(problem, read.text, knowledge) : problem),
        })),
      )
      if (problems.length > 0) {
        const answer = invalid(gl_string, malformed, problems, knowledge)
        return { ...answer, ...numbered(answer.names), ...describeDataset(knowledge) }
      }
      const notes = [...read.notes, ...read.placed([...warnings, ...laterNames(read.text, knowledge)])]
      const judged = readVerdict(notes)
      return {
        gl_string,
        valid: true,
        malformed: false,
        ...(unlisted ? { unlisted } : {}),
        ...judged,
        ...numbered(judged.names),
        ...(input.nulls === true ? { nulls: listNulls(read.text, engine) } : {}),
        ...describeDataset(knowledge),
        ...withNotes(notes),
      }
    })
  },
  toText(answer) {
    const { accession, nulls, cause = '' } = answer
    const more = [
      ...(accession === undefined ? [] : [accession]),
      ...(nulls === undefined ? [] : [nulls.join('/')]),
    ]
    return [verdictWord(answer), ...more, cause].join('\t').trimEnd()
  },
  table: {
    columns: (input) => [
      'input',
      'verdict',
      'status',
      'code',
      'message',
      'suggestion',
      ...addedColumns(input),
    ],
    row: (answer, input) => {
      const [verdict = '', ...others] = verdictCells(answer)
      return [
        answer.gl_string,
        verdict,
        answer.valid ? 'ok' : 'error',
        ...others,
        ...addedCells(answer, input),
      ]
    },
  },
  brief: ({ valid, notes }) => (valid && notes === undefined ? true : undefined),
  isNegative: ({ valid }) => !valid,
  cells: {
    columns: (input) => ['verdict', ...addedColumns(input)],
    detailColumns: VERDICT_COLUMNS.slice(1),
    notesMembers: true,
    outcome: (answer, input) => withAdded(cellVerdict(answer), addedCells(answer, input)),
    failed(error, input) {
      const outcome = failedVerdict(error)
      return outcome && withAdded(outcome, addedCells({}, input))
    },
    checksPersons: ({ no_plausibility, level }) => no_plausibility !== true && level !== 'grammar',
    warned([verdict = '', ...others], warning, input) {
      const added = others.slice(0, addedColumns(input).length)
      const [, ...warned] = warnedCells([verdict, ...others.slice(added.length)], warning)
      return [verdict, ...added, ...warned]
    },
    kinds: VERDICTS,
    areTypings: false,
  },
})

interface Added {
  readonly accession?: boolean | undefined
  readonly nulls?: boolean | undefined
}

/** Columns that were asked for, behind the verdict. */
function addedColumns({ accession, nulls }: Added): readonly string[] {
  return [...(accession === true ? ['accession'] : []), ...(nulls === true ? ['nulls'] : [])]
}

function addedCells(
  {
    accession = '',
    nulls = [],
  }: { readonly accession?: string | undefined; readonly nulls?: readonly string[] | undefined },
  asked: Added,
): readonly string[] {
  return [
    ...(asked.accession === true ? [accession] : []),
    ...(asked.nulls === true ? [nulls.join('/')] : []),
  ]
}

function withAdded(outcome: CellOutcome, added: readonly string[]): CellOutcome {
  const [verdict = '', ...others] = outcome.results
  return { ...outcome, results: [verdict, ...added, ...others] }
}

/** Verdict on a name as `validate` says it, with the reason for another one than `valid`, and its accession number; '' for none. */
export function nameFacts(
  name: string,
  asked: Pick<Parameters<typeof validateOperation.run>[0], 'options' | 'lift'>,
  knowledge: Knowledge,
): { readonly verdict: string; readonly accession: string } {
  const answer = validateOperation.run({ ...asked, gl_string: name }, knowledge)
  const history = knowledge.history()
  return {
    verdict: validateOperation.toText(answer).replace('\t', ': '),
    accession: history === undefined ? '' : accessionOf(name, answer.names ?? [], history, knowledge),
  }
}

/** Number of a single name: of its allele in the release, or of the deleted or renamed one; '' for anything else. */
function accessionOf(
  text: string,
  names: readonly NameRecord[],
  history: History,
  { release }: Knowledge,
): string {
  const name = withoutPrefix(text)
  if (isAccession(name)) return name
  const gone = names.find((one) => one.verdict !== 'reused' && one.name === text)
  return history.accessionIn(release.facts.label, name) ?? gone?.accession ?? ''
}

/** Maximum number of problems of one text with suggestions: finding those takes longer than finding the problems. */
const MAX_ADVISED = 200

/** Notes on names that changed later; empty for the starter set, which has no history. */
function laterNames(glString: string, { history, release }: Knowledge): Note[] {
  const known = history()
  return known === undefined ? [] : renamedLater(known, glString, release.facts.label)
}

/** Adds untranslatable names, which cannot be valid; they replace other problems at the same place. */
function withUntranslated(
  untranslated: readonly HlaError[],
  others: readonly JudgedProblem[],
): JudgedProblem[] {
  const places = new Set(untranslated.map(({ position }) => String(position)))
  const judged = untranslated.map((problem) => ({ verdict: verdictOfError(problem.code), problem }))
  const more = others.filter(({ problem }) => !places.has(String(problem.position)))
  const start = ({ problem }: JudgedProblem) => problem.position?.[0] ?? 0
  return [...judged, ...more].sort((a, b) => start(a) - start(b))
}

/** Verdict on a valid text, with the names that determine it. */
function readVerdict(notes: readonly Note[]) {
  const names = notes.map(notedName).filter((name) => name !== undefined)
  const verdict = worstVerdict(names.map((name) => name.verdict))
  const decisive = names.filter((name) => name.verdict === verdict)
  const [first] = decisive
  if (first === undefined) return { verdict }
  const cause = [...new Set(decisive.map(({ message }) => message))].join('; ')
  return { verdict, names, code: first.code, cause }
}

function invalid(
  gl_string: string,
  malformed: boolean,
  judged: readonly JudgedProblem[],
  { release }: Knowledge,
) {
  const wrong = judged.map((one) => ({ name: wrongName(one, release.facts.label), problem: problemRecord(one.problem), isDeciding: isMalformed(one.problem) === malformed })) // prettier-ignore
  const deciding = wrong.filter((one) => one.isDeciding)
  const { name, problem: first } = assured(deciding[0] ?? wrong[0], 'an invalid text has a problem')
  return {
    gl_string,
    valid: false,
    malformed,
    verdict: name.verdict,
    names: wrong.map((one) => one.name),
    message: `Provided GL String is ${malformed ? 'malformed' : 'invalid'}: ${gl_string}`,
    cause: [...new Set(deciding.map((one) => one.name.message))].join('; '),
    code: first.code,
    position: first.position,
    suggestions: first.suggestions,
    problems: wrong.map((one) => one.problem),
  }
}
