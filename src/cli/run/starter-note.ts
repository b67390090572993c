/** Says once per run that the starter set answers, because nothing is installed. */
import type { OpenedKnowledge } from './open-knowledge.ts'
import type { Talk } from './talk.ts'

export function noteStarter({ knowledge, isFallback }: OpenedKnowledge, talk: Talk): void {
  if (isFallback) noteStarterSet(knowledge.release.facts, talk)
}

/** `label` is the release it is of. */
export function noteStarterSet(
  { alleleCount, label }: { alleleCount: number; label: string },
  talk: Talk,
): void {
  const names = `${alleleCount.toLocaleString('en-US')} common alleles of ${label}`
  const message = `built-in starter set (${names}): lists are incomplete; hla data install installs the full release`
  talk.note({ level: 'note', code: 'starter', message })
}
