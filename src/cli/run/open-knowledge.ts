/** The reference data a command answers from: what `-r` says, or the starter set when nothing is installed. */
import { statSync } from 'node:fs'
import { HlaError } from '../../errors.ts'
import { openData } from '../../open.ts'
import type { Knowledge } from '../../operations/knowledge.ts'
import { locateData } from '../../reference/store/location.ts'
import { readActive } from '../../reference/store/active.ts'
import { listInstalled } from '../../reference/store/installed.ts'

export interface OpenedKnowledge {
  readonly knowledge: Knowledge
  /** Nothing is installed, and the starter set was not asked for. */
  readonly isFallback: boolean
  /** Nobody named a release: the active one answers, or the starter set in its place. */
  readonly isActive: boolean
}

/** @throws {HlaError} unknown-release, no-data — that release is not installed, or no folder has the name that was given */
export function openKnowledge(release: string, dataDir: string | undefined): OpenedKnowledge {
  // with others installed but none active, whoever asks must say which
  const isActive = release === 'active'
  const isFallback = isActive && isEmpty(dataDir)
  if (isFallback) mustExist(dataDir)
  return { knowledge: openData(isFallback ? 'starter' : release, dataDir), isFallback, isActive }
}

/** A name that was mistyped must not be answered from the starter set; the environment may name where nothing has been installed yet. */
function mustExist(dataDir: string | undefined): void {
  if (
    !dataDir ||
    dataDir === process.env['HLA_DATA_DIR'] ||
    statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === true
  )
    return
  throw new HlaError('no-data', `there is no folder ${dataDir}`, {
    offending: dataDir,
    hint: 'hla data path prints where data are; without --data-dir the built-in starter set answers',
  })
}

function isEmpty(dataDir: string | undefined): boolean {
  const dirs = locateData(dataDir)
  return readActive(dirs).release === undefined && listInstalled(dirs).length === 0
}
