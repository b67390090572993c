/** Rows of docs/divergences.md that can explain a difference. */
import type { CorpusRow } from '../support/corpus.ts'
import type { Answer } from '../support/independent/reduce.ts'
import type { Habit } from '../support/independent/world.ts'

const CODES: readonly Habit[] = [
  'foreign-characters',
  'possible-genes',
  'codes-need-a-locus',
  'codes-end-a-name',
]

const HABITS_OF: Readonly<Record<string, readonly Habit[]>> = {
  redux: [
    ...CODES, 'malformed', 'coded-errors', 'unchanged-lists', 'group-letter', 'reduced-names', 'published-group-names',
    'short-name-antigens', 'null-antigens', 'dangling-tilde', 'genotype-order', 'double-g', 'old-spelling', 'before-2002',
    'field-of-zeros', 'no-silence', 'contradicted-names',
    'missing-letters', 'unlistable-fields', 'equal-but-for-prefix',
  ],
  validate: [
    ...CODES, 'mac-empty', 'own-names', 'before-2002', 'field-of-zeros', 'contradicted-names', 'missing-letters',
    'unlistable-fields', 'absent-gene',
  ],
  'mac-expand': ['codes-need-a-locus', 'mac-empty'],
  'mac-lookup': ['mac-sets'],
  'xx-expand': ['no-silence'],
  cwd: [
    'contradicted-names', 'missing-letters', 'unlistable-fields', 'foreign-characters', 'codes-need-a-locus', 'malformed',
    'cwd-one-list', 'mac-empty', 'no-silence',
  ],
  splits: ['splits-none'],
  associated: [],
  'serology-xx': [],
  similar: ['similar-literal'],
  'v2-to-v3': ['respelled-text', 'foreign-characters', 'before-2002'],
  blend: [],
} // prettier-ignore

/** The habits of py-ard that can affect an operation. */
export function reasonsFor(op: string): readonly Habit[] {
  return HABITS_OF[op] ?? []
}

/** Some habits are a whole py-ard procedure: their possible reasons. */
export const SPLIT_REASONS: Readonly<Partial<Record<string, readonly string[]>>> = {
  'mac-lookup mac-sets': ['mac-sets', 'mac-strict-lists', 'mac-main-first-field'],
  'cwd cwd-one-list': ['cwd-one-list', 'cwd-prefix', 'cwd-antigens', 'cwd-none'],
  'mac-expand codes-need-a-locus': ['codes-need-a-locus', 'code-alone'],
  'similar similar-literal': ['similar-literal', 'similar-case', 'similar-errors', 'codes-need-a-locus'],
}

/** The row of docs/divergences.md for a habit; a habit that is a whole py-ard procedure has several. */
export function nameReason(habit: Habit, row: CorpusRow, given: Answer): string {
  switch (habit) {
    case 'mac-sets':
      return reasonOfLookup(row, given)
    case 'cwd-one-list':
      return reasonOfCommon(row, given)
    case 'similar-literal':
      return reasonOfSimilar(row, given)
    case 'codes-need-a-locus':
      return /^(?:[/|+^~]|HLA-HLA-)/.test(row.input) && row.op === 'mac-expand' ? 'code-alone' : habit
    default:
      return habit
  }
}

function reasonOfLookup({ output, status }: CorpusRow, given: Answer): string {
  const code = (text: string) => text.slice(text.indexOf(':') + 1)
  if (status === 'error') return 'mac-sets'
  if ('error' in given) return 'mac-strict-lists'
  return code(given.text) === code(output) ? 'mac-main-first-field' : 'mac-sets'
}

function reasonOfCommon({ input, output, status }: CorpusRow, given: Answer): string {
  if (input.startsWith('HLA-') && 'text' in given) return 'cwd-prefix'
  if ('text' in given && /^[A-Z]+w?\d+$/.test(input)) return 'cwd-antigens'
  if (status === 'ok' && output === '' && 'error' in given && given.error === 'not-in-catalogue')
    return 'cwd-none'
  return 'cwd-one-list'
}

function reasonOfSimilar({ input, status }: CorpusRow, given: Answer): string {
  if (status === 'error') return 'similar-errors'
  if (/[%_]/.test(input)) return 'similar-literal'
  if (/[a-z]|^HLA-/.test(input)) return 'similar-case'
  return 'error' in given ? 'similar-errors' : 'codes-need-a-locus'
}

/** Reasons in ../shared/conformance/dev/deviations-REL -> rows in docs/divergences.md. */
export const DEVIATIONS: Readonly<Record<string, readonly string[]>> = {
  'A1-A2': ['unchanged-lists'],
  A5: ['group-letter'],
  A6: ['group-letter'],
  A18: ['mac-strict-lists', 'mac-sets'],
  A19: ['mac-strict-lists'],
  'A20-A21': ['mac-sets'],
  A22: ['mac-sets'],
  A24: ['cwd-prefix', 'cwd-none', 'cwd-one-list'],
  A25: ['cwd-one-list', 'cwd-none'],
  A26: ['cwd-one-list'],
  B2: ['codes-need-a-locus', 'mac-empty'],
  B3: ['codes-need-a-locus'],
  'B4-B5': ['codes-end-a-name'],
  B15: ['double-g'],
  C9: ['similar-errors'],
  D2: ['similar-literal', 'similar-errors'],
  D3: ['similar-case', 'similar-errors'],
}

/** Whether the answer differs for a reason other than the declared one. */
export function isMisdeclared(
  { op, method, input }: CorpusRow,
  declared: ReadonlyMap<string, string>,
  reasons: readonly string[],
): boolean {
  const deviation = declared.get(`${op}\t${method}\t${input}`)
  if (deviation === undefined || reasons.length === 0) return false
  return DEVIATIONS[deviation]?.some((one) => reasons.includes(one)) !== true
}
