/** Allele names of a release by first field, collected for the first unknown name. */
import type { Release } from '../../reference/release.ts'
import type { NameSource } from './advice.ts'

export function indexNames(release: Release): NameSource {
  return release.derive(makeSource)
}

function makeSource(release: Release): NameSource {
  let families: ReadonlyMap<string, readonly string[]> | undefined
  const isAnswer = (id: number) => id >= 0 && (release.isKind('allele', id) || release.isKind('reduced', id))
  return {
    release: release.facts.label,
    counts: new Map(),
    isKnown: (name) => isAnswer(release.idOf(name)),
    isKnownText: (units) => isAnswer(release.idOfText(units)),
    *withPrefix(prefix) {
      families ??= groupFamilies(release)
      const family = familyName(prefix)
      // names of one family are adjacent, and so are the families of a locus
      if (family !== prefix) yield* (families.get(family) ?? []).filter((name) => name.startsWith(prefix))
      else for (const [one, names] of families) if (one.startsWith(prefix)) yield* names
    },
  }
}

/** `A*02` -> its alleles, in the order of the release. */
function groupFamilies(release: Release): Map<string, string[]> {
  const families = new Map<string, string[]>()
  for (let id = 0; id < release.size; id += 1) {
    if (!release.isKind('allele', id)) continue
    const name = release.nameOf(id)
    const family = families.get(familyName(name))
    if (family === undefined) families.set(familyName(name), [name])
    else family.push(name)
  }
  return families
}

/** Text before the first colon. */
function familyName(name: string): string {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(0, colon)
}
