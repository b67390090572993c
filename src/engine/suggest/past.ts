/** Advice from the history: the name was good in another release. */
import type { History } from '../../reference/history/history.ts'
import { compareReleases } from '../../reference/release-number.ts'
import { liftName } from '../lift/lift.ts'
import type { Lifted } from '../lift/lift.ts'
import { renamedSince } from '../lift/note.ts'
import type { Advice } from './advice.ts'

/** Undefined when no release of the history has the name, or when the history does not cover `release`. */
export function adviseFromPast(name: string, release: string, history: History): Advice | undefined {
  if (!history.releases.includes(release)) return undefined
  const lifted = liftName(history, name, { to: release })
  switch (lifted.status) {
    case 'renamed':
    case 'extended':
    case 'suffix':
      return renamed(history, lifted)
    case 'merged':
    case 'deleted':
      return deleted(history, lifted)
    case 'ambiguous':
      return { code: 'unknown-allele', hint: firstWarning(lifted), suggestions: [] }
    case 'unknown':
      return namedLater(history, lifted)
    case 'reissued':
    case 'same':
      break
  }
  return undefined
}

function renamed(history: History, lifted: Lifted): Advice {
  const since = renamedSince(history, lifted)
  const words = history.deletionOf(lifted.input)?.description
  const when =
    since === undefined ? `${lifted.result} in ${lifted.to}` : `renamed ${lifted.result} in ${since}`
  const hint = words === undefined ? when : `${when}: "${words}"`
  return { code: 'renamed-allele', hint, ...use(lifted.result) }
}

function deleted(history: History, lifted: Lifted): Advice {
  const last = history.ownersOf(lifted.input).at(-1)?.last
  const row = history.deletionOf(lifted.input) ?? history.deletionOfAccession(lifted.accession ?? '')
  const when = last === undefined ? 'deleted' : `deleted after ${last}`
  return {
    code: 'deleted-allele',
    hint: row === undefined ? when : `${when}: "${row.description}"`,
    ...use(lifted.result),
  }
}

function namedLater(history: History, { input, to }: Lifted): Advice | undefined {
  const first = history.ownersOf(input)[0]?.first
  if (first === undefined || compareReleases(first, to) <= 0) return undefined
  return { code: 'unknown-allele', hint: `first named in ${first}, after ${to}`, suggestions: [] }
}

function use(result: string | null): Pick<Advice, 'detail' | 'suggestions'> {
  if (result === null) return { suggestions: [] }
  return { detail: `use ${result}, or --lift to translate old names`, suggestions: [result] }
}

function firstWarning({ warnings, input }: Lifted): string {
  return warnings[0]?.message ?? `${input} has several meanings`
}
