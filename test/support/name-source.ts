/** Names that advice is chosen from. */
import type { NameSource } from '../../src/engine/suggest/suggest.ts'
import { cutFields } from '../../src/nomenclature/allele.ts'

/** A name source with the names, their first two and three fields, and two fields with the expression letter. */
export function sourceOf(release: string, names: readonly string[]): NameSource {
  const short = names.map((name) => cutFields(name, 2) + (/\D$/.test(name) ? name.slice(-1) : ''))
  const all = new Set([...names.flatMap((name) => [name, cutFields(name, 2), cutFields(name, 3)]), ...short])
  const sorted = [...all].sort()
  return {
    release,
    counts: new Map(),
    isKnown: (name) => all.has(name),
    isKnownText: (units) => all.has(String.fromCharCode(...units)),
    withPrefix: (prefix) => sorted.filter((name) => name.startsWith(prefix)),
  }
}
