/**
 * Notes on a plan before the first row: unread columns that look like typings, and words among typings without a
 * declared meaning, which fail until an option accepts them. Pure.
 */
import { type Advice, type Face, advice, clause, joinAdvice, messageText, option } from '../../../advice.ts'
import { compareReleases } from '../../../reference/release-number.ts'
import { hlaRelease } from '../../input/records/exchange/source-typing.ts'
import type { MadeFacts } from '../../input/input.ts'
import { countValues, findDamage, recognizeShape } from '../typing-shape.ts'
import { notedNames } from '../../cells/tokens.ts'
import type { NameFacts } from '../../cells/name-facts.ts'
import { type UnreadColumns, labelsIn, unreadText } from './unread-text.ts'
import type { Header } from '../header.ts'
import type { RowNote } from './odd-rows.ts'

/** Words with their counts, most frequent first. */
export function findWords(columns: readonly (readonly string[])[]): [string, number][] {
  const words = new Map<string, number>()
  for (const values of columns)
    for (const [value, count] of countValues(values))
      if (words.has(value) || isWord(value)) words.set(value, (words.get(value) ?? 0) + count)
  return [...words].sort((a, b) => b[1] - a[1])
}

/** False for a typing with a mistake, which has an error of its own. */
function isWord(value: string): boolean {
  const text = value.trim()
  return (
    text.length <= MAX_LENGTH &&
    !/[*:,"]|\d{2}/.test(text) &&
    recognizeShape(text) === 'other' &&
    findDamage(text) === undefined
  )
}

const MAX_LENGTH = 40

/** Maximum number of words shown. */
export const MAX_WORDS = 8

/** Words of all columns, most frequent first. */
export function collectWords(
  groups: readonly { readonly words: readonly (readonly [string, number])[] }[],
): (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const [word, count] of groups.flatMap(({ words }) => words))
    counts.set(word, (counts.get(word) ?? 0) + count)
  return [...counts].sort((a, b) => b[1] - a[1])
}

export function missingOption(words: readonly (readonly [string, number])[]): Advice {
  const list = words
    .slice(0, MAX_WORDS)
    .map(([word]) => word.trim())
    .join(',')
  return option('missing', list)
}

interface NotedGroup {
  readonly columns: readonly number[]
  readonly values: readonly string[]
  readonly words: readonly (readonly [string, number])[]
  readonly context: { readonly facts: NameFacts; readonly isNotation?: boolean | undefined }
}

interface NotedPlan {
  readonly unread: readonly UnreadColumns[]
  readonly header: Header
  readonly groups: readonly NotedGroup[]
  readonly made?: Pick<MadeFacts, 'releases' | 'past'> | undefined
  readonly rowNotes: readonly RowNote[]
}

export interface PlanNote {
  readonly level: 'warning' | 'note'
  readonly code: 'unread-columns' | 'unknown-words' | 'source-releases' | 'notation' | RowNote['code']
  readonly message: string
}

export function planNotes(
  { unread, header, groups, made, rowNotes }: NotedPlan,
  face: Face = 'command-line',
): PlanNote[] {
  const words = collectWords(groups)
  const shown = words.slice(0, MAX_WORDS).map(([word, count]) => `${JSON.stringify(word)} ${count}x`)
  const more = words.length > shown.length ? ` and ${words.length - shown.length} more` : ''
  return [
    ...(unread.length === 0
      ? []
      : [
          {
            level: 'warning',
            code: 'unread-columns',
            message: messageText(unreadText(unread, header), face),
          } as const,
        ]),
    ...(words.length === 0
      ? []
      : [
          {
            level: 'note',
            code: 'unknown-words',
            message: messageText(
              advice`unrecognised values: ${shown.join(', ')}${more}${clause`; ${missingOption(words)} treats them as untyped`}`,
              face,
            ),
          } as const,
        ]),
    ...rowNotes,
    ...notationNotes(groups, header),
    ...releaseNotes(made, groups[0]?.context.facts.label, face),
  ]
}

function notationNotes(groups: readonly NotedGroup[], header: Header): PlanNote[] {
  const noted = groups.filter(({ context }) => context.isNotation === true)
  const [example] = noted.flatMap(({ values, context: { facts } }) =>
    values.flatMap((value) => notedExample(value, facts)),
  )
  if (example === undefined) return []
  const columns = labelsIn(noted.flatMap((group) => group.columns), header) // prettier-ignore
  return [
    { level: 'note', code: 'notation', message: `${columns}: names are written without "*" (${example})` },
  ]
}

function notedExample(value: string, facts: NameFacts): string[] {
  const names = notedNames(value.trim(), facts)
  return names === undefined ? [] : [`${value.trim()} -> ${names}`]
}

/** Notes for a table whose rows are converted; notes counted during the conversion are reported there. */
export function notesBefore(plan: NotedPlan, face?: Face): PlanNote[] {
  return planNotes(plan, face).filter(({ code }) => plan.made !== undefined || code !== 'repeated-header')
}

/**
 * Notes on releases that typings state, which decide what alleles they could name. `label`: answering release,
 * `3.58.0`.
 */
function releaseNotes(made: NotedPlan['made'], label: string | undefined, face: Face): PlanNote[] {
  if (made === undefined || made.releases.size === 0) return []
  const { past } = made
  const all = [...made.releases]
  const isKnown = (name: string) => past?.isKnown(hlaRelease(name) ?? '') === true
  const isAskedFor = (name: string) =>
    !isKnown(name) && (past === undefined || !past.isKnown(label ?? '')) && isUpTo(name, label)
  const isOther = (name: string) => !isKnown(name) && !isAskedFor(name)
  const of = (is: (name: string) => boolean) => all.filter(([name]) => is(name))
  const parts = [
    ...partOf(of(isKnown), '; names that have changed since are translated'),
    ...partOf(of(isAskedFor), clause`; to translate names that have changed since, use ${option('lift')}`),
    ...partOf(of(isOther), `, which is unknown or later than ${label}: these names are read unchanged`),
  ]
  const message = messageText(advice`typings state that they were made with ${joinAdvice(parts, '; ')}`, face)
  return [{ level: 'note', code: 'source-releases', message }]
}

function partOf(releases: readonly (readonly [string, number])[], reading: Advice): Advice[] {
  return releases.length === 0 ? [] : [advice`${releaseList(releases)}${reading}`]
}

function releaseList(releases: readonly (readonly [string, number])[]): string {
  const shown = releases.slice(0, MAX_WORDS).map(([name, count]) => `${name} (${count})`)
  const more = releases.length > shown.length ? ` and ${releases.length - shown.length} more` : ''
  return shown.join(', ') + more
}

/** True for `IMGT/HLA 3.25.0`; false for a number that is malformed or newer than ours. */
function isUpTo(name: string, label: string | undefined): boolean {
  const release = hlaRelease(name.slice(name.lastIndexOf(' ') + 1))
  return release !== undefined && (label === undefined || compareReleases(release, label) <= 0)
}
