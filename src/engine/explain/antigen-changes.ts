/** Reasons why the antigens of a typing change between two releases: relations between new and former ones. */
import { type Note, orElse } from '../../errors.ts'
import { hasPrefix, PREFIX, withoutPrefix } from '../../nomenclature/allele.ts'
import type { Release } from '../../reference/release.ts'
import { areRelated, findAntigen } from '../antigen-levels.ts'
import type { Engine } from '../engine.ts'
import { redux } from '../redux.ts'

/** Reasons besides `serology`, which applies to any change of antigens. */
export const ANTIGEN_REASONS = [
  /** associated antigens replace their parents or the reverse: A2 and A0201 */
  'associated-antigen',
  /** broad antigens replace their splits or the reverse: A9 and A23 */
  'broad-antigen',
  /** HATS assigns the antigen in the later release, and nothing relates it to the former ones */
  'hats',
] as const
export type AntigenReason = (typeof ANTIGEN_REASONS)[number]

export interface AntigenChange {
  /** Antigens of the earlier release as the later one spells them, and of the later one. */
  readonly before: readonly string[]
  readonly after: readonly string[]
  /** Antigens that HATS assigns in the later release; may be empty. */
  readonly hats: readonly string[]
  readonly releases: { readonly from: Release; readonly to: Release }
}

/** Reasons for antigens that came or went; may be empty. */
export function antigenReasons({ before, after, hats, releases }: AntigenChange): Set<AntigenReason> {
  const came = after.filter((antigen) => !before.includes(antigen))
  const went = before.filter((antigen) => !after.includes(antigen))
  const reasonOf = (antigen: string, others: readonly string[]): AntigenReason | undefined => {
    const related = others.filter((other) => isRelated(antigen, other, releases))
    if (related.some((other) => isAssociated(antigen, other, releases))) return 'associated-antigen'
    if (related.length > 0) return 'broad-antigen'
    const isOfHats = hats.some((one) => one === antigen || areRelated(one, antigen, releases.to))
    return isOfHats ? 'hats' : undefined
  }
  const reasons = [
    ...came.map((antigen) => reasonOf(antigen, before)),
    ...went.map((antigen) => reasonOf(antigen, after)),
  ]
  return new Set(reasons.filter((reason) => reason !== undefined))
}

type Releases = AntigenChange['releases']

function isRelated(one: string, other: string, { from, to }: Releases): boolean {
  return areRelated(one, other, from) || areRelated(one, other, to)
}

function isAssociated(one: string, other: string, { from, to }: Releases): boolean {
  return [from, to].some(
    ({ facts }) => facts.associated[one] !== undefined || facts.associated[other] !== undefined,
  )
}

/** The antigen's name in the release (A203 -> A0203); other names unchanged. */
export function antigenSpelledIn(name: string, release: Release): string {
  const antigen = name.includes('*') ? undefined : findAntigen(withoutPrefix(name), release)
  return antigen === undefined ? name : (hasPrefix(name) ? PREFIX : '') + antigen
}

/** Antigens that HATS assigns to a typing; empty in a release without HATS, or where nothing is left. */
export function listHats(engine: Engine, typing: string): string[] {
  if (!engine.release.facts.hasHats) return []
  const text = orElse(
    () => redux(engine, typing, 'hats').text,
    () => '',
  )
  const names = new Set(text.split(/[\^?|+~/]/).map(withoutPrefix))
  return [...names].filter((name) => name !== '' && !name.includes('*'))
}

/** Notes where HATS assigns an antigen unrelated to any that S answers. */
export function hatsNotes(typing: string, answer: readonly string[], engine: Engine): Note[] {
  const { release } = engine
  const assigned = answer.map(withoutPrefix)
  const isRelated = (hats: string) => assigned.some((one) => one === hats || areRelated(one, hats, release))
  return listHats(engine, typing)
    .filter((hats) => !isRelated(hats))
    .map((hats) => {
      const message = `HATS assigns ${hats} in ${release.facts.label}, where S is ${assigned.join('/')}`
      return { level: 'note', code: 'hats-differs', message, offending: typing }
    })
}
