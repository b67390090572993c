/** Lenient readings: what each one accepts, and that none applies unless requested. */
import { describe, expect, test } from 'vitest'
import { LENIENCIES, readLeniencies, readLeniently, type Leniency } from '../../src/engine/accept.ts'
import { makeEngine } from '../../src/engine/engine.ts'
import { DEFAULT_OPTIONS } from '../../src/engine/options.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'

describe.skipIf(!hasShared)('readLeniently', () => {
  const names = () => ({ engine: makeEngine(realRelease('3580'), realMacs()) })

  test.for([
    [['space'], ' A*01:01 ', 'A*01:01', 'accept-space'],
    [['case'], 'a*01:01', 'A*01:01', 'accept-case'],
    [['case'], 'hla-A*01:01', 'HLA-A*01:01', 'accept-case'],
    [['zero'], 'HLA-A*1:1', 'HLA-A*01:01', 'accept-zero'],
    [['zero'], 'A*1:1', 'A*01:01', 'accept-zero'],
    [['zero'], 'A*02:01:001', 'A*02:01:01', 'accept-zero'],
    [['zero'], 'HLA-A*02:01:1', 'HLA-A*02:01:01', 'accept-zero'],
    [['zero'], 'MICA*8:01', 'MICA*008:01', 'accept-zero'],
    // not listed, as A*01:01:999
    [['zero'], 'A*02:02:7', 'A*02:02:07', 'accept-zero'],
    [['shorthand'], 'B*07:02/07:06', 'B*07:02/B*07:06', 'accept-shorthand'],
    [['shorthand'], 'A*01:01+26:01^B*38:01', 'A*01:01+A*26:01^B*38:01', 'accept-shorthand'],
    [['shorthand'], 'A*02:01/30', 'A*02:01/A*02:30', 'accept-shorthand'],
    [['shorthand'], 'HLA-A*02:01/30', 'HLA-A*02:01/HLA-A*02:30', 'accept-shorthand'],
    [['shorthand'], 'A*24:02/09N', 'A*24:02/A*24:09N', 'accept-shorthand'],
    [['shorthand'], 'A*02:02*', 'A*02:02', 'accept-shorthand'],
    [['shorthand'], 'A*02:01/02:02*', 'A*02:01/A*02:02', 'accept-shorthand'],
    // A*02:01:1002 does not exist
    [['shorthand'], 'A*02:01:01/1002', 'A*02:01:01/A*02:1002', 'accept-shorthand'],
    [['suffix'], 'A*2409', 'A*24:09N', 'accept-suffix'],
    [['suffix'], 'A*24:329', 'A*24:329Q', 'accept-suffix'],
    [['v2'], 'Cw*0702', 'C*07:02', 'accept-v2'],
    [['v2'], 'HLA-Cw*07:02', 'HLA-C*07:02', 'accept-v2'],
    [['g'], 'A*01:01g', 'A*01:01', 'accept-g'],
    [['notation'], 'HLA-A02:01', 'HLA-A*02:01', 'accept-notation'],
    [['notation'], 'A0201', 'A*02:01', 'accept-notation'],
    [['notation'], 'hla_a_02_01_01', 'A*02:01:01', 'accept-notation'],
    [['notation'], 'DRB1_0101', 'DRB1*01:01', 'accept-notation'],
    // the successor of A*0104
    [['notation'], 'A0104', 'A*01:04:01:01N', 'accept-notation'],
    [['notation'], 'HLA-DQA10501-DQB10201', 'HLA-DQA1*05:01~HLA-DQB1*02:01', 'accept-notation'],
    [['case', 'zero'], 'a*1:1', 'A*01:01', 'accept-case-zero'],
    // C*04:01:155 or C*04:01:01:55: the engine refuses it as ambiguous
    [['v2'], 'Cw*0401155', 'C*0401155', 'accept-v2'],
  ] as const)('%s reads %s as %s', ([accepted, given, expected, code]) => {
    const { text, notes } = readLeniently(names(), given, accepted)
    expect({ text, codes: notes.map((note) => note.code) }).toEqual({ text: expected, codes: [code] })
  })

  test.for([' A*01:01', 'a*01:01', 'A*1:1', 'B*07:02/07:06', 'A*24:329', 'A*01:01g', 'A*99:99', '+'])(
    'without leave %s stays as it is',
    (given) => expect(readLeniently(names(), given, [])).toEqual({ text: given, notes: [] }),
  )

  test('what is right is never read otherwise', () => {
    const right = 'HLA-A*01:01+A*02:AB^B7|C*07:XX/C*0702|B2708'
    expect(readLeniently(names(), right, LENIENCIES)).toEqual({ text: right, notes: [] })
  })

  test('names of other releases are names where texts are translated next', () => {
    const isFormer = (name: string) => name === 'A*24:329'
    expect(readLeniently({ ...names(), isFormer }, 'a*24:329', ['case']).text).toBe('A*24:329')
    // and elsewhere unknown, which says more than malformed
    expect(readLeniently(names(), 'a*24:329', ['case']).text).toBe('A*24:329')
  })

  test.for([
    'A*99:99',
    // `02` may be the third field or the second
    'A*02:01:01/02',
    // both chains of a molecule cannot be in a list
    'DQA10501-DQB10201/DQA10501-DQB10301',
    // no previous name to complete it
    '30',
    'A*02:01+30',
    'A2/30',
    'A*02:01//05',
    // A*02:9999 does not exist
    'A*02:01/9999',
    // published lists, not the rule, give its successor
    'B*27051',
    // the space separates two numbers
    'A*02:10 1',
    'A*0 2:01',
    // malformed old names: A*03:01:02 or A*03:12, C*02:25Q
    'A*03:012',
    'C*02:025',
    // two fields without their colon, and more digits than a field has
    'A*02:01:0101',
    'A*02:01:00001234567',
    // one chain of the molecule does not exist, or cannot
    'HLA-DQA1*05:01/DQB1*99:99',
    'DQA10501-DQB1002:01',
    // a digit before the asterisk does not leave the end open
    'DRB1*15:01:',
    'A*01:01/02:01 x',
    // 30 could complete only a name of numbers
    'A*02:01ARS/30',
  ])('what cannot be understood stays wrong: %s', (given) => {
    expect(readLeniently(names(), given, LENIENCIES).text).toBe(given)
  })

  test('an old name of several readings is a name, whose candidates the answer names', () => {
    for (const old of ['A*0101101', 'A*0101103'])
      expect(readLeniently(names(), `${old}g`, ['g']).text).toBe(old)
  })

  test('zeros are read without validation too', () => {
    const engine = makeEngine(realRelease('3580'), realMacs(), { ...DEFAULT_OPTIONS, strict: false })
    expect(readLeniently({ engine }, 'A*02:01:001/A*02:01:0101', ['zero']).text).toBe(
      'A*02:01:01/A*02:01:0101',
    )
  })

  test('each field is that of its own list', () => {
    const { text } = readLeniently(names(), 'A*02:01/30+A*24:02/30^B*07:02/05', ['shorthand'])
    expect(text).toBe('A*02:01/A*02:30+A*24:02/A*24:30^B*07:02/B*07:05')
  })
})

test.for([
  [
    ['case', 'zero'],
    ['case', 'zero'],
  ],
  [['all'], [...LENIENCIES]],
] as const)('%s are %s', ([given, expected]) =>
  expect(readLeniencies(given)).toEqual(expected as readonly Leniency[]),
)

test('an unknown leniency is refused', () => {
  expect(() => readLeniencies(['typo'])).toThrow(/unknown leniency "typo"/)
})
