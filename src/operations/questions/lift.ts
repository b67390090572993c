/** lift: translates the names of a GL String to another release. */
import { type Lifted, type LiftReleases, nameLifter } from '../../engine/lift/lift.ts'
import { type ErrorCode, HlaError, type Note } from '../../errors.ts'
import {
  listDesignations,
  formatGlString,
  type GlLeaf,
  type GlNode,
  mapTypings,
  parseGlString,
} from '../../nomenclature/gl-string.ts'
import { findMalformation, malformedError } from '../../nomenclature/grammar.ts'
import type { History } from '../../reference/history/history.ts'
import { parseReleaseNumber } from '../../reference/release-number.ts'
import { AS_PROPERTY, writeAs } from '../answers/gl-string-code.ts'
import { answerWithOptions, READING_PROPERTIES, requireHistory } from '../answers/lifting.ts'
import { defineOperation, NOTES_SCHEMA, type NoteRecord, withNotes } from '../operation.ts'
import { object } from '../schema.ts'

const STATUSES = [
  'same',
  'suffix',
  'extended',
  'renamed',
  'merged',
  'reissued',
  'deleted',
  'ambiguous',
  'unknown',
] as const

export const liftOperation = defineOperation({
  name: 'lift',
  group: 'names',
  summary: 'Translate allele names between releases, by accession number',
  http: {
    method: 'POST',
    path: '/lift',
    summary: 'Translates allele names from one release to another, by accession number',
    isBeyondContract: true,
  },
  subject: 'gl_string',
  answer: 'result',
  input: object(['gl_string'], {
    gl_string: { type: 'string', description: 'a GL String or allele name' },
    from: { type: 'string', description: 'release of the names (default: any earlier release)' },
    to: { type: 'string', description: 'release to translate to (default: the release in use)' },
    accept: READING_PROPERTIES.accept,
    as: AS_PROPERTY,
    accession: { type: 'boolean', description: 'add the accession number, to a table as a column' },
  }),
  output: object(['gl_string', 'from', 'to', 'accession', 'result', 'lift_status'], {
    gl_string: { type: 'string' },
    from: { type: 'string', description: 'a release, or any' },
    to: { type: 'string' },
    accession: { type: 'string', description: 'of a single allele; empty for anything else' },
    result: { type: 'string', description: 'empty if there is no name, or more than one' },
    lift_status: {
      type: 'string',
      enum: STATUSES,
      description: 'for several names, the most severe one',
    },
    spelling: {
      type: 'string',
      description: 'the text with pre-2010 names in their present spelling; absent without such names',
    },
    notes: NOTES_SCHEMA,
  }),
  examples: [
    { command: "hla lift --from 3.29.0 'A*01:04N'", output: 'A*01:04:01:01N' },
    { command: "hla lift 'A*24:329'", output: 'A*24:329Q' },
    { command: "hla lift 'A*0201+A*24329'", output: 'A*02:01+A*24:329Q' },
    {
      command: "printf 'id,A_1\\n1,30:100\\n' | hla lift --from 3.29.0 -d , --into replace",
      output: 'id,A_1\n1,A*30:02:12',
    },
    { command: "hla lift --from 3.58.0 --to 3.29.0 'A*01:04:01:01N'", output: 'A*01:04N' },
  ],
  run: (input, knowledge) => {
    const history = requireHistory(knowledge)
    const to = input.to === undefined ? knowledge.release.facts.label : parseReleaseNumber(input.to).label
    const asked = { accept: input.accept, allowsFormer: true }
    const said = input.from === undefined ? undefined : parseReleaseNumber(input.from).label
    return answerWithOptions(input.gl_string, asked, knowledge, (read) => {
      const from = read.release ?? said
      const { oldNames } = knowledge.release.facts
      const { text, spelling, leaves, notes } = liftLeaves(history, read.text, { from, to, oldNames })
      const [only] = leaves
      return {
        gl_string: input.gl_string,
        from: from ?? 'any',
        to,
        accession: leaves.length === 1 ? (only?.accession ?? '') : '',
        result: leaves.every(({ result }) => result !== null) ? writeAs(text, input.as, to) : '',
        lift_status: gravest(leaves),
        ...(spelling === read.text ? {} : { spelling }),
        ...withNotes([...read.notes, ...read.placed(notes)]),
      }
    })
  },
  toText: ({ result, accession }, input) => (input?.accession === true ? `${result}\t${accession}` : result),
  table: {
    columns: ['input', 'from', 'accession', 'result', 'to', 'status'],
    row: (output) => [
      output.gl_string,
      output.from,
      output.accession,
      output.result,
      output.to,
      output.lift_status,
    ],
  },
  isNegative: ({ result }) => result === '',
  cells: {
    columns: ({ accession }) => (accession === true ? ['lifted', 'accession'] : ['lifted']),
    detailColumns: ({ accession }) => (accession === true ? ['lift_status'] : ['lift_status', 'accession']),
    outcome(output, input) {
      const { result, lift_status, accession } = output
      const fault = result === '' ? { fault: unliftedError(output) } : {}
      const details = input.accession === true ? [accession, lift_status] : [lift_status, accession]
      return { results: [result, ...details], kind: lift_status, ...fault }
    },
    kinds: STATUSES,
    areTypings: true,
  },
})

/** Names without a successor stay unchanged. */
function liftLeaves(history: History, glString: string, releases: LiftReleases) {
  const leaves: Lifted[] = []
  const notes: Note[] = []
  const lift = nameLifter(history, releases)
  const tree = parseGlString(glString)
  const text = mapLeaves(tree, (leaf) => {
    checkLeaf(leaf)
    const lifted = lift(leaf.text)
    const position = [leaf.start, leaf.start + leaf.text.length] as const
    leaves.push(lifted)
    notes.push(...lifted.warnings.map((note) => ({ ...note, position })))
    return lifted.result ?? leaf.text
  })
  let at = 0
  const spelling = mapLeaves(tree, (leaf) => leaves[at++]?.spelling ?? leaf.text)
  return { text, spelling, leaves, notes }
}

function mapLeaves(tree: GlNode, map: (leaf: GlLeaf) => string): string {
  return formatGlString(mapTypings(tree, (typing) => listDesignations(typing).map(map).join('/')))
}

/** Error from the most severe note. */
function unliftedError({ gl_string, lift_status, notes = [] }: Unlifted): HlaError {
  const code = FAULTS[lift_status] ?? 'unknown-allele'
  const note = notes.find((one) => one.code === code) ?? notes.find(({ level }) => level === 'warning')
  const { offending = gl_string, message = `${gl_string} has no name there` } = note ?? {}
  return new HlaError(code, message, { offending })
}

interface Unlifted {
  readonly gl_string: string
  readonly lift_status: (typeof STATUSES)[number]
  readonly notes?: readonly NoteRecord[] | undefined
}

const FAULTS: Partial<Record<(typeof STATUSES)[number], ErrorCode>> = {
  deleted: 'deleted-allele',
  reissued: 'deleted-allele',
  ambiguous: 'lift-ambiguous',
}

function checkLeaf(leaf: GlLeaf): void {
  const malformed = findMalformation(leaf.text)
  if (malformed !== undefined) throw malformedError(malformed, leaf.text, leaf.start)
}

function gravest(leaves: readonly Lifted[]): (typeof STATUSES)[number] {
  const rank = leaves.reduce((worst, { status }) => Math.max(worst, STATUSES.indexOf(status)), 0)
  return STATUSES[rank] ?? 'same'
}
