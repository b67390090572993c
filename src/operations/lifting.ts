/** Inputs in the names of another release, or written carelessly: the `from`, `lift` and `accept` properties of operations. */
import { HlaError, type Note } from '../errors.ts'
import { LENIENCIES, readLeniencies, readLeniently } from '../engine/accept.ts'
import { liftGlString } from '../engine/lift-gl-string.ts'
import type { History } from '../reference/history.ts'
import { parseReleaseNumber } from '../reference/release-number.ts'
import { type Knowledge, refuseStarter } from './knowledge.ts'

export const READING_PROPERTIES = {
  from: { type: 'string', description: 'release the names are from, e.g. 3.29.0' },
  lift: { type: 'boolean', description: 'names may be from any earlier release' },
  accept: {
    type: 'array',
    items: { type: 'string' },
    description: `leniencies: ${LENIENCIES.join(' ')} all`,
  },
} as const

interface Asked {
  readonly from?: string | undefined
  readonly lift?: boolean | undefined
  readonly accept?: readonly string[] | undefined
}

/** The text as it was asked to be read; unchanged when nothing was asked. Leniencies come first: names are translated once they are names. */
export function readAsAsked(
  text: string,
  { from, lift, accept }: Asked,
  knowledge: Knowledge,
): { text: string; notes: readonly Note[] } {
  const read =
    accept === undefined
      ? { text, notes: [] }
      : readLeniently(knowledge.engine(), text, readLeniencies(accept))
  if (from === undefined && lift !== true) return read
  const releases = {
    from: from === undefined ? undefined : parseReleaseNumber(from).label,
    to: knowledge.release.facts.label,
  }
  const lifted = liftGlString(requireHistory(knowledge), read.text, releases)
  return { text: lifted.text, notes: [...read.notes, ...lifted.notes] }
}

/** @throws {HlaError} starter; no-data — installed without the allele lists of other releases */
export function requireHistory(knowledge: Knowledge): History {
  refuseStarter(knowledge, 'translating names between releases')
  const history = knowledge.history()
  if (history !== undefined) return history
  const hint = `hla data install ${knowledge.release.facts.label} --force --from <IMGTHLA with Allelelist_history.txt or allelelist/>`
  throw new HlaError('no-data', 'the allele lists of other releases are not installed', { hint })
}
