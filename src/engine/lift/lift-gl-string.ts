/** Translation of whole GL Strings from another release: each allele translated, with a note for each change. */
import { HlaError, type Note, type Position } from '../../errors.ts'
import {
  listDesignations,
  formatGlString,
  type GlLeaf,
  mapTypings,
  parseGlString,
} from '../../nomenclature/gl-string.ts'
import { withoutPrefix } from '../../nomenclature/allele.ts'
import { findMalformation } from '../../nomenclature/grammar.ts'
import type { History } from '../../reference/history/history.ts'
import { parseMac } from '../expand/mac.ts'
import { type Lifted, type LiftReleases, nameLifter, liftNote, requireReleases } from './lift.ts'

export interface LiftedGlString {
  readonly text: string
  readonly notes: readonly Note[]
}

export interface GlStringLift extends LiftReleases {
  /** Called for a name that cannot be translated and stays unchanged; when omitted, the first such error is thrown. */
  readonly failed?: ((error: HlaError) => void) | undefined
  /** True: names that only gained fields stay unchanged, for answers with as many fields as written. */
  readonly keepsFields?: boolean | undefined
}

/**
 * Codes and XX codes stay unchanged, since the engine reads their members; malformed leaves, too, which the reader of the
 * result reports.
 * @throws {HlaError} unknown-release; lift-ambiguous, deleted-allele, unknown-allele — with the position in the given text
 */
export function liftGlString(history: History, text: string, releases: GlStringLift): LiftedGlString {
  requireReleases(history, releases)
  const notes: Note[] = []
  const lift = nameLifter(history, releases)
  const lifted = mapTypings(parseGlString(text), (typing) =>
    listDesignations(typing)
      .map((leaf) => liftLeaf(history, leaf, { ...releases, lift, notes }))
      .join('/'),
  )
  return { text: formatGlString(lifted), notes }
}

interface Lifting extends GlStringLift {
  readonly lift: (name: string) => Lifted
  readonly notes: Note[]
}

function liftLeaf(history: History, leaf: GlLeaf, { lift, notes, ...releases }: Lifting): string {
  if (findMalformation(leaf.text) !== undefined) return leaf.text
  if (isCode(withoutPrefix(leaf.text))) return leaf.text
  const lifted = lift(leaf.text)
  const position = [leaf.start, leaf.start + leaf.text.length] as const
  if (lifted.result === null) {
    const error = untranslated(lifted, leaf, position)
    if (releases.failed === undefined) throw error
    releases.failed(error)
    return leaf.text
  }
  if (releases.keepsFields === true && lifted.status === 'extended') return leaf.text
  const note = liftNote(history, lifted)
  for (const one of note === undefined ? lifted.warnings : [note, ...lifted.warnings]) {
    notes.push({ ...one, level: one.code === 'not-lifted' ? 'detail' : one.level, position })
  }
  return lifted.result
}

function isCode(name: string): boolean {
  return name.includes('*') && (name.endsWith(':XX') || parseMac(name) !== undefined)
}

function untranslated({ status, warnings }: Lifted, { text }: GlLeaf, position: Position): HlaError {
  const [reason] = warnings
  const code =
    status === 'ambiguous' ? 'lift-ambiguous' : status === 'deleted' ? 'deleted-allele' : 'unknown-allele'
  return new HlaError(code, reason?.message ?? `${text} cannot be translated`, { offending: text, position })
}
