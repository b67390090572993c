/**
 * Names in typings that state their release: whether the accession history now gives them to another allele, or to
 * none. Pure.
 */
import { nameLifter } from '../../engine/lift/lift.ts'
import { isHlaError } from '../../errors.ts'
import { listLeaves } from '../../nomenclature/gl-string.ts'
import { withoutPrefix } from '../../nomenclature/allele.ts'
import type { Knowledge } from '../../operations/knowledge.ts'
import type { History } from '../../reference/history/history.ts'
import { compareReleases } from '../../reference/release-number.ts'

export interface PastNames {
  /** Our release: `3.58.0`. */
  readonly label: string
  /** True when the history has the release (`3.25.0`) and ours, and ours is not older. */
  readonly isKnown: (release: string) => boolean
  /**
   * True when a GL String of that release means another allele in ours, or none, and the history has its names there.
   * False when a name cannot be translated, unless another has been given to a different allele: then reading it as of
   * its release fails, and reading it unchanged would be wrong.
   */
  readonly hasChanged: (release: string, glString: string) => boolean
}

/** Without a history no release is known. */
export function pastNames(knowledge: Pick<Knowledge, 'history' | 'release'>): PastNames {
  const { label } = knowledge.release.facts
  const judges = new Map<string, (glString: string) => boolean>()
  const isKnown = (release: string) => {
    const releases = knowledge.history()?.releases ?? []
    return releases.includes(release) && releases.includes(label) && compareReleases(release, label) <= 0
  }
  return {
    label,
    isKnown,
    hasChanged(release, glString) {
      const history = knowledge.history()
      if (history === undefined || release === label || !isKnown(release)) return false
      const judge = judges.get(release) ?? changeFinder(history, release, label)
      judges.set(release, judge)
      return judge(glString)
    },
  }
}

type Change = 'none' | 'renamed' | 'reissued' | 'unclear'

function changeFinder(history: History, from: string, to: string): (glString: string) => boolean {
  const lift = nameLifter(history, { from, to })
  const changeOf = (name: string): Change => {
    const [before, now] = [history.accessionIn(from, name), history.accessionIn(to, name)]
    if (before !== undefined && now !== undefined && now !== before) return 'reissued'
    const { result, status } = lift(name)
    // the deletion's text names the allele's successor; a name with fewer fields still means it
    if (result === null || status === 'merged') return 'unclear'
    return status === 'renamed' || status === 'suffix' ? 'renamed' : 'none'
  }
  return (glString) => {
    const changes = leavesIn(glString).map((leaf) => changeOf(withoutPrefix(leaf)))
    return changes.includes('reissued') || (changes.includes('renamed') && !changes.includes('unclear'))
  }
}

/** Empty for a malformed text, which reading reports. */
function leavesIn(glString: string): readonly string[] {
  try {
    return listLeaves(glString).map(({ text }) => text)
  } catch (error) {
    if (isHlaError(error)) return []
    throw error
  }
}
