/** The table of options: each option occurs once, and any option without an effect is refused. */
import { describe, expect, test } from 'vitest'
import { option } from '../src/advice.ts'
import { adviceText, messageText } from '../src/operations/faces.ts'
import { commandFacts } from '../src/cli/options/program-facts.ts'
import { isLayout, parseLong, parseSkip, parseTokens } from '../src/options/table-values.ts'
import { errorOf } from './support/errors.ts'
import { adviceOn, aliasesOf, withoutAlias } from '../src/options/command-aliases.ts'
import { isGiven, refuseIdle } from '../src/options/check-options.ts'
import { defined, memberOf, type OptionRow, queryName } from '../src/options/option-row.ts'
import { TABLE_OPTIONS } from '../src/options/table-options.ts'
import { TABLE_QUERY } from '../src/service/table/table-query.ts'

const ROWS: readonly OptionRow[] = TABLE_OPTIONS

/** A value for the option. */
function givenFor({ name, value, choices, reading }: OptionRow): unknown {
  if (name.startsWith('no-')) return false
  if (value === undefined) return true
  if (reading === 'number') return 3
  return choices?.[0] ?? 'x'
}

describe('each row', () => {
  test('has a name and a letter of its own', () => {
    const names = ROWS.flatMap(({ name, short }) => (short === undefined ? [name] : [name, short]))
    expect(new Set(names).size).toBe(names.length)
  })

  test.for(ROWS.map((row) => [row.name, row] as const))('%s: its help is one line', ([, row]) => {
    expect(messageText(row.help, 'command-line')).toMatch(/^[^\n]{5,130}$/)
  })

  test('names no option that there is not', () => {
    const names = ROWS.map(({ name }) => name)
    const named = ROWS.flatMap(({ requires = [], excludes = [] }) => [...requires, ...excludes])
    expect(named.length).toBeGreaterThan(10)
    for (const { option: name, values } of named) {
      expect(names).toContain(name)
      const { choices } = ROWS.find((row) => row.name === name) ?? {}
      for (const value of values ?? []) expect(choices).toContain(value)
    }
  })

  test('says in few words which of several values it requires', () => {
    const needed = ROWS.flatMap(({ requires = [] }) => requires)
    for (const { values = [], form } of needed) expect(values.length > 1).toBe(form !== undefined)
  })

  test('is called by its letter, or by its name', () => {
    for (const { name } of ROWS) {
      const shown = adviceText(option(name), 'command-line') ?? ''
      if (shown.startsWith('--')) expect(shown).toBe(`--${name}`)
      else expect(ROWS.find(({ short }) => `-${short}` === shown)?.name).toBe(name)
    }
  })

  test('is a parameter of a query if it says so, and advice knows which', () => {
    // in a query, `name` is the file's name
    for (const { name, inQuery } of ROWS.filter((row) => row.name !== 'name')) {
      const has = Object.hasOwn(TABLE_QUERY.properties, queryName(name))
      expect(has).toBe(inQuery !== undefined)
      const shown = adviceText(option(name.replace(/^no-/, ''), 'x'), 'query')
      expect(shown).toBe(has ? `${queryName(name)}=x` : undefined)
    }
  })
})

test.for([
  ['method', 'G', '"reduction_method": "G"', undefined],
  ['accept', 'mac,xx', '"accept": ["mac", "xx"]', 'the choice "Correct small slips"'],
  ['from', '3.1.0', '"from": "3.1.0"', undefined],
  ['lift', undefined, '"lift": true', undefined],
  ['ignore-suffix', 'NNNN', '"options": {"ignoredSuffixes": ["NNNN"]}', undefined],
  ['limit', '5', '"options": {"limit": 5}', undefined],
  ['xx', undefined, '"xx": true', undefined],
  ['release', '3.1.0', undefined, undefined],
  ['locus', 'A=A1,A2', undefined, 'Columns of a locus: A=A1,A2'],
  ['gl', 'x', undefined, 'columns of GL Strings: x'],
] as const)('%s %s is %s in a request, and %s on a page', ([name, value, request, page]) => {
  const shown = (['request', 'program', 'page'] as const).map((face) => adviceText(option(name, value), face))
  expect(shown).toEqual([request, request, page])
})

describe('an option of several parts', () => {
  test.for([
    [
      { token: ['X=Y=absent', 'U=unknown', 'N=untyped'] },
      { absent: ['X=Y'], unknown: ['U'], untyped: ['N'] },
    ],
    [{ token: ['N=untyped'], missing: ['M'] }, { untyped: ['M', 'N'] }],
    [{}, {}],
  ] as const)('words: %j are %j', ([given, words]) => expect(parseTokens(given)).toEqual(words))

  test.for([
    [['sample=ID,allele=A1,A2', 'locus=G'], { sample: 'ID', allele: 'A1,A2', locus: 'G' }],
    [['loci=A,B', 'scores=q,r'], { loci: 'A,B', scores: 'q,r' }],
  ] as const)('columns of a long table: %j are %j', ([given, columns]) =>
    expect(parseLong(given)).toEqual(columns),
  )

  test('lines to skip: a number and a prefix', () => {
    expect(parseSkip(['3', '#'])).toEqual({ count: 3, prefix: '#' })
    expect(parseSkip(['3', '4'])).toEqual({ count: 4 })
    expect(parseSkip(['4', 'x3'])).toEqual({ count: 4, prefix: 'x3' })
    expect(parseSkip(['4', '3x'])).toEqual({ count: 4, prefix: '3x' })
    expect(parseSkip([''])).toEqual({ prefix: '' })
    expect(parseSkip()).toEqual({})
  })

  test.for([
    [
      () => parseTokens({ token: ['X=gone'] }),
      '--token WORD=KIND: KIND is untyped, absent, unknown, new, not "X=gone"',
    ],
    [
      () => parseTokens({ token: ['=absent'] }),
      '--token WORD=KIND: KIND is untyped, absent, unknown, new, not "=absent"',
    ],
    [
      () => parseLong(['person=ID']),
      '--long PART=COLUMNS: PART is sample, locus, allele, scores, loci, not "person=ID"',
    ],
  ] as const)('%s is refused', ([parse, message]) => expect(errorOf(parse)?.message).toBe(message))
})

test('redux accepts at most 86 options', () => {
  const { options } = commandFacts('redux', [])
  expect(options.length).toBeGreaterThan(60)
  // in addition to -h
  expect(options.length).toBeLessThanOrEqual(86)
})

describe('an option that would do nothing is refused', () => {
  const requiring = ROWS.filter(({ requires }) => requires !== undefined)

  test.for(requiring.map((row) => [row.name, row] as const))('%s alone', ([name, row]) => {
    const error = errorOf(() => refuseIdle(ROWS, { [memberOf(name)]: givenFor(row) }))
    expect(error?.code).toBe('usage')
    expect(error?.message).toMatch(new RegExp(`^--${name} requires -`))
  })

  test.for(
    requiring.flatMap((row) =>
      (row.requires ?? []).map((need) => [row.name, need.option, row, need] as const),
    ),
  )('%s with %s is none of them', ([name, other, row, { values }]) => {
    const needed = ROWS.find((one) => one.name === other)
    const value = values?.[0] ?? (needed === undefined ? undefined : givenFor(needed))
    const given = { [memberOf(name)]: givenFor(row), [memberOf(other)]: value }
    expect(errorOf(() => refuseIdle(requiring, given, given))?.message ?? '').not.toContain(
      `${name} requires -x`,
    )
    expect(errorOf(() => refuseIdle(ROWS, given))).toBeUndefined()
  })

  test.for(
    ROWS.flatMap((row) => (row.excludes ?? []).map((other) => [row.name, other.option, row, other] as const)),
  )('%s is refused with %s', ([name, other, row, { values }]) => {
    const against = ROWS.find((one) => one.name === other)
    const value = values?.[0] ?? (against === undefined ? undefined : givenFor(against))
    const given = { [memberOf(name)]: givenFor(row), [memberOf(other)]: value }
    expect(errorOf(() => refuseIdle(ROWS, given))?.message).toContain('cannot be combined with')
  })

  test.for(ROWS.filter(({ ofTables }) => ofTables === true).map((row) => [row.name, row] as const))(
    '%s where one typing a line is read',
    ([name, row]) => {
      const given = { inputFormat: 'lines', [memberOf(name)]: givenFor(row) }
      expect(errorOf(() => refuseIdle(ROWS, given))?.message).toMatch(
        /cannot be combined with --input-format lines, which reads no table$/,
      )
    },
  )

  test.for([
    [{ onlyNamed: true }, '--only-named requires --locus or --gl or --columns or --input-format LAYOUT'],
    [{ secondBlank: 'blank' }, '--second-blank requires --gl-out or --glsc or --shape gl or --output-format'],
    [{ plan: true, inputFormat: 'lines' }, '--plan cannot be combined with --input-format lines'],
    [{ name: 'x', into: 'none' }, '--name cannot be combined with --into none'],
    [
      { gl: ['x'], inputFormat: 'lines' },
      '--gl cannot be combined with --input-format lines, which reads no table',
    ],
  ] as const)('%j: %s', ([given, message]) => {
    expect(errorOf(() => refuseIdle(ROWS, given))).toMatchObject({ code: 'usage', message })
  })

  test('a setting may lie unused', () => {
    expect(errorOf(() => refuseIdle(ROWS, {}, { secondBlank: 'blank' }))).toBeUndefined()
    expect(
      errorOf(() => refuseIdle(ROWS, { secondBlank: 'blank' }, { secondBlank: 'blank', glOut: 'gl' })),
    ).toBeUndefined()
  })

  test('what was not given is not given', () => {
    for (const row of ROWS) {
      expect(isGiven(row, {})).toBe(false)
      expect(isGiven(row, { [memberOf(row.name)]: givenFor(row) })).toBe(true)
    }
  })
})

test.for([
  ['header-row', 'headerRow', 'header_row'],
  ['a-b-c', 'aBC', 'a_b_c'],
  ['no-header', 'header', 'header'],
  ['has-no-header', 'hasNoHeader', 'has_no_header'],
  ['no-two-words', 'twoWords', 'two_words'],
] as const)('%s is the member %s, and %s in a query', ([name, member, parameter]) => {
  expect([memberOf(name), queryName(name)]).toEqual([member, parameter])
})

describe('an alias', () => {
  test.for([
    ['reduce A*01:01', 'redux A*01:01'],
    ['expand A*01:AB', 'mac A*01:AB'],
    ['lookup A*01:01', 'mac A*01:01'],
    ['check A*01:01', 'validate A*01:01'],
    ['check', 'validate'],
    ['reduce -q A*01:01', 'redux -q A*01:01'],
    ['install latest', 'data install latest'],
    ['convert in.csv -o out.csv', 'redux -i in.csv -o out.csv'],
    ['convert -', 'redux -i -'],
    ['convert -h', 'redux -h'],
    ['convert --help', 'redux --help'],
    ['redux convert', 'redux convert'],
    ['toString', 'toString'],
  ] as const)('%s is %s', ([words, meant]) => expect(withoutAlias(words.split(' ')).join(' ')).toBe(meant))

  test.for(['convert', 'convert -o'])('%s is refused: the file comes first', (words) => {
    const error = errorOf(() => withoutAlias(words.split(' ')))
    expect(error).toMatchObject({
      code: 'usage',
      message: 'convert takes the file first: hla convert FILE [options]',
    })
    expect(adviceText(error?.hint, 'command-line')).toBe('it is hla redux -i FILE')
  })

  test('is in the help of its command', () => {
    expect(aliasesOf('redux')).toEqual(['reduce', 'convert FILE (redux -i FILE)'])
    expect(aliasesOf('mac')).toEqual(['expand', 'lookup'])
    expect(aliasesOf('validate')).toEqual(['check'])
    expect(aliasesOf('data', 'install')).toEqual(['install'])
    expect(aliasesOf('data')).toEqual([])
  })

  test('of no command is advised where its meaning is known', () => {
    for (const word of ['update', 'upgrade', 'self-update'])
      expect(adviceText(adviceOn(word), 'command-line')).toBe(
        'hla data install latest installs the newest release; npm updates the program',
      )
    expect(adviceOn('reduce')).toBeUndefined()
  })
})

test('an option that was not given leaves the default of the reader', () => {
  const given = { delimiter: undefined, limit: 0, lift: false, name: '' }
  expect(Object.entries(defined(given))).toEqual([['limit', 0], ['lift', false], ['name', '']]) // prettier-ignore
})

test('a layout is a format with its own name', () => {
  expect(['pairs', 'gl-columns', 'csv', 'layout', undefined].map(isLayout)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})
