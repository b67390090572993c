/** Why a recorded answer of the peer may differ from ours. Every id has a row in docs/divergences.md. */
import { parseMethod } from '../../src/engine/reduce/methods.ts'
import { type Comparison, isRecorded, sortedParts } from './comparison.ts'
import { type Habit, HABITS, peerAnswer } from './peer-answer.ts'

export interface Exclusion {
  readonly id: string
  readonly reason: string
  readonly applies: (comparison: Comparison) => boolean
}

/** The reasons that explain the difference; none when it is not explained. */
export function exclusionsOf(comparison: Comparison): string[] {
  const habits = habitsBehind(comparison)
  if (habits.length > 0) return habits
  const found = EXCLUSIONS.find(({ applies }) => applies(comparison))
  return found === undefined ? [] : [found.id]
}

/** Differences that cannot be computed: errors on one side, and order that the peer does not define. */
export const EXCLUSIONS: readonly Exclusion[] = [
  {
    id: 'malformed',
    reason: 'without validation the peer reduces text that is not a name; we refuse it always',
    applies: ({ row, ours }) =>
      isNonStrict(row.config) && ours.status === 'error' && MALFORMED.test(ours.code),
  },
  {
    id: 'field-of-zeros',
    reason: 'a field of zeros names nothing; the peer accepts any third field',
    applies: ({ row, ours }) => ours.status === 'error' && /:0+(?:$|[:/|+^~])/.test(row.input),
  },
  {
    id: 'before-2002',
    reason:
      'five and seven digits are names from before 2002, or lost their colons; the peer knows the latter of five alone',
    applies: ({ row, ours }) =>
      ours.status === 'ok' && row.status === 'error' && /\*\d{5}(?:\d\d)?[A-Z]?(?:$|[/|+^~])/.test(row.input),
  },
  {
    id: 'foreign-characters',
    reason: 'letters and digits of other scripts are accepted by the peer behind a valid two-field name',
    applies: ({ row, ours }) =>
      ours.status === 'error' && ours.code === 'bad-character' && /[^\x20-\x7e]/.test(row.input),
  },
  {
    id: 'codes-need-a-locus',
    reason: 'the peer answers codes at loci that do not exist, and XX codes when it does not validate',
    applies: ({ row, ours }) =>
      row.status === 'ok' &&
      ours.status === 'error' &&
      ours.code === 'unknown-locus' &&
      /(?:^|[/|+^~])[A-Z0-9]+\*\d+:[A-Z]+(?:$|[/|+^~])/.test(row.input),
  },
  {
    id: 'codes-end-a-name',
    reason: 'the peer takes A*01:XX:99 for A*01:XX',
    applies: ({ row, ours }) =>
      row.status === 'ok' &&
      ours.status === 'error' &&
      ours.code === 'unknown-allele' &&
      /\*\d+:XX:/.test(row.input),
  },
  {
    id: 'coded-errors',
    reason: 'the peer ends in an internal exception, most while it sorts; we answer',
    applies: ({ row, ours }) =>
      ours.status === 'ok' &&
      row.status === 'error' &&
      ['ValueError', 'IndexError', 'AttributeError'].includes(row.output) &&
      (OPERATORS.test(row.input) || OPERATORS.test(ours.text)),
  },
  {
    id: 'genotype-order',
    reason: 'a name without a colon has no place among names with one',
    applies: ({ row, ours }) =>
      ours.status === 'ok' &&
      sortedParts(ours.text) === sortedParts(row.output) &&
      row.output.split(OPERATORS).some((name) => !name.includes(':')) &&
      row.output.split(OPERATORS).some((name) => name.includes(':')),
  },
]

/** Reasons in ../shared/conformance/dev/deviations-REL -> row in docs/divergences.md. */
export const DEVIATIONS: Readonly<Record<string, string>> = {
  'A1-A2': 'unchanged-lists',
  A5: 'group-letter',
  A6: 'group-letter',
  B2: 'codes-need-a-locus',
  B3: 'codes-need-a-locus',
  'B4-B5': 'codes-end-a-name',
  B15: 'double-g',
}

const MALFORMED = /^(?:bad-character|bad-syntax|empty-part)$/
const OPERATORS = /[/|+^~]/

function isNonStrict(config: string): boolean {
  return config.includes('"strict": false')
}

/** The fewest habits of the peer that turn our answer into exactly the recorded one. */
function habitsBehind({ row, ours, engine, unordered }: Comparison): Habit[] {
  if (ours.status === 'error') return []
  const method = parseMethod(row.method)
  const explains = (habits: ReadonlySet<Habit>) => {
    const answer = peerAnswer(engine, row.input, method, habits)
    return answer === undefined
      ? row.status === 'error'
      : row.status === 'ok' && isRecorded(answer, row, unordered)
  }
  const needed = new Set(HABITS)
  if (!explains(needed)) return []
  for (const habit of HABITS) {
    needed.delete(habit)
    if (!explains(needed)) needed.add(habit)
  }
  return [...needed]
}
