/** match: the alleles that a patient and a donor have in common, by direction. */
import {
  type LocusSide,
  MATCH_COUNTS,
  chooseCount,
  listLoci,
  newMatcher,
  sumLoci,
} from '../../engine/match/match.ts'
import { type Person, readPerson } from '../../engine/match/person.ts'
import { MATCH_LEVELS, makeMatchEngines, resolveTyping } from '../../engine/match/resolve.ts'
import { isWrittenAsCode } from '../../engine/mac.ts'
import { HlaError, isHlaError, type Note, withDetails } from '../../errors.ts'
import { listLeaves } from '../../nomenclature/gl-string.ts'
import { adviseError } from '../answers/advice.ts'
import type { Knowledge } from '../knowledge.ts'
import { answerWithOptions, READING_PROPERTIES } from '../answers/lifting.ts'
import { PROBLEM_SCHEMA, problemRecord } from '../answers/problem.ts'
import {
  DATASET_SCHEMA,
  defineOperation,
  describeDataset,
  ipdVersion,
  NOTES_SCHEMA,
  withNotes,
} from '../operation.ts'
import {
  LISTED_LOCI,
  LOCUS_SCHEMA,
  NO_DQB1,
  PLACE_SCHEMA,
  type PlaceRecord,
  RULE_PROPERTIES,
  TOTAL_SCHEMA,
  locusRecord,
  matchCells,
  matchColumns,
  matchText,
  placeRecord,
  readRules,
  totalRecord,
} from '../answers/matching.ts'
import { object } from '../schema.ts'

const SIDES = ['patient', 'donor'] as const
type MatchSide = (typeof SIDES)[number]

const SIDE_PROBLEM_SCHEMA = object([...PROBLEM_SCHEMA.required, 'person'], {
  ...PROBLEM_SCHEMA.properties,
  person: { type: 'string', enum: SIDES, description: 'whose typings' },
})

export const matchOperation = defineOperation({
  name: 'match',
  group: 'names',
  summary: 'Compare the alleles of a patient and a donor, by direction',
  http: {
    method: 'POST',
    path: '/match',
    summary: 'Compares the alleles of a patient and a donor at each locus, by direction',
    isBeyondContract: true,
  },
  subject: 'donor',
  leading: ['patient'],
  answer: 'total',
  repeats: ({ patient, donor }) => ({ patient, donor }),
  input: object(['patient', 'donor'], {
    patient: { type: 'string', description: "the patient's typings, a GL String" },
    donor: { type: 'string', description: "the donor's typings, a GL String" },
    ...RULE_PROPERTIES,
    places: { type: 'boolean', description: 'also say what each typing may be' },
    count: {
      type: 'string',
      enum: MATCH_COUNTS,
      description:
        'loci of the total: 6/6, 8/8, 10/10 (default) or 12/12; 8/8 where all its loci are typed and DQB1 is not',
    },
    ...READING_PROPERTIES,
  }),
  output: object(
    ['patient', 'donor', 'level', 'homozygous', 'count', 'loci', 'total', 'ipd_version', 'notes'],
    {
      patient: { type: 'string' },
      donor: { type: 'string' },
      level: { type: 'string', enum: MATCH_LEVELS },
      homozygous: { type: 'integer' },
      count: { type: 'string', enum: MATCH_COUNTS },
      loci: { type: 'array', items: LOCUS_SCHEMA },
      total: TOTAL_SCHEMA,
      places: { type: 'array', items: PLACE_SCHEMA, description: 'with places: each distinct typing' },
      ipd_version: { type: 'integer' },
      dataset: DATASET_SCHEMA,
      problems: { type: 'array', items: SIDE_PROBLEM_SCHEMA, description: 'why loci are unread' },
      notes: NOTES_SCHEMA,
    },
  ),
  examples: [
    {
      command: "hla match 'A*01:01+A*02:01' 'A*01:01+A*03:01' --count 6/6",
      output: '1 of 2 match, GvH 1, HvG 1 (6/6 by P; not typed: B, DRB1)\nA\tmismatch\tGvH 1\tHvG 1\tantigen',
    },
    {
      command: "hla match 'DPB1*02:01+DPB1*04:01' 'DPB1*04:01+DPB1*04:02'",
      output:
        '0 of 0 match, GvH 0, HvG 0 (10/10 by P; not typed: A, B, C, DRB1, DQB1)\nDPB1\tmismatch\tGvH 1\tHvG 1\tantigen by first field\tTCE permissive',
    },
    {
      command: 'hla match -q --patients patients.csv --donors donors.csv',
      output: `patient,donor,matched,gvh,hvg,A_verdict,A_gvh,A_hvg,of,untyped,unread
P1,1,1,1,1,mismatch,1,1,2,,
P1,2,1,1,0,mismatch,1,0,2,,
P1,3,0-1,1-2,0-2,mismatch,1-2,0-2,2,,`,
    },
  ],
  run: (input, knowledge) => {
    const rules = readRules(input)
    const notes: Note[] = []
    const releases = new Set<string | undefined>()
    const personOf = (person: MatchSide): Person =>
      about(person, () =>
        answerWithOptions(input[person], input, knowledge, (reading) => {
          notes.push(...reading.notes)
          if (hasCode(reading.text)) releases.add(reading.membersOf)
          return readPerson(reading.text)
        }),
      )
    const [patient, donor] = [personOf('patient'), personOf('donor')]
    const [membersOf] = releases
    if (releases.size > 1)
      throw new HlaError('bad-request', 'the codes of patient and donor are of different releases')
    const engines = makeMatchEngines(knowledge.engine(undefined, membersOf))
    const { hasTce } = knowledge.release.facts
    const places = new Map<string, PlaceRecord>()
    const matcher = newMatcher(rules, hasTce, (text, level) => {
      const resolved = resolveTyping(text, { ...rules, level }, engines)
      if (input.places === true) places.set(text, placeRecord(text, resolved))
      return resolved
    })
    const sides: { readonly person: MatchSide; readonly side: LocusSide }[] = []
    const loci = listLoci(patient, donor).map((locus) => {
      const [own, other] = [matcher.side(locus, patient.get(locus)), matcher.side(locus, donor.get(locus))]
      sides.push({ person: 'patient', side: own }, { person: 'donor', side: other })
      return matcher.compare(locus, own, other)
    })
    const typed = new Set(loci.filter(({ counts }) => counts !== undefined).map(({ locus }) => locus))
    const count = input.count ?? chooseCount([typed])
    if (input.count === undefined && count === '8/8') notes.push(NO_DQB1)
    const problems = problemsOf(sides, knowledge)
    for (const { side } of sides) if (side.kind === 'typed') notes.push(...side.notes)
    return {
      patient: input.patient,
      donor: input.donor,
      level: rules.level,
      homozygous: rules.homozygous,
      count,
      loci: loci.map(locusRecord),
      total: totalRecord(sumLoci(loci, count)),
      ...(input.places === true && { places: [...places.values()] }),
      ipd_version: ipdVersion(knowledge),
      ...describeDataset(knowledge),
      ...(problems.length > 0 && { problems }),
      notes: distinctNotes(notes),
    }
  },
  toText: matchText,
  table: {
    columns: matchColumns(LISTED_LOCI),
    row: ({ patient, donor, loci, total }) => [patient, donor, ...matchCells({ loci, total }, LISTED_LOCI)],
  },
  matchesTables: true,
  isNegative: ({ loci }) => loci.some(({ verdict }) => verdict === 'unread'),
})

/** Errors say whose typings they are about. */
function about<T>(person: MatchSide, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw isHlaError(error) ? withDetails(error, { facts: { ...error.facts, person } }) : error
  }
}

function problemsOf(
  sides: readonly { readonly person: MatchSide; readonly side: LocusSide }[],
  knowledge: Knowledge,
) {
  return sides.flatMap(({ person, side }) =>
    side.kind === 'unread'
      ? [{ ...problemRecord(adviseError(side.error, side.error.offending ?? '', knowledge)), person }]
      : [],
  )
}

function hasCode(glString: string): boolean {
  return listLeaves(glString).some(({ text }) => isWrittenAsCode(text))
}

/** A typing that both persons have gives one note. */
function distinctNotes(notes: readonly Note[]) {
  const byMessage = new Map(notes.map((note) => [note.message, note]))
  return withNotes([...byMessage.values()]).notes ?? []
}
