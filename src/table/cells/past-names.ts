/** Names in typings that state their release: which of them the accession history gives to another allele now, or to none. Pure. */
import { nameLifter } from '../../engine/lift/lift.ts'
import { isHlaError } from '../../errors.ts'
import { listDesignations, listTypings, parseGlString } from '../../nomenclature/gl-string.ts'
import { withoutPrefix } from '../../nomenclature/allele.ts'
import type { Knowledge } from '../../operations/knowledge.ts'
import type { History } from '../../reference/history/history.ts'
import { compareReleases } from '../../reference/release-number.ts'

export interface PastNames {
  /** The history has the release (`3.25.0`) and ours, and ours is not older. */
  readonly isKnown: (release: string) => boolean
  /**
   * A GL String of that release would mean another allele in ours, or none, and the history has its names there. False
   * where one of its names cannot be translated, unless one of them has been given to another allele: then reading it
   * as of its release fails, and reading it as it stands would be wrong.
   */
  readonly hasChanged: (release: string, glString: string) => boolean
}

/** Without a history it knows no release. */
export function pastNames(knowledge: Pick<Knowledge, 'history' | 'release'>): PastNames {
  const { label } = knowledge.release.facts
  const judges = new Map<string, (glString: string) => boolean>()
  const isKnown = (release: string) => {
    const releases = knowledge.history()?.releases ?? []
    return releases.includes(release) && releases.includes(label) && compareReleases(release, label) <= 0
  }
  return {
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
    // a deletion says in words what the allele is now; a name with fewer fields still means it
    if (result === null || status === 'merged') return 'unclear'
    return status === 'renamed' || status === 'suffix' ? 'renamed' : 'none'
  }
  return (glString) => {
    const changes = leavesIn(glString).map((leaf) => changeOf(withoutPrefix(leaf)))
    return changes.includes('reissued') || (changes.includes('renamed') && !changes.includes('unclear'))
  }
}

/** None where it is malformed: reading it says so. */
function leavesIn(glString: string): readonly string[] {
  try {
    return listTypings(parseGlString(glString))
      .flatMap(listDesignations)
      .map(({ text }) => text)
  } catch (error) {
    if (isHlaError(error)) return []
    throw error
  }
}
