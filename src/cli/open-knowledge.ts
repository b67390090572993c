/** The reference data a command answers from: what `-r` says, or the starter set when nothing is installed. */
import { openData } from '../open.ts'
import type { Knowledge } from '../operations/knowledge.ts'
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
  // with others installed but none active, whoever asks must say which
  const isFallback = release === 'active' && isEmpty(dataDir)
  return { knowledge: openData(isFallback ? 'starter' : release, dataDir), isFallback }
}

function isEmpty(dataDir: string | undefined): boolean {
  const dirs = locateData(dataDir)
  return readActive(dirs).release === undefined && listInstalled(dirs).length === 0
}
