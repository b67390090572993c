/** Successors of retired names, by the installed allele lists. */
import { withoutPrefix } from '../../nomenclature/allele.ts'
import type { Engine } from '../engine.ts'
import { type Lifted, liftName } from './lift.ts'

/**
 * Present name of the allele that had this name in another release. undefined where no release had it, where it stood
 * for several alleles, and without the lists of other releases.
 */
export function findSuccessor(name: string, { release, history }: Engine): string | undefined {
  const lists = history?.()
  const { label } = release.facts
  if (lists === undefined || !lists.releases.includes(label)) return undefined
  const lifted: Lifted = liftName(lists, withoutPrefix(name), { to: label })
  return lifted.result === name ? undefined : (lifted.result ?? undefined)
}
