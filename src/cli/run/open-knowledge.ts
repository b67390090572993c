/** The reference data a command answers from: what `-r` says, or the starter set when nothing is installed; and what is to be known of them. */
import { statSync } from 'node:fs'
import { HlaError } from '../../errors.ts'
import { openData } from '../../open.ts'
import type { Reading } from '../../reference/store/open-release.ts'
import { dataIdText, type Knowledge } from '../../operations/knowledge.ts'
import { locateData, readActive } from '../../reference/store/location.ts'
import { listInstalled } from '../../reference/store/installed.ts'
import { isTerminal } from '../../io/stdout.ts'
import { oldReleaseNote } from '../../operations/answers/data-age.ts'
import { checkData } from '../../operations/answers/expect-data.ts'
import type { Reporter } from './reporter.ts'

export interface OpenedKnowledge {
  readonly knowledge: Knowledge
  /** Nothing is installed, and the starter set was not asked for. */
  readonly isFallback: boolean
  /** Nobody named a release: the active one answers, or the starter set in its place. */
  readonly isActive: boolean
}

/** @throws {HlaError} unknown-release, no-data — that release is not installed, or no folder has the name that was given */
export function openKnowledge(
  release: string,
  dataDir: string | undefined,
  reading?: Reading,
): OpenedKnowledge {
  // with others installed but none active, whoever asks must say which
  const isActive = release === 'active'
  const isFallback = isActive && isEmpty(dataDir)
  if (isFallback) mustExist(dataDir)
  return { knowledge: openData(isFallback ? 'starter' : release, dataDir, reading), isFallback, isActive }
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

/** @throws {HlaError} pin, usage */
export function checkInstalled(expected: string | undefined, knowledge: Knowledge): void {
  if (expected === undefined) return
  // made when it is asked for, with a part of Node that takes as long to load as an answer
  const { identity, release } = knowledge
  const { dataset, label } = release.facts
  const found = dataset === 'starter' ? `the built-in starter set of ${label}` : dataIdText(identity)
  checkData(expected, found, 'answers would come from')
}

export function noteAnsweringData(opened: OpenedKnowledge, reporter: Pick<Reporter, 'note'>): void {
  const { knowledge, isFallback, isActive } = opened
  if (isFallback) noteStarterSet(knowledge.release.facts, reporter)
  // who names a release means it, and a program that runs every night need not be told every night
  const old = isActive && !isFallback && isTerminal(2) ? oldReleaseNote(knowledge) : undefined
  if (old === undefined) return
  reporter.note({ ...old, message: `${old.message}: hla data list --available shows newer ones` })
}

/** `label` is the release it is of. */
export function noteStarterSet(
  { alleleCount, label }: { alleleCount: number; label: string },
  reporter: Pick<Reporter, 'note'>,
): void {
  const names = `${alleleCount.toLocaleString('en-US')} common alleles of ${label}`
  const message = `built-in starter set (${names}): lists are incomplete; hla data install installs the full release`
  reporter.note({ level: 'note', code: 'starter', message })
}
