/** What each copy may be: its names are those of redux, and null alleles share no verdict with expressed ones. */
import { describe, expect, test } from 'vitest'
import { type Engine, makeEngine } from '../../src/engine/engine.ts'
import { readGenotypes } from '../../src/engine/match/resolve.ts'
import { makePlace, same, type TypedGenotype } from '../../src/engine/match/sets.ts'
import { METHOD_NAMES, type Method } from '../../src/engine/reduce/methods.ts'
import { redux } from '../../src/engine/redux.ts'
import { assured, orElse } from '../../src/errors.ts'
import { isGrouped, readLocus } from '../../src/nomenclature/allele.ts'
import { PUBLISHED, realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'
import { rounds } from '../support/rounds.ts'

const engineOf = (compact: string) => makeEngine(realRelease(compact), realMacs())

describe.skipIf(!hasShared)('copies', () => {
  const engine = hasShared ? engineOf('3580') : undefined
  const MICB_021 = ['1', '2', '3', '4', '5', '6', '7'].map((last) => `MICB*021:01:0${last}N`)
  const copiesOf = (text: string, method: Method) => readGenotypes(text, assured(engine, 'shared'), method)

  test.for([
    ['lgx', 'A*24:09N', { names: ['A*24:02'], expressed: [], nulls: ['A*24:09N'] }],
    ['lgx', 'HLA-A*24:02', { names: ['A*24:02'], expressed: ['A*24:02'], nulls: [] }],
    ['lgx', 'A*24:09N/A*23:01:01', { names: ['A*24:02', 'A*23:01'], expressed: ['A*23:01'], nulls: ['A*24:09N'] }],
    ['U2', 'A*01:04', { names: ['A*01:04'], expressed: [], nulls: ['A*01:04:01:01N', 'A*01:04:01:02N'] }],
    ['lgx', 'C*07:33', { names: ['C*07:33'], expressed: [], nulls: ['C*07:33N', 'C*07:936N'] }],
    ['W', 'DRB4*01:03:01:02N', { names: ['DRB4*01:03:01:02N'], expressed: [], nulls: ['DRB4*01:03:01:02N'] }],
    ['lgx', 'A*43:XX', { names: ['A*43:01', 'A*43:03'], expressed: ['A*43:01', 'A*43:03'], nulls: ['A*43:02N'] }],
    ['lgx', 'MICB*021:XX', { names: MICB_021, expressed: [], nulls: MICB_021 }],
    ['S', 'A*24:09N', { names: [], expressed: [], nulls: ['A*24:09N'] }],
  ] as const)('%s of %s', ([method, text, copy]) => {
    expect(copiesOf(text, method)).toEqual([[copy]])
  }) // prettier-ignore

  test('one list of copies for each genotype, in the order of the text', () => {
    const names = copiesOf('A*02:01+A*01:01|A*03:01', 'lgx').map((one) => one.flatMap((copy) => copy.names))
    expect(names).toEqual([['A*02:01', 'A*01:01'], ['A*03:01']])
  })

  test('names are those of redux, and expressed ones are among them', () => {
    const { release } = assured(engine, 'shared')
    const macs = [...realMacs().codesWithPrefix('')]
    const wrong: string[] = []
    for (let round = 0; round < rounds(5000); round += 1) {
      const id = (round * 7919) % release.size
      const name = release.nameOf(id)
      const text = round % 5 === 0 ? `${name.split(':')[0]}:${macs[round % macs.length]}` : name
      for (const method of METHOD_NAMES) {
        const reduced = orElse(() => redux(assured(engine, 'shared'), text, method).text, () => '') // prettier-ignore
        // other loci have full names
        if (reduced === '' || !isGrouped(readLocus(text))) continue
        const [[copy] = []] = copiesOf(text, method)
        const isWhole = [...new Set(copy?.names)].sort().join('/') === reduced.split('/').sort().join('/')
        if (!isWhole || copy?.expressed.some((one) => !copy.names.includes(one)) !== false) wrong.push(`${method} ${text}`) // prettier-ignore
      }
    }
    expect(wrong).toEqual([])
  })
})

/** Null alleles of each G group that has expressed ones, with one of these. */
function nullPairs({ release }: Engine) {
  return Array.from({ length: release.size }, (_, id) => id)
    .filter((id) => release.isKind('gGroup', id))
    .flatMap((id) => {
      const group = release.nameOf(id)
      const members = release.listOf('groupMembers', group) ?? []
      const expressed = members.find((one) => !one.endsWith('N'))
      const nulls = members.filter((one) => one.endsWith('N'))
      return expressed === undefined ? [] : nulls.map((name) => ({ name, expressed, group }))
    })
}

describe.skipIf(!hasShared)('a null allele and an expressed one of its G group', () => {
  test.for(PUBLISHED)('are never the same in %s, by any method that gives them one name', (compact) => {
    const engine = engineOf(compact)
    const numbers = new Map<string, number>()
    const genotype = (text: string, method: Method): TypedGenotype => {
      const copy = makePlace(assured(readGenotypes(text, engine, method)[0]?.[0], 'one typing'), numbers)
      return [copy, copy]
    }
    const agree = (one: string, other: string, method: Method) =>
      same([genotype(one, method)], [genotype(other, method)])
    const pairs = nullPairs(engine)
    for (const method of ['G', 'lgx', 'lg', 'U2', '1F', 'P', 'exon', 'W'] as const)
      expect(pairs.filter(({ name, expressed }) => agree(name, expressed, method).shared > 0)).toEqual([])
    // a group that holds the null is compatible
    for (const method of ['G', 'lgx'] as const) {
      expect(pairs.filter(({ name, expressed }) => agree(name, expressed, method).named < 2)).toEqual([])
      const groups = pairs.map(({ name, group }) => agree(name, group, method))
      expect(groups.filter(({ shared, isIdentical }) => shared < 2 || isIdentical)).toEqual([])
    }
    if (compact === '3580') expect(pairs).toHaveLength(411)
  })
})
