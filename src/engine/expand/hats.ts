/**
 * HATS antigens reversed: all two-field names that share an antigen with the names of a code (releases from 3.64.0).
 */
import { HlaError, type Note } from '../../errors.ts'
import { countFields, readLocus } from '../../nomenclature/allele.ts'
import type { Release } from '../../reference/release.ts'
import { type Engine, releaseTitle } from '../engine.ts'
import { reduceToHats } from '../reduce/serology.ts'

export interface HatsNames {
  /** Never empty; all of the code's locus, in the order of the release. */
  readonly names: readonly string[]
  readonly notes: readonly Note[]
}

/**
 * `names` belong to one code; a name without an antigen adds none and is noted.
 * @throws {HlaError} no-hats — an earlier release; no-serology — none of them has an antigen
 */
export function expandHats(engine: Engine, names: readonly string[]): HatsNames {
  const found = names.map((name) => ({ name, antigens: reduceToHats(name, engine) }))
  const bare = found.filter(({ antigens }) => antigens.length === 0).map(({ name }) => name)
  const ofAntigen = indexHats(engine.release, readLocus(names[0] ?? ''))
  const wanted = new Set(found.flatMap(({ antigens }) => antigens))
  const shared = [...wanted].flatMap((antigen) => ofAntigen.get(antigen) ?? [])
  if (shared.length === 0)
    throw new HlaError('no-serology', `no allele of the code has a HATS antigen in ${releaseTitle(engine)}`)
  const sorted = shared.sort((one, other) => one - other).map((id) => engine.release.nameOf(id))
  return { names: sorted, notes: bare.length === 0 ? [] : [noteBare(bare)] }
}

function noteBare(names: readonly string[]): Note {
  const shown = names.length > MAX_NAMED ? [...names.slice(0, MAX_NAMED), '…'] : names
  return { level: 'warning', code: 'no-serology', message: `without a HATS antigen: ${shown.join(', ')}` }
}

const MAX_NAMED = 5

type HatsIndex = ReadonlyMap<string, readonly number[]>

/** Antigen -> numbers of the locus's two-field names; built on first use. */
function indexHats(release: Release, locus: string): HatsIndex {
  const ofRelease = release.derive(newIndexes)
  const known = ofRelease.get(locus) ?? makeIndex(release, locus)
  ofRelease.set(locus, known)
  return known
}

/** Locus -> its index. */
function newIndexes(): Map<string, HatsIndex> {
  return new Map()
}

function makeIndex(release: Release, locus: string): HatsIndex {
  const index = new Map<string, number[]>()
  for (let id = 0; id < release.size; id += 1) {
    const name = release.isKind('allele', id) ? release.nameOf(id) : ''
    if (!name.startsWith(`${locus}*`) || countFields(name) !== 2) continue
    const antigen = release.valueOf('hats', name)
    if (antigen === undefined) continue
    const names = index.get(antigen)
    if (names === undefined) index.set(antigen, [id])
    else names.push(id)
  }
  return index
}
