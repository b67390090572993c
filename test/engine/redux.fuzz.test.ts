/** A hundred thousand random texts: each is answered, or refused with a code and a position, within the time limit. */
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Engine, makeEngine } from '../../src/engine/engine.ts'
import { DEFAULT_OPTIONS } from '../../src/engine/options.ts'
import { METHOD_NAMES, type Method } from '../../src/engine/reduce/methods.ts'
import { redux } from '../../src/engine/redux.ts'
import { type ErrorCode, isHlaError } from '../../src/errors.ts'
import { readCorpus } from '../support/corpus.ts'
import { errorOf } from '../support/errors.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'
import { readFixture, smallMacs, smallRelease } from '../support/small-release.ts'
import { rounds } from '../support/rounds.ts'

const METHODS = METHOD_NAMES.filter((method) => method !== 'hats')
const method = fc.constantFrom(...METHODS)

/** Errors about the whole input or the installation, which need no position. */
const WITHOUT_PLACE: ReadonlySet<ErrorCode> = new Set(['too-ambiguous', 'no-data'])

/** A text takes milliseconds; the limit allows for a busy machine. */
const SLOWEST_MS = 5000

function check(engine: Engine, text: string, one: Method): void {
  const before = performance.now()
  try {
    const { text: answer, notes } = redux(engine, text, one)
    if (answer === '') throw new Error(`empty answer for ${JSON.stringify(text)}`)
    // notes about several names have a position, and repeat no text
    for (const { position, offending } of notes)
      checkPlace(text, position, offending ?? text.slice(...(position ?? [0, 0])))
  } catch (error) {
    if (!isHlaError(error)) throw error
    if (!WITHOUT_PLACE.has(error.code)) checkPlace(text, error.position, error.offending)
  }
  if (performance.now() - before > SLOWEST_MS) throw new Error(`slow: ${one} of ${text.slice(0, 200)}`)
}

function checkPlace(text: string, position: readonly [number, number] | undefined, offending = ''): void {
  const [start, end] = position ?? [-1, -1]
  if (start < 0 || end < start || end > text.length || text.slice(start, end) !== offending)
    throw new Error(`${start}-${end} is not the place of "${offending}" in ${JSON.stringify(text)}`)
}

const engines = [
  makeEngine(smallRelease(), smallMacs()),
  makeEngine(smallRelease(), smallMacs(), { ...DEFAULT_OPTIONS, strict: false, limit: 100 }),
  makeEngine(smallRelease(), smallMacs(), {
    ...DEFAULT_OPTIONS,
    off: ['mac', 'null', 'serology', 'v2', 'xx'],
  }),
  makeEngine(smallRelease(), undefined, { ...DEFAULT_OPTIONS, ping: false, members: true, exact: true }),
]
const engine = fc.constantFrom(...engines)

describe('any text', () => {
  test.for([
    ['of any characters', 10_000, fc.string({ unit: 'binary', maxLength: 40 })],
    ['of the characters of names', 30_000, ofPieces(letters('AB*:0123456789/+|^~-NGPgXMLQ'))],
    [
      'of pieces of names',
      30_000,
      ofPieces([
        'A',
        'DRB1',
        'Cw',
        'HLA-',
        '*',
        ':',
        '01',
        '02',
        '43',
        'XX',
        'AB',
        'CFFGM',
        'N',
        'G',
        'P',
        'g',
        '/',
        '+',
        '|',
        '^',
        '~',
        ' ',
      ]),
    ],
    [
      'of names and operators',
      20_000,
      ofPieces([
        ...readFixture('small-release.tsv').map(({ allele = '' }) => allele),
        ...'/+|^~'.repeat(10).split(''),
        'A*01:XX',
        'A*01:AB',
        'A2',
      ]),
    ],
  ] as const)('%s', ([, numRuns, texts]) => {
    fc.assert(
      fc.property(texts, method, engine, (text, one, by) => check(by, text, one)),
      { numRuns },
    )
  })
})

describe.skipIf(!hasShared)('a real typing with some characters changed', () => {
  let typings: string[]
  let real: Engine
  beforeAll(() => {
    typings = [...new Set(readCorpus('dev/gl-3580.tsv.gz').map(({ input }) => input))]
    real = makeEngine(realRelease('3580'), realMacs())
  })

  test('is answered or refused', () => {
    const change = fc.record({
      at: fc.nat(),
      remove: fc.nat({ max: 2 }),
      put: fc.string({ unit: 'grapheme-ascii', maxLength: 2 }),
    })
    fc.assert(
      fc.property(fc.nat(), fc.array(change, { maxLength: 3 }), method, (which, changes, one) => {
        let text = typings[which % typings.length] ?? ''
        for (const { at, remove, put } of changes) {
          const place = at % (text.length + 1)
          text = text.slice(0, place) + put + text.slice(place + remove)
        }
        check(real, text, one)
      }),
      { numRuns: rounds(10_000) },
    )
  })
})

describe('text of 5 MiB is refused at once', () => {
  const SIZE = 5 * 1024 * 1024
  const [engine] = engines
  test.for([
    ['one name', 'A*01:' + '1'.repeat(SIZE), 'bad-syntax'],
    ['letters', 'A'.repeat(SIZE), 'bad-syntax'],
    ['digits', '1'.repeat(SIZE), 'bad-syntax'],
    ['an antigen', `A${'1'.repeat(SIZE)}`, 'bad-syntax'],
    ['stars', '*'.repeat(SIZE), 'bad-syntax'],
    ['colons', ':'.repeat(SIZE), 'bad-syntax'],
    ['a name of many fields', `A*99${':01'.repeat(SIZE / 3)}`, 'bad-syntax'],
    ['digits of an old name', `A*${'01'.repeat(SIZE / 2)}`, 'bad-syntax'],
    ['prefixes', 'HLA-'.repeat(SIZE / 4), 'bad-character'],
    ['white space', ' '.repeat(SIZE), 'bad-character'],
    ['zero bytes', '\0'.repeat(SIZE), 'bad-character'],
    ['a code', `A*01:${'A'.repeat(SIZE)}`, 'bad-syntax'],
    ['a code at a long first field', `A*${'1'.repeat(SIZE)}:AB`, 'bad-syntax'],
    ['a code of one member list', `A*${'1'.repeat(SIZE)}:CFFGM`, 'bad-syntax'],
    ['an XX code', `A*${'1'.repeat(SIZE)}:XX`, 'bad-syntax'],
    ['a locus', `${'A'.repeat(SIZE)}*01:01`, 'bad-syntax'],
    ['a locus in small letters', `${'a'.repeat(SIZE)}*01:01`, 'bad-syntax'],
    ['letters behind a name', `A*01:01${'N'.repeat(SIZE)}`, 'bad-syntax'],
    ['letters of groups', `A*01:01${'G'.repeat(SIZE)}`, 'bad-syntax'],
    ['a space behind a name', `A*01:01${'1'.repeat(SIZE)} `, 'bad-character'],
    ['carets', '^'.repeat(SIZE), 'too-ambiguous'],
    ['slashes', '/'.repeat(SIZE), 'too-ambiguous'],
    ['many names', 'A*01:01+'.repeat(SIZE / 8), 'too-ambiguous'],
    [
      'fifty thousand alternatives',
      Array.from({ length: 50_000 }, () => 'A*01:01').join('/'),
      'too-ambiguous',
    ],
  ] as const)('%s', ([, text, code]) => {
    const before = performance.now()
    const error = errorOf(() => redux(engine!, text, 'lgx'))
    expect(error?.code).toBe(code)
    expect((error?.message ?? '').length + (error?.hint ?? '').length).toBeLessThan(1500)
    expect(performance.now() - before).toBeLessThan(SLOWEST_MS)
  })
})

function ofPieces(pieces: readonly string[]): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map((chosen) => chosen.join(''))
}

function letters(text: string): string[] {
  return text.split('')
}
