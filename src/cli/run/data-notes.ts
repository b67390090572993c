/** Says once per run what is to be known of the data that answer: that nothing is installed, or that they are old. */
import { isTerminal } from '../../io/stdout.ts'
import { oldReleaseNote } from '../../operations/answers/data-age.ts'
import type { OpenedKnowledge } from './open-knowledge.ts'
import type { Reporter } from './reporter.ts'

export function noteAnsweringData(opened: OpenedKnowledge, reporter: Reporter): void {
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
  reporter: Reporter,
): void {
  const names = `${alleleCount.toLocaleString('en-US')} common alleles of ${label}`
  const message = `built-in starter set (${names}): lists are incomplete; hla data install installs the full release`
  reporter.note({ level: 'note', code: 'starter', message })
}
