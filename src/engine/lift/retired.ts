/** What became of names that the release does not list, by the installed allele lists: the successor of a retired name. */
import { withoutPrefix } from '../../nomenclature/allele.ts'
import type { Engine } from '../engine.ts'
import { type Lifted, liftName } from './lift.ts'

/**
 * The present name of the allele that bore this one in another release. Undefined where no release had it, where it stood for several
 * alleles, and without the lists of other releases.
 */
export function findSuccessor(name: string, { release, history }: Engine): string | undefined {
  const lists = history?.()
  const { label } = release.facts
  if (lists === undefined || !lists.releases.includes(label)) return undefined
  const lifted: Lifted = liftName(lists, withoutPrefix(name), { to: label })
  return lifted.result === name ? undefined : (lifted.result ?? undefined)
}
