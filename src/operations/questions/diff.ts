/** diff: changes of a typing between two releases. */
import { type Diff, DIFF_REASONS, diffReductions } from '../../engine/explain/diff.ts'
import { DEFAULT_METHOD, METHOD_NAMES, parseMethod } from '../../engine/reduce/methods.ts'
import { compareReleases } from '../../reference/release-number.ts'
import type { ErrorCode } from '../../errors.ts'
import { adviseError } from '../answers/advice.ts'
import type { Knowledge } from '../knowledge.ts'
import { answerWithOptions, READING_PROPERTIES, requireHistory } from '../answers/lifting.ts'
import { defineOperation, NOTES_SCHEMA, withNotes } from '../operation.ts'
import { OPTIONS_SCHEMA } from '../options-schema.ts'
import { METHOD_SCHEMA } from '../reduction-schema.ts'
import { object } from '../schema.ts'

/** Marks a method without answer in both releases, with the reasons. */
const FAILS = 'fails in both'

export const diffOperation = defineOperation({
  name: 'diff',
  group: 'names',
  summary: 'Show which typings reduce differently in another release, and why',
  http: {
    method: 'POST',
    path: '/diff',
    summary: 'Reduces a typing with two installed releases, and returns whether and why the results differ',
    isBeyondContract: true,
  },
  subject: 'gl_string',
  leading: ['from_release', 'to_release'],
  answer: 'changed',
  input: object(['from_release', 'to_release', 'gl_string'], {
    from_release: { type: 'string', description: 'release of the typings' },
    to_release: { type: 'string', description: 'release to compare with' },
    gl_string: { type: 'string', description: 'a GL String with names of the first release' },
    reduction_method: METHOD_SCHEMA,
    options: OPTIONS_SCHEMA,
    accept: READING_PROPERTIES.accept,
  }),
  output: object(
    [
      'gl_string',
      'reduction_method',
      'from_release',
      'to_release',
      'from_ard',
      'to_ard',
      'changed',
      'reasons',
      'gained',
      'lost',
    ],
    {
      gl_string: { type: 'string' },
      reduction_method: { type: 'string', enum: METHOD_NAMES },
      from_release: { type: 'string' },
      to_release: { type: 'string' },
      from_ard: { type: 'string', description: 'empty when it cannot be reduced' },
      to_ard: { type: 'string', description: 'empty when it cannot be reduced' },
      changed: { type: 'boolean' },
      reasons: { type: 'array', items: { type: 'string', enum: DIFF_REASONS } },
      gained: { type: 'array', items: { type: 'string' } },
      lost: { type: 'array', items: { type: 'string' } },
      from_error: { type: 'string', description: 'why it cannot be reduced in the first release' },
      to_error: { type: 'string', description: 'why it cannot be reduced in the second release' },
      notes: NOTES_SCHEMA,
    },
  ),
  examples: [
    { command: "hla diff 3.29.0 3.58.0 'A*01:01'", output: 'same\tA*01:01' },
    { command: "hla diff 3.29.0 3.58.0 -m W 'A*43:01'", output: 'same\tA*43:01' },
    {
      command: "hla diff 3.29.0 3.58.0 -m U2 'A*43:XX'",
      output: 'gained\tA*43:01\tA*43:01/A*43:02N/A*43:03',
      exit: 1,
    },
    {
      command: "printf 'id,A_1,A_2\\n1,43:XX,01:01\\n' | hla diff 3.29.0 3.58.0 -d ,",
      output: 'A*43:XX\tgained\tA*43:01\tA*43:01/A*43:03',
      exit: 1,
    },
    {
      command: 'hla diff -q lab1.csv lab2.csv --summary',
      output:
        '2 persons are in both files, 0 in lab1.csv alone, 0 in lab2.csv alone\nlgx: 1 of 2 agree at every locus that both files have',
      exit: 1,
    },
    { command: 'hla diff lab1.csv lab2.csv --rows differences.csv -o loci.csv', output: '', exit: 1 },
    {
      command: 'hla diff 3.29.0 3.58.0 -q -i before.csv -i after.csv --summary',
      output:
        '1 person is in both files, 0 in before.csv alone, 0 in after.csv alone\nlgx: 1 of 1 agree at every locus that both files have',
    },
  ],
  run: (input, knowledge) => {
    const { accept } = input
    const method = parseMethod(input.reduction_method ?? DEFAULT_METHOD)
    const from = knowledge.other(input.from_release)
    const to = knowledge.other(input.to_release)
    const engines = {
      from: from.engine(input.options),
      to: to.engine(input.options),
      history: requireHistory(newer(from, to)),
    }
    return answerWithOptions(input.gl_string, { accept }, from, (read) => {
      const diff = diffReductions(engines, read.text, method)
      refuseUnreadable(diff, read.text, from)
      return {
        gl_string: input.gl_string,
        reduction_method: method,
        from_release: from.release.facts.label,
        to_release: to.release.facts.label,
        from_ard: diff.from.ard ?? '',
        to_ard: diff.to.ard ?? '',
        changed: diff.reasons.length > 0,
        reasons: diff.reasons,
        gained: diff.gained,
        lost: diff.lost,
        ...(diff.from.error === undefined ? {} : { from_error: diff.from.error.message }),
        ...(diff.to.error === undefined ? {} : { to_error: diff.to.error.message }),
        ...withNotes([...read.notes, ...diff.notes]),
      }
    })
  },
  toText({ reasons, from_ard, to_ard, changed, from_error, to_error }) {
    if (from_error !== undefined && to_error !== undefined) return `${FAILS}\t${from_error}\t${to_error}`
    return changed ? `${reasons.join(',')}\t${from_ard}\t${to_ard}` : `same\t${to_ard}`
  },
  table: {
    columns: [
      'input',
      'method',
      'from',
      'from_result',
      'to',
      'to_result',
      'reasons',
      'gained',
      'lost',
      'from_error',
      'to_error',
    ],
    row: (output) => [
      output.gl_string,
      output.reduction_method,
      output.from_release,
      output.from_ard,
      output.to_release,
      output.to_ard,
      output.reasons.join(','),
      output.gained.join('/'),
      output.lost.join('/'),
      output.from_error ?? '',
      output.to_error ?? '',
    ],
  },
  isNegative: ({ changed }) => changed,
  comparesTables: true,
  tallyOf({ reasons, from_error, to_error }) {
    if (from_error !== undefined && to_error !== undefined) return [FAILS]
    return reasons.length === 0 ? ['same'] : reasons
  },
})

/**
 * Codes of empty answers: an empty answer in both releases is equal, whereas an invalid typing in both is an error.
 */
const EMPTY: readonly ErrorCode[] = ['no-serology', 'no-alleles', 'mac-empty-expansion']

function refuseUnreadable({ from, to }: Diff, text: string, knowledge: Knowledge): void {
  if (from.error === undefined || to.error === undefined || EMPTY.includes(from.error.code)) return
  throw adviseError(from.error, text, knowledge)
}

/** The newer release, whose history of names covers both. */
function newer(a: Knowledge, b: Knowledge): Knowledge {
  return compareReleases(a.release.facts.label, b.release.facts.label) > 0 ? a : b
}
