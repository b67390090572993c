/** Names that begin like a text: alleles in the order of names, codes by alphabet. */
import { assured, HlaError } from '../../errors.ts'
import { PREFIX, readLocus } from '../../nomenclature/allele.ts'
import { compareNames, compareText } from '../../nomenclature/order.ts'
import { lowerBound } from '../../reference/lower-bound.ts'
import type { Release } from '../../reference/release.ts'
import { type Engine, requireMacTable } from '../engine.ts'
import { belongsTo, parseMac } from '../expand/mac.ts'

export const SIMILAR_KINDS = ['allele', 'mac'] as const
export type SimilarKind = (typeof SIMILAR_KINDS)[number]

/**
 * Codes when only letters follow the colon of `prefix` and such codes exist, otherwise alleles; `kind` overrides. `%`
 * and `_` are literal; case is ignored; `HLA-` is kept. May be empty.
 * @throws {HlaError} bad-syntax — without locus and the beginning of a first field; no-data
 */
export function namesLike(engine: Engine, prefix: string, kind?: SimilarKind): Iterable<string> {
  const upper = prefix.toUpperCase()
  const bare = upper.startsWith(PREFIX) ? upper.slice(PREFIX.length) : upper
  const start = prefix.length - bare.length
  if (!/^[^*]+\*[^*]/.test(bare)) {
    throw new HlaError('bad-syntax', 'a prefix needs a locus, "*" and the beginning of a first field', {
      offending: prefix,
      position: [start, prefix.length],
    })
  }
  const names = bareNamesLike(engine, bare, kind)
  return start === 0 ? names : prefixed(names)
}

function bareNamesLike(engine: Engine, prefix: string, kind: SimilarKind | undefined): Iterable<string> {
  const colon = prefix.indexOf(':')
  const [family, letters] = [prefix.slice(0, colon), prefix.slice(colon + 1)]
  if (kind === 'mac' || (kind === undefined && letters !== '' && hasCodes(engine, letters)))
    return codesLike(engine, family, letters)
  return allelesLike(engine.release, prefix)
}

function* prefixed(names: Iterable<string>): Iterable<string> {
  for (const name of names) yield PREFIX + name
}

/** True when a code of the list begins with the letters, at any locus. */
function hasCodes({ mac }: Engine, letters: string): boolean {
  for (const _ of mac?.codesWithPrefix(letters) ?? []) return true
  return false
}

function* codesLike(engine: Engine, family: string, letters: string): Iterable<string> {
  if (!engine.release.facts.loci.includes(readLocus(family))) return
  const table = requireMacTable(engine)
  for (const code of table.codesWithPrefix(letters)) {
    const mac = parseMac(`${family}:${code}`)
    const expansion = assured(table.expand(code), 'a code of the list has its names')
    if (mac !== undefined && belongsTo(mac, expansion)) yield mac.text
  }
}

function* allelesLike(release: Release, prefix: string): Iterable<string> {
  const [first, end] = candidates(release, prefix)
  for (let id = first; id < end; id += 1) {
    if (!release.isKind('allele', id)) continue
    const name = release.nameOf(id)
    if (name.startsWith(prefix)) yield name
  }
}

/**
 * Names are sorted by locus, then by fields: the range of the locus or, for a prefix with a whole first field, of that
 * field.
 */
function candidates(release: Release, prefix: string): readonly [first: number, end: number] {
  const locus = readLocus(prefix)
  const ofLocus = [
    firstId(release, (name) => compareText(findLoci(name), locus) >= 0),
    firstId(release, (name) => compareText(findLoci(name), locus) > 0),
  ] as const
  const family = /^[^*]+\*\d+(?=:)/.exec(prefix)?.[0]
  if (family === undefined) return ofLocus
  const [from, to] = ofLocus
  // bounds below and above all names of the family: second fields are never 0, and "Z" sorts after every number
  return [
    firstId(release, (name) => compareNames(name, `${family}:0`) >= 0, from, to),
    firstId(release, (name) => compareNames(name, `${family}:Z`) > 0, from, to),
  ]
}

function findLoci(name: string): string {
  return name.includes('*') ? readLocus(name) : ''
}

/** Binary search: first ID whose name is `reached`, which must be monotonic. */
function firstId(release: Release, reached: (name: string) => boolean, from = 0, to = release.size): number {
  return from + lowerBound(to - from, (at) => !reached(release.nameOf(from + at)))
}
