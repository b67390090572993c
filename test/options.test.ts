/** The table of options: each option occurs once, and any option without an effect is refused. */
import { describe, expect, test } from 'vitest'
import { option } from '../src/advice.ts'
import { adviceText, messageText } from '../src/operations/faces.ts'
import { commandFacts } from '../src/cli/options/program-facts.ts'
import { isLayout, parseLong, parseSkip, parseTokens } from '../src/options/table-values.ts'
import { errorOf } from './support/errors.ts'
import { adviceOn, aliasesOf, withoutAlias } from '../src/options/command-aliases.ts'
import { isGiven, refuseIdle } from '../src/options/check-options.ts'
import { defined, memberOf, OPTION_GROUPS, type OptionRow, queryName } from '../src/options/option-row.ts'
import { QUESTION_OPTIONS } from '../src/options/question-options.ts'
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

describe('what scripts write stays as it is', () => {
  const all: readonly Partial<OptionRow>[] = [...TABLE_OPTIONS, ...QUESTION_OPTIONS]

  test('the values that an option takes', () => {
    const choices = all.flatMap(({ name, choices: values }) => (values ? [[name, values.join(' ')]] : []))
    expect(Object.fromEntries(choices)).toEqual({
      encoding: 'auto utf8 utf16 latin1',
      ragged: 'error pad',
      'input-format':
        'auto table hml wmda donor-json long transposed gl phlat seq2hla rna2hla hla-la hlapers hla-hd t1k kourami lilac pharmcat polysolver spechla hlaminer hisat-genotype hlaforest arcashla xhla hibag pairs gl-columns wmda-lines haplomat-mac haplomat-glsc haplomat-gls pypop hped atlas 1000g glsc lines',
      'sample-from': 'name folder folder:2 folder:3 column',
      consensus: 'majority all',
      'bare-digits': 'auto antigen first-field v2 mixed error',
      into: 'after replace append none',
      'second-blank': 'blank homozygous',
      shape: 'wide long gl',
      'output-format': 'pypop arlequin uniformat haplomat grimm hped fhir hml donors',
      'locus-prefix': 'full bare',
      eol: 'keep lf crlf',
      bom: 'keep add drop',
      'on-error': 'blank keep report fail',
      progress: 'auto always never jsonl',
    })
  })

  test('the names in other programs that a message knows', () => {
    const known = all.flatMap(({ name, synonyms }) => (synonyms ? [[name, synonyms.join(' ')]] : []))
    expect(Object.fromEntries(known)).toEqual({
      delimiter: 'sep separator delim field-separator',
      'no-header': 'noheader without-header',
      skip: 'skiprows skip-rows skip-lines',
      quote: 'quotechar',
      encoding: 'charset',
      sheet: 'sheet-name worksheet',
      columns: 'cols fields usecols',
      exclude: 'skip-columns drop-columns',
      'id-column': 'sample-id id-col',
      missing: 'na na-values na-value',
      plan: 'dry-run preview',
      'out-delimiter': 'output-delimiter out-sep',
      errors: 'error-file report',
      method: 'redux-type reduction-method level',
      from: 'from-release',
      release: 'imgt-version db-version',
      output: 'out outfile output-file',
    })
  })

  test('the letters, and the variables that set an option', () => {
    const letters = all.flatMap(({ name, short }) => (short === undefined ? [] : [`${short} ${name}`]))
    expect(letters.sort()).toEqual([
      'D out-delimiter', 'H no-header', 'c columns', 'd delimiter', 'g gl', 'l locus', 'm method', 'o output', 'r release', 'x exclude',
    ]) // prettier-ignore
    const variables = all.flatMap(({ name, env }) => (env === undefined ? [] : [`${env} ${name}`]))
    expect(variables).toEqual(['HLA_METHOD method', 'HLA_ACCEPT accept', 'HLA_RELEASE release'])
  })

  test('those that -h shows, and those that a settings file cannot have', () => {
    const common = all.filter(({ isCommon }) => isCommon).map(({ name }) => name)
    expect(common).toEqual(['columns', 'locus', 'plan', 'into', 'method', 'accept', 'lift', 'release', 'output']) // prettier-ignore
    const single = all.filter(({ isOfOneRun }) => isOfOneRun).map(({ name }) => name)
    expect(single).toEqual(['consensus', 'plan', 'errors', 'summary', 'plan-from', 'from', 'output'])
  })
})

/** Names of the table options for which this holds, without the others. */
function namesWhere(holds: (row: OptionRow) => unknown): string {
  return ROWS.filter((row) => Boolean(holds(row)))
    .map(({ name }) => name)
    .join(' ')
}

test('where a table option applies', () => {
  expect(namesWhere(({ ofTables }) => ofTables !== true)).toBe(
    'encoding input-format strict-columns bare-digits missing token plan output-format person-columns set on-error errors max-errors exit-zero summary provenance progress',
  )
  expect(namesWhere(({ ofWrittenTables }) => ofWrittenTables)).toBe(
    'consensus into name gl-out glsc drbx shape drop-source locus-prefix out-delimiter bom',
  )
  expect(namesWhere(({ inQuery }) => inQuery)).toBe(
    'delimiter no-header ragged sheet input-format long columns exclude locus gl only-named bare-digits cell-separator missing token into gl-out shape output-format person-columns set on-error',
  )
  const { inQuery } = ROWS.find(({ name }) => name === 'on-error') ?? {}
  // `fail` is of the command line alone
  expect(inQuery).toEqual(['blank', 'keep', 'report'])
})

test('how the value of a table option is read', () => {
  const readingOf = (asked: OptionRow['reading']) => namesWhere(({ reading }) => reading === asked)
  expect([readingOf('number'), readingOf('each'), readingOf('words')]).toEqual([
    'header-row',
    'skip long locus subject',
    'missing token',
  ])
  expect(readingOf('columns')).toBe('columns exclude gl person-columns set')
})

test.for([
  [
    'input-format',
    'what the file is: auto, table, long, lines (one typing a line), a layout, or the program that wrote it (hla help formats)',
  ],
  [
    'long',
    'columns of a long table: sample=…, locus=…, allele=…, scores=…; loci=… for the loci of the result (repeatable)',
  ],
  ['only-named', 'read only the columns given with -l and -g'],
  ['token', 'more values that are not typings, and what each means: untyped, absent, unknown, new'],
  [
    'output-format',
    'write HML, donors of Atlas, FHIR, or a file of a population genetics program instead of a table (hla help formats)',
  ],
  [
    'person-columns',
    'columns about the person, for formats of --output-format that can hold them: population=POP,sex=SEX',
  ],
  ['set', 'fields of the --output-format with one value for all persons: project-name=LAB,date=2026-11-29'],
] as const)('the help of %s names other options, commands and values', ([asked, text]) => {
  expect(messageText(ROWS.find(({ name }) => name === asked)?.help ?? '', 'command-line')).toBe(text)
})

test('each option of a question has its place in a request', () => {
  const places = QUESTION_OPTIONS.map(({ name, inRequest, property, default: usual }) => [name, inRequest, property, usual]) // prettier-ignore
  expect(places).toEqual([
    ['method', 'reduction_method', undefined, undefined],
    ['accept', 'accept', 'accept', undefined],
    ['from', 'from', 'from', undefined],
    ['lift', 'lift', 'lift', undefined],
    ['ignore-suffix', 'options.ignoredSuffixes', undefined, undefined],
    ['limit', 'options.limit', undefined, undefined],
    ['release', undefined, undefined, 'active'],
    ['output', undefined, undefined, '-'],
    ['xx', 'xx', undefined, undefined],
  ])
})

test('help has a long line, a short one, and a word for the value', () => {
  const all = [...ROWS, ...QUESTION_OPTIONS]
  const others = all.flatMap(({ name, help = 'no help', brief = 'as long', value = 'none' }) => [
    ...(/^[^\n]{5,130}$/.test(messageText(help, 'command-line')) ? [] : [`${name}: help`]),
    ...(/^[^\n]{5,54}$/.test(messageText(brief, 'command-line')) ? [] : [`${name}: brief`]),
    ...(/^\S+$/.test(value) ? [] : [`${name}: value`]),
  ])
  expect(others).toEqual([])
})

test('the headings of the help', () => {
  expect(Object.values(OPTION_GROUPS)).toEqual([
    'Tables, as text:',
    'Tables, what they hold:',
    'Tables, columns:',
    'Tables, cells:',
    'Tables, output:',
    'Tables, run and reports:',
  ])
})

test('a consensus decides about rows, columns and texts', () => {
  const { excludes = [] } = ROWS.find(({ name }) => name === 'consensus') ?? {}
  expect(excludes.map(({ option: name }) => name)).toEqual([
    'merge', 'columns', 'locus', 'gl', 'subject', 'into', 'name', 'gl-out', 'glsc', 'drbx', 'shape', 'drop-source', 'on-error', 'plan-from',
  ]) // prettier-ignore
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
      () => parseLong(['sample=']),
      '--long PART=COLUMNS: PART is sample, locus, allele, scores, loci, not "sample="',
    ],
    [
      () => parseLong(['person=ID']),
      '--long PART=COLUMNS: PART is sample, locus, allele, scores, loci, not "person=ID"',
    ],
  ] as const)('%s is refused', ([parse, message]) =>
    expect(errorOf(parse)).toMatchObject({ code: 'usage', message }),
  )
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
