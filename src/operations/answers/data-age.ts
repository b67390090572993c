/** Age of the data, and the note on a release over a year old. */
import type { Note } from '../../errors.ts'
import { countDays, isOldRelease } from '../../reference/store/age.ts'
import type { Knowledge } from '../knowledge.ts'

/** Days since publication of the release and the MAC list, where their dates are known. */
export function describeAges({ release, mac }: Knowledge) {
  const [ofRelease, ofList] = [countDays(release.facts.date), countDays(mac?.date ?? '')]
  return {
    ...(ofRelease === undefined ? {} : { release_age_days: ofRelease }),
    ...(ofList === undefined ? {} : { mac_age_days: ofList }),
  }
}

export function oldReleaseText(label: string, date: string): string {
  return `IPD-IMGT/HLA ${label} is of ${date}, over a year old`
}

/** Note on an old release; undefined for the starter set, which is replaced by a release, not by a newer set. */
export function oldReleaseNote({ release: { facts } }: Knowledge): Note | undefined {
  if (facts.dataset === 'starter' || !isOldRelease(facts.date)) return undefined
  const message = oldReleaseText(facts.label, facts.date)
  return { level: 'note', code: 'old-release', message }
}
