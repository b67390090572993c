/** The reference data a command answers from: what `-r` says, or the starter set when nothing is installed.  [disk] */
import { type Knowledge, type KnowledgeParts, knowledgeOf } from '../operations/knowledge.ts'
import { openInstalled } from '../reference/open-release.ts'
import { openStarter } from '../reference/open-starter.ts'
import { locateData } from '../reference/store/location.ts'
import { readActive } from '../reference/store/active.ts'
import { listInstalled } from '../reference/store/installed.ts'

export interface OpenedKnowledge {
  readonly knowledge: Knowledge
  /** Nothing is installed, and the starter set was not asked for. */
  readonly isFallback: boolean
}

/** @throws {HlaError} unknown-release, no-data — that release is not installed */
export function openKnowledge(release: string, dataDir: string | undefined): OpenedKnowledge {
  if (release === 'starter') return { knowledge: knowledgeOf(openStarter()), isFallback: false }
  const dirs = locateData(dataDir)
  // with others installed but none active, whoever asks must say which
  if (release === 'active' && readActive(dirs).release === undefined && listInstalled(dirs).length === 0) {
    return { knowledge: knowledgeOf(openStarter()), isFallback: true }
  }
  const open = (name: string): KnowledgeParts => ({ ...openInstalled(dirs, name), open })
  return { knowledge: knowledgeOf(open(release)), isFallback: false }
}
