/** What is to be said of a plan before the first row: columns that look like typings and are not read, and words among typings that nobody has said the meaning of, which fail until one option accepts them. Pure. */
import { findDamage } from '../../cells/damage.ts'
import { countValues, recognizeShape } from '../typing-shape.ts'
import { shellWord, type UnreadColumns, unreadText } from './unread-text.ts'
import type { Header } from '../header.ts'
import type { RowNote } from './odd-rows.ts'

/** With how often each stands there, the most frequent first. */
export function findWords(columns: readonly (readonly string[])[]): [string, number][] {
  const words = new Map<string, number>()
  for (const values of columns)
    for (const [value, count] of countValues(values))
      if (words.has(value) || isWord(value)) words.set(value, (words.get(value) ?? 0) + count)
  return [...words].sort((a, b) => b[1] - a[1])
}

/** No typing with a mistake in it: those have a reason each. */
function isWord(value: string): boolean {
  const text = value.trim()
  return (
    text.length <= LONGEST &&
    !/[*:,"]|\d{2}/.test(text) &&
    recognizeShape(text) === 'other' &&
    findDamage(text) === undefined
  )
}

const LONGEST = 40

/** Words that are shown one by one. */
export const MOST_WORDS = 8

/** Those of all columns, the most frequent first. */
export function wordsOf(
  groups: readonly { readonly words: readonly (readonly [string, number])[] }[],
): (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const [word, count] of groups.flatMap(({ words }) => words))
    counts.set(word, (counts.get(word) ?? 0) + count)
  return [...counts].sort((a, b) => b[1] - a[1])
}

/** As a shell reads it. */
export function missingOption(words: readonly (readonly [string, number])[]): string {
  const list = words
    .slice(0, MOST_WORDS)
    .map(([word]) => word.trim())
    .join(',')
  return `--missing ${shellWord(list)}`
}

interface NotedPlan {
  readonly unread: readonly UnreadColumns[]
  readonly header: Header
  readonly groups: Parameters<typeof wordsOf>[0]
  readonly made?: { readonly releases: ReadonlyMap<string, number> } | undefined
  readonly rowNotes: readonly RowNote[]
}

export interface PlanNote {
  readonly level: 'warning' | 'note'
  readonly code: 'unread-columns' | 'unknown-words' | 'source-releases' | RowNote['code']
  readonly message: string
}

export function planNotes({ unread, header, groups, made, rowNotes }: NotedPlan): PlanNote[] {
  const words = wordsOf(groups)
  const shown = words.slice(0, MOST_WORDS).map(([word, count]) => `${JSON.stringify(word)} ${count}x`)
  const more = words.length > shown.length ? ` and ${words.length - shown.length} more` : ''
  return [
    ...(unread.length === 0
      ? []
      : [{ level: 'warning', code: 'unread-columns', message: unreadText(unread, header) } as const]),
    ...(words.length === 0
      ? []
      : [
          {
            level: 'note',
            code: 'unknown-words',
            message: `words that are no typings: ${shown.join(', ')}${more}; ${missingOption(words)} passes them through`,
          } as const,
        ]),
    ...rowNotes,
    ...releaseNotes(made?.releases ?? new Map()),
  ]
}

/** Of a table whose rows are converted: what is counted there is said there. */
export function notesBefore(plan: NotedPlan): PlanNote[] {
  return planNotes(plan).filter(({ code }) => plan.made !== undefined || code !== 'repeated-header')
}

/** What a typing was made with decides which alleles it could name. */
function releaseNotes(releases: ReadonlyMap<string, number>): PlanNote[] {
  if (releases.size === 0) return []
  const shown = [...releases].slice(0, MOST_WORDS).map(([name, count]) => `${name} (${count})`)
  const more = releases.size > shown.length ? ` and ${releases.size - shown.length} more` : ''
  const message = `typings say that they were made with ${shown.join(', ')}${more}; names that changed since are read with --lift`
  return [{ level: 'note', code: 'source-releases', message }]
}
