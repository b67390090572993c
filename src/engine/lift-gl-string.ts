/** Whole GL Strings read as of another release: each allele in them translated, with a note for each that changed. */
import { HlaError, type Note } from '../errors.ts'
import {
  designationsOf,
  formatGlString,
  type GlLeaf,
  mapTypings,
  parseGlString,
} from '../nomenclature/gl-string.ts'
import { malformationOf } from '../nomenclature/grammar.ts'
import type { History } from '../reference/history.ts'
import { liftName, type LiftReleases, noteOfLift } from './lift.ts'

export interface LiftedGlString {
  readonly text: string
  readonly notes: readonly Note[]
}

/**
 * Malformed leaves stay as they are: whoever reads the result reports them.
 * @throws {HlaError} lift-ambiguous, deleted-allele, unknown-allele — with the position in the text given
 */
export function liftGlString(history: History, text: string, releases: LiftReleases): LiftedGlString {
  const notes: Note[] = []
  const lifted = mapTypings(parseGlString(text), (typing) =>
    designationsOf(typing)
      .map((leaf) => liftLeaf(history, leaf, releases, notes))
      .join('/'),
  )
  return { text: formatGlString(lifted), notes }
}

function liftLeaf(history: History, leaf: GlLeaf, releases: LiftReleases, notes: Note[]): string {
  if (malformationOf(leaf.text) !== undefined) return leaf.text
  const lifted = liftName(history, leaf.text, releases)
  const position = [leaf.start, leaf.start + leaf.text.length] as const
  if (lifted.result === null) {
    const [reason] = lifted.warnings
    const code =
      lifted.status === 'ambiguous'
        ? 'lift-ambiguous'
        : lifted.status === 'deleted'
          ? 'deleted-allele'
          : 'unknown-allele'
    throw new HlaError(code, reason?.message ?? `${leaf.text} cannot be translated`, {
      offending: leaf.text,
      position,
    })
  }
  const note = noteOfLift(history, lifted)
  for (const one of note === undefined ? lifted.warnings : [note, ...lifted.warnings]) {
    notes.push({ ...one, level: one.code === 'not-lifted' ? 'detail' : one.level, position })
  }
  return lifted.result
}
