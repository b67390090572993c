/**
 * Opens the reference data for a command: the release named with `-r`, or the starter set when nothing is installed.
 * Also prints notes about the data.
 */
import { statSync } from 'node:fs'
import { HlaError } from '../../errors.ts'
import { openData } from '../../open.ts'
import type { Reading } from '../../reference/store/open-release.ts'
import { dataIdText, type Knowledge } from '../../operations/knowledge.ts'
import { locateData, readActive } from '../../reference/store/location.ts'
import { listInstalled } from '../../reference/store/installed.ts'
import { checkData } from '../../operations/answers/expect-data.ts'
import type { Reporter } from './reporter.ts'
import { formatCount } from '../../format-count.ts'

export interface OpenedKnowledge {
  readonly knowledge: Knowledge
  /** Nothing is installed, and the user did not request the starter set. */
  readonly isFallback: boolean
}

/** @throws {HlaError} unknown-release, no-data — the release is not installed, or the named folder does not exist */
export function openKnowledge(
  release: string,
  dataDir: string | undefined,
  reading?: Reading,
): OpenedKnowledge {
  // with releases installed but none active, the user must name one
  const isActive = release === 'active'
  const isFallback = isActive && isEmpty(dataDir)
  if (isFallback) mustExist(dataDir)
  return { knowledge: openData(isFallback ? 'starter' : release, dataDir, reading), isFallback }
}

/**
 * Refuses a mistyped folder, which would be answered from the starter set. The environment may name a folder before
 * anything is installed there.
 */
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

/** No release is installed. */
export function isEmpty(dataDir: string | undefined): boolean {
  const dirs = locateData(dataDir)
  return readActive(dirs).release === undefined && listInstalled(dirs).length === 0
}

/** @throws {HlaError} pin, usage */
export function checkInstalled(expected: string | undefined, knowledge: Knowledge): void {
  if (expected === undefined) return
  // the identity is computed lazily: it loads a part of Node that takes as long to load as an answer
  const { identity, release } = knowledge
  const { dataset, label } = release.facts
  const found = dataset === 'starter' ? `the built-in starter set of ${label}` : dataIdText(identity)
  checkData(expected, found, 'answers come from')
}

export function noteAnsweringData(opened: OpenedKnowledge, reporter: Pick<Reporter, 'note'>): void {
  const { knowledge, isFallback } = opened
  if (isFallback) noteStarterSet(knowledge.release.facts, reporter)
}

/** `label` is the release of the starter set. */
export function noteStarterSet(
  { alleleCount, label }: { alleleCount: number; label: string },
  reporter: Pick<Reporter, 'note'>,
): void {
  const names = `${formatCount(alleleCount)} common alleles of ${label}`
  const message = `built-in starter set (${names}): lists are incomplete; hla data install installs the full release`
  reporter.note({ level: 'note', code: 'starter', message })
}
