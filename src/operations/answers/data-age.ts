/** How old the data are that answer, and the note on a release that is over a year old. */
import type { Note } from '../../errors.ts'
import { countDays, isOldRelease } from '../../reference/store/age.ts'
import type { Knowledge } from '../knowledge.ts'

/** Days since the release and the MAC list were published, where their dates are known. */
export function describeAges({ release, mac }: Knowledge): {
  release_age_days?: number
  mac_age_days?: number
} {
  const [ofRelease, ofList] = [countDays(release.facts.date), countDays(mac?.date ?? '')]
  return {
    ...(ofRelease === undefined ? {} : { release_age_days: ofRelease }),
    ...(ofList === undefined ? {} : { mac_age_days: ofList }),
  }
}

/** Undefined for the starter set too: it is replaced by a release, not by a newer one. */
export function oldReleaseNote({ release: { facts } }: Knowledge): Note | undefined {
  if (facts.dataset === 'starter' || !isOldRelease(facts.date)) return undefined
  const message = `IPD-IMGT/HLA ${facts.label} is of ${facts.date}, over a year old`
  return { level: 'note', code: 'old-release', message }
}
