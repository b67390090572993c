/** The switches: the effect of each, and that wrong ones are refused. */
import { describe, expect, test } from 'vitest'
import { makeEngine } from '../../src/engine/engine.ts'
import {
  ANTIGEN_LEVELS,
  DEFAULT_LIMIT,
  DEFAULT_OPTIONS,
  DESIGNATION_KINDS,
  type EngineOptions,
  readOptions,
} from '../../src/engine/options.ts'
import { parseMethod } from '../../src/engine/reduce/methods.ts'
import { redux } from '../../src/engine/redux.ts'
import { errorOf } from '../support/errors.ts'
import { smallMacs, smallRelease } from '../support/small-release.ts'

const release = smallRelease()
const macs = smallMacs()

/** `error …` if the text is refused. */
function answer(given: Partial<EngineOptions>, method: string, text: string): string {
  const engine = makeEngine(release, macs, { ...DEFAULT_OPTIONS, ...given })
  let reduced = ''
  const error = errorOf(() => (reduced = redux(engine, text, parseMethod(method)).text))
  return error === undefined ? reduced : `error ${error.code}`
}

describe('strict', () => {
  test.for([
    ['lgx', 'A*99:99', 'A*99:99', 'names are not looked up'],
    ['lg', 'A*99:99', 'A*99:99g', ''],
    ['W', 'A*99:99', 'A*99:99', ''],
    ['G', 'A*99:99', 'error unknown-allele', 'groups are'],
    ['U2', 'A*01:22', 'A*01:22N', 'the missing letter is added'],
    ['W', 'A*43:02', 'A*43:02N', ''],
    ['lgx', 'A*01:01g', 'A*01:01g', 'lg names are accepted'],
    ['lg', 'A*01:01g', 'A*01:01g', 'and get no second letter'],
    ['lgx', 'A*01:01:01:01G', 'A*01:01', 'G and P may follow any name'],
    ['lgx', 'A*01:XYZ', 'error unknown-mac', 'codes are looked up'],
    ['lgx', 'A*01:AB:01', 'error unknown-allele', 'and end a name'],
    ['lgx', 'A*01:XX:01', 'error unknown-allele', ''],
    ['lgx', 'Z*01:XX', 'error unknown-locus', ''],
    ['lgx', 'a*01:01', 'error bad-syntax', 'malformed text stays malformed'],
    ['lgx', ' A*01:01', 'error bad-character', ''],
    ['lgx', '', 'error empty-part', ''],
  ] as const)('off: %s of "%s" is %s', ([method, text, expected]) => {
    expect(answer({ strict: false }, method, text)).toBe(expected)
  })
})

test.for([
  [{ ping: false }, 'lgx', 'A*02:131:02', 'A*02:131'],
  [{ ping: false }, 'lgx', 'A*01:335', 'A*01:335'],
  [{ ping: false }, 'U2', 'A*01:335', 'A*01:335'],
  [{ ping: false }, 'S', 'A*01:335', 'A1'],
  [{ ars: true }, 'lg', 'A*01:01:01', 'A*01:01ARS'],
  [{ ars: true }, 'lg', 'A*01:AB', 'A*01:01ARS/A*01:02ARS'],
  [{ ars: true }, 'lgx', 'A*01:01:01', 'A*01:01'],
  [{ exact: true }, 'lgx', 'A*01:01:999', 'error unknown-allele'],
  [{ exact: true }, 'lgx', 'A*01:01:01', 'A*01:01'],
  [{ exact: true }, 'lgx', 'A*01:01:01G', 'A*01:01'],
  [{ consistentLg: true }, 'lg', 'A*02:131:02', 'A*02:16g'],
  [{ consistentLg: true, ars: true }, 'lg', 'A*02:131:02', 'A*02:16ARS'],
  [{ members: true }, 'W', 'A*01:03:01G', 'A*01:03:01:01/A*01:03:01:02/A*01:03:02/A*01:287N/A*01:315'],
  [{ members: true }, 'W', 'A*01:02P', 'A*01:02:01:01/A*01:02:01:02/A*01:02:01:03/A*01:02:02/A*01:412'],
  [{ members: true }, 'W', 'A*01:04', 'A*01:04:01:01N/A*01:04:01:02N'],
  [{}, 'S', 'A*02:10', 'A2/A210'],
  [{ ownAntigens: true }, 'S', 'A*02:10', 'A210'],
  [{ ownAntigens: true }, 'S', 'A*01:22N', 'error no-serology'],
] as const)('%j: %s of %s is %s', ([given, method, text, expected]) => {
  expect(answer(given, method, text)).toBe(expected)
})

const KEPT = [
  ['serology', 'A203', 'A*02:03'],
  ['v2', 'A*0101', 'A*01:01'],
  ['2field', 'A*01:335', 'A*01:01'],
  ['3field', 'A*01:01:01', 'A*01:01'],
  ['4field', 'A*01:01:01:01', 'A*01:01'],
  ['G', 'A*01:01:01G', 'A*01:01'],
  ['P', 'A*01:02P', 'A*01:02'],
  ['xx', 'A*43:XX', 'A*43:01/A*43:03'],
  ['mac', 'A*01:AB', 'A*01:01/A*01:02'],
  ['null', 'A*01:04N', 'A*01:01'],
] as const

describe('keep', () => {
  test.for(KEPT)('%s: %s comes back as typed, else it is %s', ([kind, text, reduced]) => {
    expect(answer({ keep: [kind] }, 'lgx', text)).toBe(text)
    expect(answer({ keep: [kind] }, 'lgx', `HLA-${text}`)).toBe(`HLA-${text}`)
    expect(answer({}, 'lgx', text)).toBe(reduced)
  })

  test('the other kinds are reduced', () => {
    for (const [kind, text, reduced] of KEPT) {
      const others = DESIGNATION_KINDS.filter((one) => one !== kind)
      // an old name is read in its present spelling, which has two fields
      expect(answer({ keep: kind === 'v2' ? [] : others }, 'lgx', text)).toBe(reduced)
    }
  })

  test('g names are kept where they are read', () => {
    expect(answer({ keep: ['g'], strict: false }, 'lgx', 'A*01:01g')).toBe('A*01:01g')
  })

  test('what does not exist is refused all the same', () => {
    expect(answer({ keep: ['2field'] }, 'lgx', 'A*99:99')).toBe('error unknown-allele')
    expect(answer({ keep: ['mac'] }, 'lgx', 'A*01:XYZ')).toBe('error unknown-mac')
    expect(answer({ keep: ['xx'] }, 'lgx', 'A*05:XX')).toBe('error unknown-allele')
  })
})

describe('off', () => {
  test.for([
    ['serology', 'lgx', 'A203', 'error not-expanded'],
    ['v2', 'lgx', 'A*0101', 'error unknown-allele'],
    ['xx', 'lgx', 'A*43:XX', 'error not-expanded'],
    ['mac', 'lgx', 'A*01:AB', 'A*01:AB'],
    ['mac', 'lg', 'A*01:AB', 'A*01:ABg'],
    ['mac', 'G', 'A*01:AB', 'error unknown-allele'],
    ['mac', 'lgx', 'A*43:XX', 'A*43:01/A*43:03'],
    ['mac', 'lgx', 'A*01:AB/A*01:01', 'A*01:01/A*01:AB'],
    ['null', 'exon', 'A*01:04:01:01N', 'A*01:04:01'],
    ['null', 'W', 'A*01:04N', 'A*01:04N'],
    ['null', 'lgx', 'A*01:01N', 'error unknown-allele'],
  ] as const)('%s: %s of %s is %s', ([kind, method, text, expected]) => {
    expect(answer({ off: [kind] }, method, text)).toBe(expected)
  })
})

describe('ignoredSuffixes', () => {
  const given = { ignoredSuffixes: ['NNNN', 'UUUU'] }
  test.for([
    ['DRBX*NNNN', 'DRBX*NNNN'],
    ['HLA-DRBX*NNNN', 'HLA-DRBX*NNNN'],
    ['DRBX*UUUU+DRB3*01:01:02', 'DRB3*01:01+DRBX*UUUU'],
    ['DRBX*XXXX', 'error unknown-locus'],
    ['DRBX*NNN', 'error unknown-locus'],
  ] as const)('%s is %s', ([text, expected]) => {
    expect(answer(given, 'lgx', text)).toBe(expected)
  })
})

test('limit 0 is no limit', () => {
  const many = Array.from({ length: DEFAULT_LIMIT + 1 }, () => 'A*01:01').join('+')
  expect(answer({}, 'lgx', many)).toBe('error too-ambiguous')
  expect(answer({ limit: 0 }, 'lgx', many)).toBe(many)
})

describe('readOptions', () => {
  test('missing options have their default', () => {
    expect(readOptions(undefined)).toBe(DEFAULT_OPTIONS)
    expect(readOptions({})).toEqual(DEFAULT_OPTIONS)
    expect(readOptions({ ping: false, keep: ['mac'], limit: 0 })).toEqual({
      ...DEFAULT_OPTIONS,
      ping: false,
      keep: ['mac'],
      limit: 0,
    })
  })

  const KINDS = 'serology v2 1field 2field 3field 4field G P g xx mac null'
  const KEYS = Object.keys(DEFAULT_OPTIONS).join(', ')
  test.for([
    [null, 'options must be an object', undefined],
    ['strict', 'options must be an object', undefined],
    [[], 'options must be an object', undefined],
    [{ stict: false }, `unknown option "stict"; options are ${KEYS}`, 'stict'],
    [JSON.parse('{"__proto__": {}}'), `unknown option "__proto__"; options are ${KEYS}`, '__proto__'],
    [{ toString: false }, `unknown option "toString"; options are ${KEYS}`, 'toString'],
    [{ strict: 'no' }, 'option strict must be a boolean', 'strict'],
    [{ ping: 0 }, 'option ping must be a boolean', 'ping'],
    [{ keep: 'mac' }, 'option keep must be a list of strings', 'keep'],
    [{ keep: ['mac', 1] }, 'option keep must be a list of strings', 'keep'],
    [{ keep: [1, 'mac'] }, 'option keep must be a list of strings', 'keep'],
    [{ off: ['mac', 'macs'] }, `unknown kind "macs" in off; kinds are ${KINDS}`, 'macs'],
    [{ keep: ['MAC'] }, `unknown kind "MAC" in keep; kinds are ${KINDS}`, 'MAC'],
    [{ ignoredSuffixes: 'NNNN' }, 'option ignoredSuffixes must be a list of strings', 'ignoredSuffixes'],
    [{ limit: '10' }, 'option limit must be a number', 'limit'],
    [{ limit: -1 }, 'option limit must be a whole number; 0 means no limit', 'limit'],
    [{ limit: 1.5 }, 'option limit must be a whole number; 0 means no limit', 'limit'],
    [{ limit: Number.NaN }, 'option limit must be a whole number; 0 means no limit', 'limit'],
    [{ antigens: 'wide' }, 'option antigens must be one of usual associated split broad', 'antigens'],
    [{ antigens: 1 }, 'option antigens must be a string', 'antigens'],
  ] as [unknown, string, string | undefined][])('%j: %s', ([given, message, offending]) => {
    expect(errorOf(() => readOptions(given))).toMatchObject({
      code: 'bad-request',
      message,
      offending,
    })
  })
})

test.for([
  { ignoredSuffixes: Array.from({ length: 100 }, () => 'N'.repeat(100)) },
  { off: [...DESIGNATION_KINDS], keep: [...DESIGNATION_KINDS] },
  ...ANTIGEN_LEVELS.map((antigens) => ({ antigens })),
])('as much as is allowed: %j', (given) => {
  expect(readOptions(given)).toEqual({ ...DEFAULT_OPTIONS, ...given })
})

test.for([
  [
    { ignoredSuffixes: Array.from({ length: 101 }, (_, at) => `N${at}`) },
    'option ignoredSuffixes has 101 texts; 100 are the most',
  ],
  [
    { ignoredSuffixes: ['N'.repeat(101)] },
    'option ignoredSuffixes has a text of 101 characters; 100 are the most',
  ],
  [{ keep: Array.from({ length: 101 }, () => 'xx') }, 'option keep has 101 texts; 100 are the most'],
])('lists of texts are bounded before names are compared with them', ([given, message]) => {
  expect(errorOf(() => readOptions(given))).toMatchObject({ code: 'bad-request', message })
})
