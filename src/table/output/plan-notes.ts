/** What is to be said of a plan before the first row: columns that look like typings and are not read, words that nobody knows. Pure. */
import type { TablePlan } from '../plan/plan.ts'
import { missingOption, MOST_WORDS, wordsOf } from '../plan/recognition/unknown-words.ts'
import { unreadText } from '../plan/recognition/unread-columns.ts'

export interface PlanNote {
  readonly level: 'warning' | 'note'
  readonly code: 'unread-columns' | 'unknown-words'
  readonly message: string
}

export function planNotes({ unread, header, groups }: TablePlan): PlanNote[] {
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
  ]
}
