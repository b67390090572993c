/** Present names of names that the release does not list. */
import type { Engine } from '../engine.ts'
import { withMissingLetter } from '../names.ts'
import { findSuccessor } from '../retired.ts'

/**
 * Successor by the lists of other releases, else the name with its missing letter. undefined for a name of the release,
 * and for text that never was one.
 */
export function findPresentName(name: string, engine: Engine): string | undefined {
  const { release } = engine
  if (release.facts.dataset === 'starter' || release.is('allele', name)) return undefined
  const { presentNames } = engine.memory
  // the same members appear in thousands of codes
  const known = presentNames.get(engine) ?? new Map<string, string | undefined>()
  presentNames.set(engine, known)
  if (known.has(name)) return known.get(name)
  if (known.size >= MAX_KNOWN) known.clear()
  const lettered = withMissingLetter(name, engine)
  const present = findSuccessor(name, engine) ?? (lettered === name ? undefined : lettered)
  known.set(name, present)
  return present
}

const MAX_KNOWN = 50_000
