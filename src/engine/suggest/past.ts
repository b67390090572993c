/** What became of a name that a release does not list: renamed or deleted, by the allele lists of all releases and Deleted_alleles.txt. */
import { advice, clause, option } from '../../advice.ts'
import { isAccession } from '../../nomenclature/allele.ts'
import type { History } from '../../reference/history/history.ts'
import { compareReleases } from '../../reference/release-number.ts'
import { type Lifted, liftName } from '../lift/lift.ts'
import { renamedSince } from '../lift/note.ts'
import { splitSuffix } from '../lift/relation.ts'
import type { ErrorCode } from '../../errors.ts'
import type { Advice, Slips } from './advice.ts'

/** `successor`, `since`, `last`, `reason` and `accession`, as far as they are known. */
type NameFacts = Readonly<Partial<Record<string, string>>>

/**
 * Undefined when no release of the history has the name, or when the history does not cover `release`. `slips`: of the
 * text that was read as the name.
 */
export function adviseFromPast(
  name: string,
  release: string,
  history: History,
  slips: Slips = [],
): Advice | undefined {
  if (!history.releases.includes(release) || !mayHavePast(name, history)) return undefined
  const lifted = liftName(history, name, { to: release })
  switch (lifted.status) {
    case 'renamed':
    case 'extended':
    case 'suffix':
      return renamed(history, lifted, slips)
    case 'merged':
    case 'deleted':
      return deleted(history, lifted, slips)
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

/** One look-up instead of the ten of a translation: most unknown names are slips, which no release ever had. */
function mayHavePast(name: string, history: History): boolean {
  return history.hasSpellingUnder(splitSuffix(name).stem) || history.deletionOf(name) !== undefined
}

function renamed(history: History, lifted: Lifted, slips: Slips): Advice {
  const since = renamedSince(history, lifted)
  const words = history.deletionOf(lifted.input)?.description
  const facts = knownFacts({ successor: lifted.result, since, reason: words, accession: lifted.accession })
  return { code: 'renamed-allele', hint: renamedText(facts, lifted.to), facts, ...use(lifted.result, slips) }
}

function deleted(history: History, lifted: Lifted, slips: Slips = []): Advice {
  const last = history.ownersOf(lifted.input).at(-1)?.last
  const row = history.deletionOf(lifted.input) ?? history.deletionOfAccession(lifted.accession ?? '')
  const facts = knownFacts({
    successor: lifted.result,
    last,
    reason: row?.description,
    accession: lifted.accession,
  })
  return {
    code: 'deleted-allele',
    facts,
    hint: deletedText(facts),
    ...use(lifted.result, slips),
  }
}

/** Text about a renamed or deleted name. `release`: the one in use. */
export function becameText(code: ErrorCode, facts: NameFacts, release: string): string {
  return code === 'renamed-allele' ? renamedText(facts, release) : deletedText(facts)
}

function renamedText({ successor = '', since, reason }: NameFacts, release: string): string {
  return withReason(
    since === undefined ? `${successor} in ${release}` : `renamed ${successor} in ${since}`,
    reason,
  )
}

function deletedText({ last, reason }: NameFacts): string {
  return withReason(last === undefined ? 'deleted' : `deleted after ${last}`, reason)
}

function withReason(text: string, reason: string | undefined): string {
  return reason === undefined ? text : `${text}: "${reason}"`
}

/** Those that are there. */
function knownFacts(facts: Readonly<Record<string, string | null | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(facts).filter((fact): fact is [string, string] => fact[1] != null))
}

function namedLater(history: History, { input, to }: Lifted): Advice | undefined {
  const first = history.ownersOf(input)[0]?.first
  if (first === undefined || compareReleases(first, to) <= 0) return undefined
  return {
    code: 'unknown-allele',
    hint: `first named in ${first}, a later release than ${to}`,
    suggestions: [],
  }
}

function use(result: string | null, slips: Slips): Pick<Advice, 'detail' | 'suggestions'> {
  if (result === null) return { suggestions: [] }
  // lifting reads old digits without a leniency
  const needed = slips?.filter((slip) => slip !== 'v2') ?? []
  const lifting =
    slips === undefined
      ? ''
      : needed.length === 0
        ? clause`, or ${option('lift')} to translate old names`
        : clause`, or ${option('accept', needed.join(','))} with ${option('lift')} to translate old names`
  return { detail: advice`use ${result}${lifting}`, suggestions: [result] }
}

/** An accession number: of which allele. */
export function adviseOnAccession(
  name: string,
  release: string,
  history: History | undefined,
): Advice | undefined {
  if (!isAccession(name)) return undefined
  const lifted = history === undefined ? undefined : liftName(history, name, { to: release })
  if (history === undefined || lifted === undefined || lifted.status === 'unknown')
    return { code: 'unknown-allele', suggestions: [] }
  const { result, status } = lifted
  if (result === null || status !== 'same') return deleted(history, lifted)
  return { code: 'unknown-allele', hint: numberText(result), suggestions: [result] }
}

/** `name`: that of the allele. */
export function numberText(name: string): string {
  return `the number of ${name}`
}

function firstWarning({ warnings, input }: Lifted): string {
  return warnings[0]?.message ?? `${input} has several meanings`
}
