/** Change of a typing between two releases: its reduction in each, and the reasons. */
import { assured, type HlaError, type Note, orElse } from '../../errors.ts'
import { withoutPrefix } from '../../nomenclature/allele.ts'
import { listDesignations, parseGlString, listTypings } from '../../nomenclature/gl-string.ts'
import type { History } from '../../reference/history/history.ts'
import type { Engine } from '../engine.ts'
import { type Lifted, nameLifter } from '../lift/lift.ts'
import type { Method } from '../reduce/methods.ts'
import { redux } from '../redux.ts'
import { ANTIGEN_REASONS, antigenReasons, antigenSpelledIn, hatsNotes, listHats } from './antigen-changes.ts'

/** Reasons for a changed reduction, in the order they are tested. */
export const DIFF_REASONS = [
  /** a name has another spelling in the later release, not only more fields, or was merged into another */
  'renamed',
  /** a name was deleted */
  'deleted',
  /** only one of the two releases can reduce the typing */
  'appeared', 'disappeared',
  /** names of the answer are spelled differently */
  'renamed-result',
  /** antigens were added, withdrawn or changed */
  'serology',
  ...ANTIGEN_REASONS,
  /** the answer has more or fewer names: new alleles below a code, or in a group */
  'gained', 'lost',
  /** the same names belong to other groups */
  'regrouped',
] as const // prettier-ignore
export type DiffReason = (typeof DIFF_REASONS)[number]

export interface Reduction {
  /** null when the reduction failed. */
  readonly ard: string | null
  readonly error: HlaError | undefined
}

export interface Diff {
  readonly from: Reduction
  readonly to: Reduction
  /** Empty when nothing changes. */
  readonly reasons: readonly DiffReason[]
  /** When both could be reduced: answer names that only one has, the earlier ones as the later release spells them. */
  readonly gained: readonly string[]
  readonly lost: readonly string[]
  /** For method S: where HATS assigns another antigen in the later release. */
  readonly notes: readonly Note[]
}

export interface Releases {
  readonly from: Engine
  readonly to: Engine
  /** Covers both releases. */
  readonly history: History
}

/** `glString` uses names of the earlier release; it is translated for the later one. */
export function diffReductions(releases: Releases, glString: string, method: Method): Diff {
  const labels = { from: releases.from.release.facts.label, to: releases.to.release.facts.label }
  const lift = nameLifter(releases.history, labels)
  const lifts = listLeaves(glString).map(lift)
  const from = reduce(releases.from, glString, method)
  const isSame = lifts.every(keepsName) && reduce(releases.to, glString, method).ard === from.ard
  const later = isSame ? glString : translated(glString, lifts)
  const to = reduce(releases.to, later, method)
  const both = from.ard !== null && to.ard !== null
  const changes = both ? findChanges({ ...releases, lift }, glString, later, method) : []
  const serology =
    method === 'S' || method === 'hats' ? findAntigenReasons(changes, later, releases) : new Set<DiffReason>()
  const before = changes.flatMap((change) => change.before)
  const gained = [...new Set(changes.flatMap((change) => change.gained))]
  const lost = [...new Set(changes.flatMap((change) => change.lost))]
  const reasons = DIFF_REASONS.filter((reason) =>
    holds(reason, { lifts, before, from, to, gained, lost, method, serology }),
  )
  const notes = method === 'S' && to.ard !== null ? hatsNotes(later, listNames(to), releases.to) : []
  return { from, to, reasons, gained, lost, notes }
}

function findAntigenReasons(
  changes: readonly Change[],
  later: string,
  { from, to }: Releases,
): ReadonlySet<DiffReason> {
  const reasons = changes.flatMap((change, at) => {
    const before = change.before.map(({ result }) => result)
    const kept = before.filter((antigen) => !change.lost.includes(antigen))
    const typing = assured(listTypings(parseGlString(later))[at], 'each change belongs to a typing')
    const hats = listHats(to, typing.text)
    const releases = { from: from.release, to: to.release }
    const bare = (names: readonly string[]) => names.map(withoutPrefix)
    const after = bare([...kept, ...change.gained])
    return [...antigenReasons({ before: bare(before), after, hats: bare(hats), releases })]
  })
  return new Set(reasons)
}

interface Lifting extends Releases {
  readonly lift: (name: string) => Lifted
}

/** Change of the answer to one typing. */
interface Change {
  readonly before: readonly Spelled[]
  readonly gained: readonly string[]
  readonly lost: readonly string[]
}

/**
 * Compares typing by typing, since a name gained by one may be in another already. Answers consist of those to single
 * typings, so a difference shows in at least one of them.
 */
function findChanges(releases: Lifting, glString: string, later: string, method: Method): Change[] {
  const typings = listTypings(parseGlString(later))
  return listTypings(parseGlString(glString)).map(({ text }, at) => {
    const after = new Set(
      listNames(
        reduce(
          releases.to,
          assured(typings[at], 'what was lifted has as many typings as before').text,
          method,
        ),
      ),
    )
    const names = listNames(reduce(releases.from, text, method))
    const before = names.map((name) => spelledAsIn(after, respelled(releases.lift(name), releases.to)))
    const expected = new Set(before.map(({ result }) => result))
    const gained = [...after].filter((name) => !expected.has(name))
    return { before, gained, lost: [...expected].filter((name) => !after.has(name)) }
  })
}

function respelled(lifted: Lifted, { release }: Engine): Lifted {
  const { result } = lifted
  return result === null ? lifted : { ...lifted, result: antigenSpelledIn(result, release) }
}

/** Name of the earlier answer, and its spelling in the later release. */
interface Spelled {
  readonly input: string
  readonly result: string
}

/** An answer has as many fields as its method gives it: a name that gained fields since may be listed without them. */
function spelledAsIn(after: ReadonlySet<string>, lifted: Lifted): Spelled {
  const { input, result } = lifted
  if (result === null || (gainedFields(lifted) && !after.has(result))) return { input, result: input }
  return { input, result }
}

/** True when the new name begins with the earlier one, which is therefore still a name. */
function gainedFields({ input, spelling = input, result, status }: Lifted): boolean {
  return status === 'extended' || result?.startsWith(`${spelling}:`) === true
}

interface Findings extends Pick<Diff, 'from' | 'to' | 'gained' | 'lost'> {
  readonly lifts: readonly Lifted[]
  readonly before: readonly Spelled[]
  readonly method: Method
  readonly serology: ReadonlySet<DiffReason>
}

function holds(
  reason: DiffReason,
  { lifts, before, from, to, gained, lost, method, serology }: Findings,
): boolean {
  const both = from.ard !== null && to.ard !== null
  const isSerology = method === 'S' || method === 'hats'
  const isRegrouped = both && !isSerology && gained.length > 0 && lost.length > 0
  switch (reason) {
    case 'renamed':
      return lifts.some(
        (lifted) =>
          lifted.result !== null &&
          lifted.result !== (lifted.spelling ?? lifted.input) &&
          !gainedFields(lifted),
      )
    case 'deleted':
      return lifts.some(({ status }) => status === 'deleted' || status === 'reissued')
    case 'appeared':
      return from.ard === null && to.ard !== null
    case 'disappeared':
      return from.ard !== null && to.ard === null
    case 'renamed-result':
      return both && before.some(({ input, result }) => result !== input)
    case 'serology':
      return both && isSerology && gained.length + lost.length > 0
    case 'associated-antigen':
    case 'broad-antigen':
    case 'hats':
      return serology.has(reason)
    case 'gained':
      return both && !isSerology && !isRegrouped && gained.length > 0
    case 'lost':
      return both && !isSerology && !isRegrouped && lost.length > 0
    case 'regrouped':
      return isRegrouped
  }
}

function reduce(engine: Engine, glString: string, method: Method): Reduction {
  const reduced = () => ({ ard: redux(engine, glString, method).text, error: undefined })
  return orElse(reduced, (error) => ({ ard: null, error }))
}

function listLeaves(glString: string): string[] {
  return listTypings(parseGlString(glString)).flatMap((typing) =>
    listDesignations(typing).map(({ text }) => text),
  )
}

function listNames({ ard }: Reduction): string[] {
  return ard === null ? [] : [...new Set(listLeaves(ard))]
}

/** True when the name is unchanged or a prefix of the new one: `A*24:33` is now A*24:33:01. */
function keepsName(lifted: Lifted): boolean {
  return lifted.result === lifted.input || (lifted.result !== null && gainedFields(lifted))
}

/** Leaves without a name in the later release are unchanged; reducing them reports the error. */
function translated(glString: string, lifts: readonly Lifted[]): string {
  let at = 0
  return glString.replace(/[^?|+~/^]+/g, () => {
    const lifted = assured(lifts[at], 'every leaf was lifted')
    at += 1
    return lifted.result ?? lifted.input
  })
}
