/** Inputs written in the names of another release: the `from` and `lift` properties of operations. */
import { HlaError, type Note } from '../errors.ts'
import { liftGlString } from '../engine/lift-gl-string.ts'
import type { History } from '../reference/history.ts'
import { parseReleaseNumber } from '../reference/release-number.ts'
import { type Knowledge, refuseStarter } from './knowledge.ts'

export const LIFT_PROPERTIES = {
  from: { type: 'string', description: 'release the names are from, e.g. 3.29.0' },
  lift: { type: 'boolean', description: 'names may be from any earlier release' },
} as const

interface Asked {
  readonly from?: string | undefined
  readonly lift?: boolean | undefined
}

/** The text in the names of the release that answers; unchanged when nothing was asked. */
export function liftInput(
  text: string,
  asked: Asked,
  knowledge: Knowledge,
): { text: string; notes: readonly Note[] } {
  if (asked.from === undefined && asked.lift !== true) return { text, notes: [] }
  const from = asked.from === undefined ? {} : { from: parseReleaseNumber(asked.from).label }
  return liftGlString(requireHistory(knowledge), text, { ...from, to: knowledge.release.facts.label })
}

/** @throws {HlaError} starter; no-data — installed without the allele lists of other releases */
export function requireHistory(knowledge: Knowledge): History {
  refuseStarter(knowledge, 'translating names between releases')
  const history = knowledge.history()
  if (history !== undefined) return history
  const hint = `hla data install ${knowledge.release.facts.label} --force --from <IMGTHLA with Allelelist_history.txt or allelelist/>`
  throw new HlaError('no-data', 'the allele lists of other releases are not installed', { hint })
}
