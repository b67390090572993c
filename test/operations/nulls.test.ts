/** Null alleles behind names, groups, codes and lists: validate names them, and warns where there is nothing else. */
import { describe, expect, test } from 'vitest'
import { makeEngine } from '../../src/engine/engine.ts'
import { validateGlString } from '../../src/engine/validate/validate.ts'
import { localExecutor } from '../../src/operations/executor.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { convertTable } from '../support/random-tables.ts'
import { PUBLISHED, realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'

describe.skipIf(!hasShared)('validate --nulls', () => {
  const knowledge = () => makeKnowledge({ release: realRelease('3580'), mac: realMacs() })
  const nullsOf = (gl_string: string) =>
    localExecutor(knowledge()).execute('validate', { gl_string, nulls: true })

  test.for([
    ['B*40:155:01G', ['B*40:155:01N', 'B*40:155:02N']],
    ['C*04:01P', []],
    ['A*43:XX', ['A*43:02N']],
    ['MICB*021:XX', ['1', '2', '3', '4', '5', '6', '7'].map((last) => `MICB*021:01:0${last}N`)],
    ['A*24:DXTW', ['A*24:09N', 'A*24:11N', 'A*24:40N', 'A*24:83N']],
    ['A*01:01', ['A*01:01:01:02N']],
    ['HLA-A*24:02/HLA-A*24:09N', ['A*24:09N']],
    ['A*01:04N+A*01:01:01:01', ['A*01:04:01:01N', 'A*01:04:01:02N']],
    ['A*02:01+A*43:XX^DRB3*NNNN', ['A*43:02N']],
  ] as const)('of %s', ([text, nulls]) => {
    expect(nullsOf(text)).toMatchObject({ valid: true, nulls })
  })

  test('a table has a column of them', async () => {
    const table = {
      head: 'id,A_1,A_2\n',
      body: '1,24:XX,01:01\n2,24:09N,02:02\n3,99:99,43:XX\n',
      delimiter: ',',
      cuts: [],
      reading: {},
      writing: { dropSource: true },
      operation: 'validate',
      inputs: [{ nulls: true }],
      details: false,
    } as const
    const ordinary = await convertTable(table, knowledge(), false)
    expect(await convertTable(table, knowledge(), true)).toEqual(ordinary)
    const [head, first = '', ...others] = ordinary.output.trimEnd().split('\n')
    expect(head).toBe('id,A_1_verdict,A_1_nulls,A_2_verdict,A_2_nulls')
    expect(first).toMatch(/^1,valid,A\*24:09N\/A\*24:11N\/.*,valid,A\*01:01:01:02N$/)
    expect(others).toEqual(['2,valid,A*24:09N,valid,', '3,unknown,,valid,A*43:02N'])
  })

  test('an invalid typing has none', () => {
    expect(nullsOf('A*99:99')).not.toHaveProperty('nulls')
    expect(localExecutor(knowledge()).execute('validate', { gl_string: 'A*01:01' })).not.toHaveProperty(
      'nulls',
    )
  })
})

describe.skipIf(!hasShared)('a name that only null alleles have', () => {
  test.for([
    'C*07:726',
    'C*07:33',
    'C*05:99',
    'C*07:787',
    'DPA1*01:114',
    'A*01:04',
    'HLA-A*01:04',
    'A*01:04:99',
    'HLA-A*01:04:01:99',
    'B*40:155:01G',
  ])('%s has a warning', (name) => {
    const { valid, warnings } = validateGlString(makeEngine(realRelease('3580'), realMacs()), name)
    const found = warnings.filter(({ code }) => code !== 'unlisted-fields')
    expect({ valid, found }).toMatchObject({ valid: true, found: [{ level: 'warning', code: 'only-null', offending: name }] }) // prettier-ignore
  })

  test.for(PUBLISHED)('in %s: short names and alleles, by their spelling', (compact) => {
    const release = realRelease(compact)
    const engine = makeEngine(release, realMacs())
    const names = Array.from({ length: release.size }, (_, id) => id).filter((id) => release.isKind('allele', id)).map((id) => release.nameOf(id)) // prettier-ignore
    const alleles = names.filter((name) => release.is('who', name))
    const expressed = new Set<string>()
    for (const allele of alleles.filter((one) => !/\dN$/.test(one)))
      for (let end = allele.length; end > 0; end = allele.lastIndexOf(':', end - 1)) expressed.add(allele.slice(0, end)) // prettier-ignore
    const wrong = names.filter((name) => {
      const isWarned = validateGlString(engine, name).warnings.some(({ code }) => code === 'only-null')
      // an expression letter of a short name is not in its alleles' first fields
      return isWarned !== (!/\d[A-Z]$/.test(name) && !expressed.has(name))
    })
    expect(wrong).toEqual([])
  })
})
