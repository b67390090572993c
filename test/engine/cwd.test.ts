/** Common and well-documented alleles, on release 3.58.0. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { keepCommon } from '../../src/engine/cwd.ts'
import { makeEngine } from '../../src/engine/engine.ts'
import { cwdOperation } from '../../src/operations/questions/cwd.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { cwd2Catalogue } from '../../src/reference/catalogues.ts'
import { parseCiwd } from '../../src/reference/sources/catalogue-files.ts'
import { errorOf } from '../support/errors.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared, sharedPath } from '../support/shared.ts'

describe.skipIf(!hasShared)('keepCommon', () => {
  const engine = () => makeEngine(realRelease('3580'), realMacs())

  test.for([
    ['B*15:01:01/B*15:01:03/B*15:04/B*15:07/B*15:26N/B*15:27', 'B*15:01/B*15:04/B*15:07/B*15:27', ''],
    ['A*01:AB', 'A*01:01/A*01:02', 'A*01:AB'],
    ['HLA-A*01:AB', 'HLA-A*01:01/HLA-A*01:02', 'HLA-A*01:AB'],
    ['HLA-A*01:01/A*01:02', 'HLA-A*01:01/HLA-A*01:02', 'HLA-A*01:AB'],
    ['A*01:01/A*99:99', 'A*01:01', ''],
    ['A*0101', 'A*01:01', ''],
    ['B*15:12/B*15:113', 'B*15:113/B*15:12', ''], // in the order of the text
    ['A66', 'A*66:01/A*66:02/A*66:04', 'A*66:MS'],
    ['DR53', 'DRB4*01:01/DRB4*01:02', 'DRB4*01:AB'],
    ['B*13:08Q', 'B*13:08Q', ''], // in the catalogue, but not in the release
  ] as const)('%s keeps %s', ([list, names, mac]) => {
    const kept = keepCommon(engine(), list, cwd2Catalogue())
    expect([kept.names.join('/'), kept.mac]).toEqual([names, mac])
  })

  test.for([
    ['A*01:01+A*02:01', 'not-a-single-allele', '+'],
    ['+A*01:01', 'not-a-single-allele', '+'],
    ['A*01:01~', 'not-a-single-allele', '~'],
    ['A*02:01/B*07:02', 'mixed-loci', 'B*07:02'],
    ['A*01:228', 'not-in-catalogue', 'A*01:228'],
    ['A*01:01/A*01:BLAH', 'unknown-mac', 'A*01:BLAH'],
    ['A*01:01/A*01:01G', 'unknown-allele', 'A*01:01G'],
    ['A*01:01/A*99:01:01', 'unknown-allele', 'A*99:01:01'],
    ['Bw4', 'not-in-catalogue', 'Bw4'],
    ['A*01:01/', 'empty-part', ''],
  ] as const)('%s is an error', ([list, code, offending]) => {
    expect(errorOf(() => keepCommon(engine(), list, cwd2Catalogue()))).toMatchObject({ code, offending })
  })

  test('says which names the release has not', () => {
    const { notes } = keepCommon(engine(), 'A*01:01/A*99:99', cwd2Catalogue())
    expect(notes).toMatchObject([{ code: 'unknown-allele', offending: 'A*99:99', position: [8, 15] }])
  })

  test('notes a repeated name at each of its places', () => {
    const { names, notes } = keepCommon(engine(), 'A*99:99/A*01:01/A*99:99/A*98:98/A*01:01', cwd2Catalogue())
    expect(names).toEqual(['A*01:01'])
    expect(notes).toMatchObject([
      { code: 'unknown-allele', offending: 'A*99:99', position: [0, 7] },
      { code: 'unknown-allele', offending: 'A*99:99', position: [16, 23] },
      { code: 'unknown-allele', offending: 'A*98:98', position: [24, 31] },
    ])
  })

  test('says what it left out', () => {
    const { names, notes } = keepCommon(engine(), 'A*43:01/A*43:DHAV', cwd2Catalogue())
    expect(names).toEqual(['A*43:01'])
    expect(notes).toMatchObject([{ level: 'warning', code: 'mac-empty-expansion', position: [8, 17] }])
  })
})

describe.skipIf(!hasShared)('cwdOperation', () => {
  const catalogue = () => parseCiwd(readFileSync(sharedPath('upstream/cwd/ciwd.3.0.0.csv'), 'utf8'))
  const knowledge = () => makeKnowledge({ release: realRelease('3580'), mac: realMacs(), catalogue })

  test('prints the members and their code', () => {
    const answer = cwdOperation.run({ gl_string: 'A*01:AB' }, knowledge())
    expect(answer).toEqual({
      gl_string: 'A*01:AB',
      cwd: 'A*01:01/A*01:02',
      cwd_mac: 'A*01:AB',
      catalogue: 'CWD 2.0.0',
    })
    expect(cwdOperation.toText(answer)).toBe('A*01:01/A*01:02\tA*01:AB')
    expect(cwdOperation.run({ gl_string: 'A*01:AB', no_mac: true }, knowledge()).cwd_mac).toBe('')
  })

  test.for([
    [{}, 'A*03:01/A*03:04/A*03:05'],
    [{ categories: ['C', 'I'] }, 'A*03:01/A*03:05'],
    [{ categories: ['I'], populations: ['EURO', 'HIS'] }, 'A*03:04/A*03:05'],
  ] as const)('takes CIWD 3.0.0 with %j', ([filter, cwd]) => {
    const input = { gl_string: 'A*03:01/A*03:04/A*03:05', catalogue: 'ciwd3', ...filter } as const
    expect(cwdOperation.run(input, knowledge()).cwd).toBe(cwd)
  })

  test('says that a catalogue is not installed, and that CWD 2.0.0 has no categories', () => {
    const bare = makeKnowledge({ release: realRelease('3580'), mac: realMacs() })
    for (const catalogue of ['ciwd3', 'eurcwd'] as const)
      expect(errorOf(() => cwdOperation.run({ gl_string: 'A*01:01', catalogue }, bare))).toMatchObject({
        code: 'no-catalogue',
        hint: [{ command: 'data catalogue', args: [catalogue] }],
      })
    for (const [filter, message] of [
      [{ categories: ['C'] }, 'CWD 2.0.0 has no categories or populations; those are of ciwd3'],
      [{ populations: ['EURO'] }, 'CWD 2.0.0 has no categories or populations; those are of ciwd3'],
      [{ catalogue: 'eurcwd', populations: ['EURO'] }, 'EURCWD has no populations; those are of ciwd3'],
      [{ catalogue: 'eurcwd', categories: ['C', 'I'] }, 'EURCWD has the categories C and WD only'],
      [{ catalogue: 'eurcwd', categories: ['I', 'C'] }, 'EURCWD has the categories C and WD only'],
    ] as const) {
      const wrong = () => cwdOperation.run({ gl_string: 'A*01:01', ...filter }, bare)
      expect(errorOf(wrong)).toMatchObject({ code: 'bad-request', message })
    }
  })
})
