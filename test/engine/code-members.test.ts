/** Every member of every code is an answer or a loss, in each published release; the history is read a second way. */
import { expect, test } from 'vitest'
import { makeEngine } from '../../src/engine/engine.ts'
import { localExecutor } from '../../src/operations/executor.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { expandMac } from '../../src/engine/expand/expand-mac.ts'
import { mainFirstField, parseMac } from '../../src/engine/expand/mac.ts'
import { redux } from '../../src/engine/redux.ts'
import { assured, type Note, orElse } from '../../src/errors.ts'
import { compareReleases } from '../../src/reference/release-number.ts'
import { publishedHistory, publishedList, publishedLists } from '../support/history.ts'
import { IS_LONG, isInSample } from '../support/rounds.ts'
import { PUBLISHED, realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'

interface Published {
  /** First release with the name, of two fields with or without its letter. */
  readonly first: string
  /** Numbers of its alleles. */
  readonly alleles: ReadonlySet<string>
}

function publishedNames(): ReadonlyMap<string, Published> {
  const names = new Map<string, { readonly first: string; readonly alleles: Set<string> }>()
  const add = (name: string, release: string, accession: string) => {
    const known = names.get(name) ?? { first: release, alleles: new Set() }
    known.alleles.add(accession)
    names.set(name, known)
  }
  // most rows are those of the list before
  const seen = new Set<string>()
  const lists = publishedLists().sort((a, b) => compareReleases(a.release, b.release))
  for (const { release, rows } of lists)
    for (const [accession, name] of rows) {
      if (seen.has(accession + name)) continue
      seen.add(accession + name)
      const [, stem = '', letter = ''] = /^([^:]+(?::\d+)?)(?::\d+)*([A-Z]?)$/.exec(name) ?? []
      add(stem, release, accession)
      add(stem + letter, release, accession)
    }
  return names
}

test.skipIf(!hasShared)('no code that lists alleles loses a member in silence', { timeout: 240_000 }, () => {
  const published = publishedNames()
  const macs = realMacs()
  const silent: string[] = []
  const counts = PUBLISHED.map((compact) => {
    const engine = makeEngine(realRelease(compact), macs, undefined, publishedHistory)
    const { label, loci } = engine.release.facts
    const present = new Set(publishedList(compact).map(([accession]) => accession))
    // a name that its allele got later is a renamed member
    const isLater = (name: string) => {
      const { first = '', alleles = [] } = published.get(name) ?? {}
      return compareReleases(first, label) > 0 && ![...alleles].some((allele) => present.has(allele))
    }
    let codes = 0
    for (const code of macs.codesWithPrefix('')) {
      const { generic, members } = assured(macs.expand(code), 'a code of the list')
      if (generic || !isInSample(code, 10)) continue
      for (const locus of loci) {
        if (!members.every((member) => published.has(`${locus}*${member}`))) continue
        const listed = members.map((member) => `${locus}*${member}`)
        const text = `${locus}*${assured(mainFirstField(members), 'a code has members')}:${code}`
        const expanded = orElse(() => expandMac(assured(parseMac(text), 'a code'), engine), () => undefined) // prettier-ignore
        if (expanded === undefined) continue
        const { names, losses } = expanded
        const later = listed.filter(isLater)
        const said = losses.flatMap(({ name, kind }) => (kind === 'later' ? [name] : []))
        const isWhole = sorted(said) === sorted(later) && names.every((name) => listed.includes(name))
        if (later.length > 0) codes += 1
        const isSaid = later.length === 0 || areNoted(later, redux(engine, text, 'lgx').notes)
        if (!isWhole || !isSaid) silent.push(text)
      }
    }
    return codes
  })
  expect(silent).toEqual([])
  expect(counts[0]).toBeGreaterThan(IS_LONG ? 600 : 30)
})

test.skipIf(!hasShared)('a code of an earlier release is its list, typed out', { timeout: 240_000 }, () => {
  const macs = realMacs()
  const executor = localExecutor(
    makeKnowledge({ release: realRelease('3580'), mac: macs, history: publishedHistory }),
  )
  const namesOf = (gl_string: string, from: string) => {
    const { ard } = orElse(
      () => executor.execute('redux', { gl_string, from, reduction_method: 'U2' }) as { ard: string },
      () => ({ ard: '' }),
    )
    return ard === '' ? [] : ard.split('/')
  }
  const known = new Map<string, readonly string[]>()
  const memberNames = (name: string, from: string) => {
    const names = known.get(from + name) ?? namesOf(name, from)
    known.set(from + name, names)
    return names
  }
  const codes = [...macs.codesWithPrefix('')].filter((code) => isInSample(code, 50))
  const questions = ['3.29.0', '3.44.0'].flatMap((from) =>
    ['A', 'B', 'C', 'DRB1', 'DPB1'].flatMap((locus) => codes.map((code) => ({ from, locus, code }))),
  )
  const wrong: unknown[] = []
  let translated = 0
  for (const { from, locus, code } of questions) {
    const { generic, members } = assured(macs.expand(code), 'a code of the list')
    if (generic) continue
    const text = `${locus}*${assured(mainFirstField(members), 'a code has members')}:${code}`
    const listed = members.map((member) => `${locus}*${member}`)
    const typed = listed.flatMap((name) => memberNames(name, from))
    const names = namesOf(text, from)
    if (sorted(names) !== sorted(typed)) wrong.push([from, text, names, typed])
    if (typed.some((name) => !listed.includes(name))) translated += 1
  }
  expect(wrong).toEqual([])
  expect(translated).toBeGreaterThan(IS_LONG ? 1000 : 10)
})

function sorted(names: readonly string[]): string {
  return [...new Set(names)].sort().join(' ')
}

function areNoted(names: readonly string[], notes: readonly Note[]): boolean {
  const noted = new Set(notes.flatMap(({ losses = [] }) => losses.map(({ name }) => name)))
  return names.every((name) => noted.has(name))
}
