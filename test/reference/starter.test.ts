import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Engine, makeEngine } from '../../src/engine/engine.ts'
import { DEFAULT_OPTIONS, type EngineOptions } from '../../src/engine/options.ts'
import { type Method } from '../../src/engine/reduce/methods.ts'
import {
  compiledStarter,
  compiledStarterCodes,
  openStarter,
} from '../../src/reference/starter/open-starter.ts'
import { formatStarterRow, parseStarterRows } from '../../src/reference/starter/starter-rows.ts'
import { packagePath } from '../../src/package-root.ts'
import { readMacTable } from '../../src/reference/mac-table.ts'
import { readRelease } from '../../src/reference/release.ts'
import { errorOf } from '../support/errors.ts'
import { NOT_HELD, answerOf } from '../support/answers.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared, sharedPath } from '../support/shared.ts'
import { rounds } from '../support/rounds.ts'

const release = readRelease(compiledStarter())
const mac = readMacTable(compiledStarterCodes())
const starter = makeEngine(release, mac)

const SHORT_METHODS: readonly Method[] = ['G', 'P', 'lg', 'lgx']
const ALL_METHODS: readonly Method[] = [...SHORT_METHODS, 'W', 'exon', 'U2', 'S', '1F']

const everyName = Array.from({ length: release.size }, (_, id) => release.nameOf(id))
const names = everyName.filter((name) => name.includes('*'))
const held = names.filter(
  (name) => release.is('allele', name) || release.is('gGroup', name) || release.is('pGroup', name),
)
const families = names.filter((name) => release.is('firstField', name))
const codes = [...mac.codesWithPrefix('')]
/** Catalogue names that 3.58.0 lacks, or that stand for alleles outside the set. */
const UNANSWERED = ['A*23:19Q', 'A*24:02L', 'B*13:08Q', 'B*15:01N', 'DRB5*01:08N']

describe('the rows of the set', () => {
  const text = readFileSync(packagePath('data/starter/alleles.tsv'), 'utf8')

  test('are written as they are read', () => {
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    expect(parseStarterRows(text).map(formatStarterRow)).toEqual(lines.slice(1))
  })

  test('differ from their full names in groups and antigens where that is said', () => {
    const row = { name: 'A*01:01', full: ['A*01:01:01:01'], p: '', lgx: 'A*01:01' }
    const write = (more: object) =>
      formatStarterRow({ ...row, antigens: [], fullAntigens: [], g: [], fullG: '', ...more })
    const start = 'A*01:01\tA*01:01:01:01\t'
    expect([
      write({}),
      write({ g: ['a'], fullG: 'a' }),
      write({ g: ['a'], fullG: 'b' }),
      write({ g: ['a'] }),
      write({ g: ['a', 'b'], fullG: 'a' }),
      write({ fullG: 'a' }),
      write({ antigens: ['x', 'y'], fullAntigens: ['x', 'y'] }),
      write({ antigens: ['x', 'y'], fullAntigens: ['y', 'z'] }),
      write({ antigens: ['x'] }),
    ]).toEqual([
      `${start}\t\tA*01:01`,
      `${start}a\t\tA*01:01`,
      `${start}a\t\tA*01:01\t\tb`,
      `${start}a\t\tA*01:01\t\t-`,
      `${start}a/b\t\tA*01:01\t\ta`,
      `${start}\t\tA*01:01\t\ta`,
      `${start}\t\tA*01:01\tx/y`,
      `${start}\t\tA*01:01\tx/y\t\ty/z`,
      `${start}\t\tA*01:01\tx\t\t-`,
    ])
  })

  test('have a cell for what differs, and share the others', () => {
    const head = 'name\tfull\tG\tP\tlgx\tantigens\tfullG\tfullAntigens\n'
    const plain = { name: 'A*01:01', full: ['x', 'y'], g: ['a', 'b'], p: 'p', lgx: 'l', antigens: ['1', '2'], fullG: 'c', fullAntigens: ['3', '4'] }
    const none = { name: 'A*01:02', full: [], g: [], p: '', lgx: '', antigens: [], fullG: '', fullAntigens: [] }
    expect(parseStarterRows(`# a comment\n${head}A*01:01\tx/y\ta/b\tp\tl\t1/2\tc\t3/4\nA*01:02\nA*01:03\tx\ta\tp\tl\t1\nA*01:04\tx\ta\tp\tl\t1\t-\t-`)).toEqual([
      plain,
      none,
      { name: 'A*01:03', full: ['x'], g: ['a'], p: 'p', lgx: 'l', antigens: ['1'], fullG: 'a', fullAntigens: ['1'] },
      { name: 'A*01:04', full: ['x'], g: ['a'], p: 'p', lgx: 'l', antigens: ['1'], fullG: '', fullAntigens: [] },
    ])
  }) // prettier-ignore

  test('of other columns are refused', () => {
    for (const other of ['', text.replace('fullAntigens\n', 'more\n')])
      expect(errorOf(() => parseStarterRows(other))).toMatchObject({
        code: 'bad-release-file',
        message: 'the starter set has other columns than this version reads',
      })
  })
})

describe('openStarter', () => {
  test('opens the same set, built or not', () => {
    const opened = openStarter()
    expect(opened.release.facts.dataset).toBe('starter')
    expect(opened.release.facts.label).toBe('3.58.0')
    expect(opened.mac.date).toBe('2020-07-11')
  })
})

describe('the starter set', () => {
  test('says what it is', () => {
    const { alleleCount, date, dataset, loci, compact } = release.facts
    expect({ alleleCount, date, dataset, compact }).toEqual({
      alleleCount: 1058, date: '2024-10-09', dataset: 'starter', compact: '3580',
    }) // prettier-ignore
    expect(loci.length).toBe(11)
    expect(mac.size).toBe(150)
  })

  test('answers for every catalogue name but five', () => {
    const names = release.facts.cwd2 ?? []
    expect(names.length).toBe(1063)
    const silent = names.filter((name) =>
      SHORT_METHODS.some((method) => answerOf(starter, name, method).startsWith('error')),
    )
    expect(silent).toEqual(UNANSWERED)
  })

  test('answers G, P, lg and lgx of every name it holds', () => {
    expect(held.length).toBeGreaterThan(2900)
    const silent = held.filter((name) =>
      SHORT_METHODS.some((method) => answerOf(starter, name, method).startsWith('error')),
    )
    expect(silent).toEqual([])
  })

  test.for([
    ['A*01:01', 'G', 'A*01:01:01G'],
    ['A*02:01', 'G', 'A*02:01:01G/A*02:01:02G'],
    ['A*01:01:01:01', 'P', 'A*01:01P'],
    ['A*01:01:01G', 'P', 'A*01:01P'],
    ['A*01:01P', 'G', 'A*01:01:01G'],
    ['HLA-A*01:AB', 'lgx', 'HLA-A*01:01/HLA-A*01:02'],
    ['A*0101+B*0702', 'S', 'A1+B7'],
    ['A*01:04N', 'W', 'A*01:04:01:01N/A*01:04:01:02N'],
    ['A*0104', 'U2', 'A*01:04N'],
    ['B*15:20', 'S', 'B15/B62/B70'],
    // outside the starter set, or needing complete lists
    ['A*01:01', 'W', 'error starter'],
    ['A*01:01', 'exon', 'error starter'],
    ['A*01:01:01', 'W', 'error starter'],
    ['A*01:01:01', 'S', 'error starter'],
    ['A*01:01:01G', 'S', 'error starter'],
    ['A*01:01:01G', 'W', 'error starter'],
    ['A*01:01:02', 'lgx', 'error starter'],
    ['A*01:01:01:99', 'lgx', 'error starter'],
    ['A*01:01:99', 'lgx', 'error starter'],
    ['A*99:99', 'lgx', 'error starter'],
    ['A*01:04', 'S', 'error starter'],
    ['A*01:XX', 'lgx', 'error starter'],
    ['A1', 'lgx', 'error starter'],
    ['A1', 'S', 'error starter'],
    ['X9', 'lgx', 'error starter'],
    ['A*01:ABCDE', 'lgx', 'error starter'],
    ['A*99:AB', 'lgx', 'error starter'],
    ['A*74:AB/A*74:AC', 'lgx', 'error starter'],
    ['MICA*002:01', 'lgx', 'error starter'],
    ['A*01:01+A*99:99', 'lgx', 'error starter'],
    // syntax errors and missing data are reported as such
    ['A*01:01+', 'lgx', 'error empty-part'],
    ['A*01:01', 'hats', 'error no-hats'],
  ] as const)('%s by %s is %s', ([given, method, expected]) =>
    expect(answerOf(starter, given, method)).toBe(expected),
  )

  test('does not take a name for another without validation', () => {
    const lenient = makeEngine(release, mac, { ...DEFAULT_OPTIONS, strict: false, exact: false })
    expect(answerOf(lenient, 'C*02:10:01G', 'U2')).toBe('error starter')
    expect(answerOf(lenient, 'A*24:02:01:02', 'lgx')).toBe('error starter')
    expect(answerOf(lenient, 'A*01:01:01:99', 'lgx')).toBe('error starter')
  })

  test('answers members of groups with --members as an error', () => {
    const engine = makeEngine(release, mac, { ...DEFAULT_OPTIONS, members: true })
    expect(answerOf(engine, 'A*01:01:01G', 'W')).toBe('error starter')
  })
})

describe.skipIf(!hasShared)('beside the full release', () => {
  const SWITCHES: readonly Partial<EngineOptions>[] = [
    {},
    { ping: false },
    { strict: false },
    { strict: false, ping: false },
    { exact: true },
    { consistentLg: true },
    { members: true },
    { ars: true },
    { off: ['null'] },
    { off: ['mac', 'xx', 'serology'] },
    { off: ['v2'] },
    { keep: ['2field', 'G', 'null', 'mac', 'serology', 'v2', 'xx'] },
    { ignoredSuffixes: ['NNNN'] },
  ]

  function pair(switches: Partial<EngineOptions>): readonly [Engine, Engine] {
    const options = { ...DEFAULT_OPTIONS, limit: 0, ...switches }
    return [makeEngine(release, mac, options), makeEngine(realRelease('3580'), realMacs(), options)]
  }

  /** Answers of the starter set that differ from the full release's. */
  function unfaithful(
    [ours, full]: readonly [Engine, Engine],
    given: readonly string[],
    methods = ALL_METHODS,
  ): string[] {
    return given.flatMap((text) =>
      methods.flatMap((method) => {
        const said = answerOf(ours, text, method)
        if (said === NOT_HELD || said === answerOf(full, text, method)) return []
        return [`${method} of ${text}: ${said}, not ${answerOf(full, text, method)}`]
      }),
    )
  }

  // spellings similar to a name of the set, some of which are other names or none
  const variants = names.flatMap((name) => {
    const bare = name.replace(/[A-Z]$/, '')
    const fields = bare.split(':')
    const shorter = fields.map((_, count) => fields.slice(0, count + 1).join(':'))
    const old = bare.replaceAll(':', '')
    return [
      ...shorter,
      `${name}N`,
      `${name}Q`,
      `${bare}N`,
      `${bare}L`,
      `${name}G`,
      `${name}P`,
      `${name}g`,
      `${bare}:01`,
      `${bare}:01G`,
      `${bare}:99`,
      old,
      `${old}N`,
      `${bare}:01:01N`,
    ]
  })

  test.for(SWITCHES)('%o: every name in the tables', (switches) => {
    expect(unfaithful(pair(switches), [...everyName, ...(release.facts.cwd2 ?? [])])).toEqual([])
  })

  test.for([{}, { strict: false, ping: false }])('%o: names near them', (switches) => {
    expect(unfaithful(pair(switches), [...new Set(variants)], ['G', 'lgx', 'U2', 'S'])).toEqual([])
  })

  const macs = families.flatMap((family) => codes.map((code) => `${family}:${code}`))

  test('every code at every first field', () => {
    expect(unfaithful(pair({}), macs)).toEqual([])
  })

  test('old names, old spellings of codes, codes with more behind them, families', () => {
    const given = families.flatMap((family) => [
      `${family}AB`,
      `${family}:XX`,
      `${family}XX`,
      `${family}:NNNN`,
      `${family}:AB:01`,
      `${family}ZZ`,
      family,
    ])
    given.push(...Object.keys(release.facts.oldNames))
    for (const switches of SWITCHES) expect(unfaithful(pair(switches), given)).toEqual([])
  })

  test.for(SWITCHES.slice(0, 4))('%o: GL Strings of its names', (switches) => {
    const [ours, full] = pair(switches)
    const expanded = macs.filter((text) => answerOf(ours, text, 'lgx') !== NOT_HELD)
    expect(expanded.length).toBeGreaterThan(300)
    const leaf = fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom(...held) },
      { weight: 5, arbitrary: fc.constantFrom(...expanded) },
      { weight: 1, arbitrary: fc.constantFrom(...variants) },
    )
    const prefixed = fc.tuple(fc.constantFrom('', '', '', 'HLA-'), leaf).map((parts) => parts.join(''))
    const list = fc.array(prefixed, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))
    const level = (inner: fc.Arbitrary<string>, by: string) =>
      fc.array(inner, { minLength: 1, maxLength: 2 }).map((parts) => parts.join(by))
    const glString = ['~', '+', '|', '^'].reduce(level, list)
    fc.assert(
      fc.property(glString, fc.constantFrom(...ALL_METHODS), (given, method) => {
        expect([NOT_HELD, answerOf(full, given, method)]).toContain(answerOf(ours, given, method))
      }),
      { numRuns: rounds(2000) },
    )
  })

  test('its catalogue names are the published ones', () => {
    const published = readFileSync(sharedPath('upstream/cwd/CWD2.csv'), 'utf8').trim().split(/\r?\n/).slice(1)
    const rows = published.map((line) => line.slice(line.indexOf(',') + 1))
    expect(new Set(release.facts.cwd2)).toEqual(new Set(rows))
  })

  test('its codes are those of the published list', () => {
    expect(codes.map((code) => mac.expand(code))).toEqual(codes.map((code) => realMacs().expand(code)))
  })
})
