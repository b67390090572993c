/** Every member of every code is an answer or a loss, in each published release; the history is read a second way. */
import { expect, test } from 'vitest'
import { makeEngine } from '../../src/engine/engine.ts'
import { expandMac } from '../../src/engine/expand/expand-mac.ts'
import { mainFirstField, parseMac } from '../../src/engine/expand/mac.ts'
import { redux } from '../../src/engine/redux.ts'
import { assured, type LossKind, type Note, orElse } from '../../src/errors.ts'
import { compareReleases } from '../../src/reference/release-number.ts'
import { publishedHistory, publishedLists } from '../support/history.ts'
import { PUBLISHED, realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'

/** Two fields, with and without the letter -> first release with such a name. */
function firstReleases(): ReadonlyMap<string, string> {
  const first = new Map<string, string>()
  const add = (name: string, release: string) => {
    const before = first.get(name)
    if (before === undefined || compareReleases(release, before) < 0) first.set(name, release)
  }
  for (const { release, rows } of publishedLists())
    for (const [, name] of rows) {
      const [, stem = '', letter = ''] = /^([^:]+(?::\d+)?)(?::\d+)*([A-Z]?)$/.exec(name) ?? []
      add(stem, release)
      add(stem + letter, release)
    }
  return first
}

test.skipIf(!hasShared)('no code that lists alleles loses a member in silence', { timeout: 240_000 }, () => {
  const first = firstReleases()
  const macs = realMacs()
  const silent: string[] = []
  const counts = PUBLISHED.map((compact) => {
    const engine = makeEngine(realRelease(compact), macs, undefined, publishedHistory)
    const { label, loci } = engine.release.facts
    let codes = 0
    for (const code of macs.codesWithPrefix('')) {
      const { generic, members } = assured(macs.expand(code), 'a code of the list')
      if (generic) continue
      for (const locus of loci) {
        const listed = members.map((member) => `${locus}*${member}`)
        if (!listed.every((name) => first.has(name))) continue
        const text = `${locus}*${assured(mainFirstField(members), 'a code has members')}:${code}`
        const expanded = orElse(() => expandMac(assured(parseMac(text), 'a code'), engine), () => undefined) // prettier-ignore
        if (expanded === undefined) continue
        const { names, losses } = expanded
        const ofKind = (one: LossKind) => losses.flatMap(({ name, kind }) => (kind === one ? [name] : []))
        const renamed = ofKind('renamed')
        // a name that its allele got later is a renamed member
        const later = listed.filter((name) => compareReleases(first.get(name) ?? '', label) > 0 && !renamed.includes(name)) // prettier-ignore
        const all = [...names, ...losses.map(({ name }) => name)]
        const isWhole = sorted(all) === sorted(listed) && sorted(ofKind('later')) === sorted(later)
        if (later.length > 0) codes += 1
        const isSaid = later.length === 0 || areNoted(later, redux(engine, text, 'lgx').notes)
        if (!isWhole || !isSaid) silent.push(text)
      }
    }
    return codes
  })
  expect(silent).toEqual([])
  expect(counts[0]).toBeGreaterThan(600)
})

function sorted(names: readonly string[]): string {
  return [...new Set(names)].sort().join(' ')
}

function areNoted(names: readonly string[], notes: readonly Note[]): boolean {
  const noted = new Set(notes.flatMap(({ losses = [] }) => losses.map(({ name }) => name)))
  return names.every((name) => noted.has(name))
}
