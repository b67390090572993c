/** Says once per run that the starter set answers, because nothing is installed. */
import type { OpenedKnowledge } from './open-knowledge.ts'
import type { Reporter } from './reporter.ts'

export function noteStarter({ knowledge, isFallback }: OpenedKnowledge, reporter: Reporter): void {
  if (isFallback) noteStarterSet(knowledge.release.facts, reporter)
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
