/** Why the antigens of a typing change between two releases: by what relates those that came to those that went. */
import type { Release } from '../../reference/release.ts'
import { areRelated } from '../antigen-levels.ts'

/** Beside `serology`, which holds whenever antigens change. */
export const ANTIGEN_REASONS = [
  /** antigens that are associated with those before, or those that they were associated with: A2 and A0201 */
  'associated-antigen',
  /** broad antigens for their splits, or splits for their broad antigen: A9 and A23 */
  'broad-antigen',
  /** what HATS assigns in the later release, where nothing relates it to the antigens before */
  'hats',
] as const
export type AntigenReason = (typeof ANTIGEN_REASONS)[number]

export interface AntigenChange {
  /** Of the earlier release, as the later one spells them; of the later one. */
  readonly before: readonly string[]
  readonly after: readonly string[]
  /** What HATS assigns in the later release; empty where nothing is. */
  readonly hats: readonly string[]
  readonly releases: { readonly from: Release; readonly to: Release }
}

/** What explains the antigens that came or went; none where nothing did, or nothing explains it. */
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
