/** Antigens by their 2026 names, on a full release made from 3.58.0 and the published preview. */
import { describe, expect, test } from 'vitest'
import { findSplits, findXxCode } from '../../src/engine/antigens.ts'
import { makeEngine } from '../../src/engine/engine.ts'
import { diffReductions } from '../../src/engine/explain/diff.ts'
import { explain } from '../../src/engine/explain/explain.ts'
import { type AntigenLevel, DEFAULT_OPTIONS } from '../../src/engine/options.ts'
import { redux } from '../../src/engine/redux.ts'
import { validateGlString } from '../../src/engine/validate/validate.ts'
import { readCitations } from '../../src/reference/citations.ts'
import { encodeHistory, readHistory } from '../../src/reference/history/history.ts'
import { errorOf } from '../support/errors.ts'
import { publishedLists, publishedDeletions } from '../support/history.ts'
import { hasPreview, texts2026 } from '../support/release-2026.ts'
import { realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'

describe.skipIf(!hasShared || !hasPreview)('antigens of 2026', () => {
  const engine = (antigens: AntigenLevel = 'usual') =>
    makeEngine(realRelease('3640'), undefined, { ...DEFAULT_OPTIONS, antigens })
  const old = (antigens: AntigenLevel = 'usual') =>
    makeEngine(realRelease('3580'), undefined, { ...DEFAULT_OPTIONS, antigens })

  test.for([
    ['A*02:01:01:01', 'A2', 'A0201', 'A2', 'A2'],
    ['A*02:01', 'A2', 'A0201', 'A2', 'A2'],
    ['HLA-A*23:01:01', 'HLA-A9/HLA-A23', 'HLA-A2301', 'HLA-A23', 'HLA-A9'],
    ['DRB1*14:02', 'DR6/DR14', 'DR1402', 'DR14', 'DR6'],
    ['DRB1*14:17', 'DR6/DR14', 'DR1402', 'DR14', 'DR6'],
    ['B*40:05', 'B21', 'B4005', 'B21', 'B21'],
    // its own antigens, not those of all alleles with the same lgx name
    ['B*15:01', 'B15/B62/B70', 'B1501', 'B62', 'B15'],
    ['B*15:10', 'B15/B70/B71', 'B1510', 'B71', 'B70'],
    ['C*12:02', 'Cw12', 'Cw1202', 'Cw12', 'Cw12'],
    ['A*02:217:01', 'A2', 'A2', 'A2', 'A2'],
    [
      'A9',
      'A9/A23/A24',
      'A9/A23/A24/A2301/A2304/A2402/A2403/A2404/A2405/A2408/A2410/A2414/A2423/A2424',
      'A9/A23/A24',
      'A9',
    ],
    ['A0203', 'A2', 'A0203', 'A2', 'A2'],
    ['A203', 'A2', 'A0203', 'A2', 'A2'],
    ['A0285', 'A2', 'A0285', 'A2', 'A2'],
    ['Bw4', 'Bw4', 'Bw4', 'Bw4', 'Bw4'],
    ['B*07:13', 'B0713', 'B0713', 'B0713', 'B0713'],
    ['B*67:02', 'B6702', 'B6702', 'B6702', 'B6702'],
    ['B0713', 'B0713', 'B0713', 'B0713', 'B0713'],
    ['DR5101', 'DR51', 'DR5101', 'DR51', 'DR51'],
    ['DRB3*01:01', 'DR52', 'DR52', 'DR52', 'DR52'],
    ['A3201', 'A19/A32', 'A3201', 'A32', 'A19'],
  ] as const)('S of %s', ([typing, usual, associated, split, broad]) => {
    const answers = (['usual', 'associated', 'split', 'broad'] as const).map(
      (level) => redux(engine(level), typing, 'S').text,
    )
    expect(answers).toEqual([usual, associated, split, broad])
  })

  test.for([
    ['A*02:10', 'A2/A210', 'A210', 'A2', 'A2'],
    ['A*23:01', 'A9/A23', 'A23', 'A23', 'A9'],
    ['A2', 'A2/A19/A74/A203/A210', 'A2/A203/A210', 'A2', 'A2'],
  ] as const)('S of %s in 3.58.0', ([typing, usual, associated, split, broad]) => {
    const answers = (['usual', 'associated', 'split', 'broad'] as const).map(
      (level) => redux(old(level), typing, 'S').text,
    )
    expect(answers).toEqual([usual, associated, split, broad])
  })

  test('an antigen of any level stands for the alleles of those that belong to it', () => {
    const alleles = (text: string) => redux(engine(), text, 'W').text.split('/')
    expect(alleles('A2')).toEqual(expect.arrayContaining(['A*02:01:01:01', ...alleles('A0203')]))
    expect(alleles('A9')).toEqual(expect.arrayContaining([...alleles('A23'), ...alleles('A2403')]))
  })

  test.for([
    ['A203', 'A0203'],
    ['B703', 'B0703'],
    ['DR103', 'DR0103'],
  ] as const)('%s is %s, and the other way round before', ([before, now]) => {
    for (const [one, from, to] of [[engine(), before, now], [old(), now, before]] as const) {
      const { text, notes } = redux(one, from, 'lgx')
      expect(text).toBe(redux(one, to, 'lgx').text)
      expect(notes).toEqual([
        expect.objectContaining({ code: 'antigen-spelling', offending: from, message: expect.stringContaining(`${from} is ${to} in`) }),
      ])
      expect(redux(one, to, 'lgx').notes).toEqual([])
      expect(validateGlString(one, `HLA-${from}`)).toMatchObject({ problems: [], warnings: [{ code: 'antigen-spelling' }] })
    }
  }) // prettier-ignore

  test.for([
    ['A0201', ['A*02:01'], 'the nomenclature report of 2026 names antigens after alleles'],
    ['Cw12', ['C*12:XX'], 'C*12:XX stands for every C*12 allele'],
    ['C7', ['Cw7'], undefined],
    ['A99', [], undefined],
  ] as const)('%s is unknown in 3.58.0, and what it may be is said', ([name, suggestions, hint]) => {
    const error = errorOf(() => redux(old(), name, 'lgx'))
    expect(error).toMatchObject({ code: 'unknown-antigen', suggestions })
    expect(error?.hint ?? '').toContain(hint ?? '')
  })

  test.for([
    ['A2301', 'A9', ['A23', 'A24']],
    ['A23', 'A9', ['A23', 'A24']],
    ['A2403', 'A9', ['A23', 'A24']],
    ['B4005', 'B21', ['B49', 'B50']],
  ] as const)('%s is of the family %s', ([antigen, broad, splits]) => {
    expect(findSplits(engine(), antigen)).toMatchObject({ broad, splits })
  })

  test('knows what is associated, by either spelling', () => {
    const associated = findSplits(engine(), 'A203', true)
    expect(associated).toMatchObject({ broad: 'A2', notes: [{ code: 'antigen-spelling' }] })
    expect(associated.splits).toContain('A0203')
    const long = `A${'9'.repeat(100)}`
    const message = `no antigen is associated with ${long.slice(0, 60)}, nor it with another`
    expect(() => findSplits(engine(), long, true)).toThrow(message)
    expect(findXxCode(engine(), 'B1501')).toBe('B*15:XX')
    expect(findXxCode(engine(), 'A203')).toBe('A*02:XX')
    expect(findXxCode(engine(), 'DR5202')).toBe('DRB3*02:XX')
    expect(findSplits(engine(), 'HLA-A0203')).toMatchObject({ broad: 'HLA-A2', splits: [] })
    const { associated: below } = findSplits(engine(), 'HLA-A9')
    expect(Object.keys(below)).toEqual(['HLA-A23', 'HLA-A24'])
    expect(below['HLA-A23']).toEqual(['HLA-A2301', 'HLA-A2304', 'HLA-A2424'])
  })

  test('explains by the lines of both files, and what HATS assigns beside it', () => {
    const texts = texts2026()
    const files = new Map([
      ['rel_dna_ser.txt', texts.dnaSerology],
      ['rel_ser_ser.txt', texts.serology],
    ])
    const citations = readCitations((name) => files.get(name), '3.64.0')
    const steps = explain(engine('broad'), citations, 'A*23:01', 'S').leaves[0]?.steps ?? []
    const cited = steps.map(({ title, text, citation }) => [title, text.split(',')[0], citation?.file])
    expect(cited).toContainEqual(['relation', 'A23: A2301 is associated with it', 'rel_ser_ser.txt'])
    expect(cited).toContainEqual(['relation', 'A9: A23 is a split of it', 'rel_ser_ser.txt'])
    expect(cited).toContainEqual(['HATS', 'A2301 of A*23:01:01:01', 'rel_dna_ser.txt'])
    const hats = explain(engine(), citations, 'A*02:217:01', 'S')
    expect(hats.leaves[0]?.steps.map(({ text }) => text).join('\n')).toContain(
      'A69 of A*02:217:01, which is not related to A2',
    )
    expect(hats.other.hats).toBe('A69')
  })

  test('says why antigens change', () => {
    const lists = publishedLists()
    const last = lists.find(({ release }) => release === '3.58.0')
    const known = readHistory(
      encodeHistory([...lists, { release: '3.64.0', rows: last?.rows ?? [] }], publishedDeletions()),
    )
    const reasons = (level: AntigenLevel, typing: string) =>
      diffReductions({ from: old(level), to: engine(level), history: known }, typing, 'S').reasons
    expect(reasons('usual', 'A*02:01')).toEqual([])
    expect(reasons('associated', 'A*02:01')).toEqual(['serology', 'associated-antigen'])
    expect(reasons('associated', 'A*02:03')).toEqual(['renamed-result'])
    expect(reasons('usual', 'A*02:03')).toEqual(['renamed-result', 'serology', 'associated-antigen'])
    expect(reasons('split', 'A*02:03')).toEqual([])
    // only their assignment by HATS relates the new antigen to the old one
    expect(reasons('usual', 'B*07:13')).toEqual(['serology', 'hats'])
    expect(reasons('usual', 'B*67:02')).toEqual(['serology', 'hats'])
    expect(reasons('associated', 'A*24:10')).toEqual(['serology', 'hats'])
    expect(reasons('associated', 'B*40:16')).toEqual(['serology', 'hats'])
    // HATS assigns B72, a split of the new B70
    expect(reasons('usual', 'B*48:02')).toEqual(['serology', 'hats'])
    expect(reasons('split', 'A*24:10')).toEqual([])
  })
})
