/** Answers of operations that only remote programs, tables or rare inputs ask for. */
import { describe, expect, test } from 'vitest'
import { HlaError } from '../../src/errors.ts'
import { answerEcho } from '../../src/operations/echo.ts'
import { errorData, errorRecord, readErrorRecord } from '../../src/operations/error-record.ts'
import { localExecutor } from '../../src/operations/executor.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { answerList, listQuestions } from '../../src/operations/list-request.ts'
import { OPERATIONS, operationNamed } from '../../src/operations/registry.ts'
import type { Property } from '../../src/operations/schema.ts'
import { smallMacs, smallRelease } from '../support/small-release.ts'

const small = localExecutor(makeKnowledge({ release: smallRelease(), mac: smallMacs() }))

describe('the reply of a basic server', () => {
  const AB = { gl_string: 'A*01:01/A*01:02', alleles: ['A*01:01', 'A*01:02'] }
  test.for([
    ['mac', {}, 200, { xx_code: 'A*01:XX', ...AB }, { mac: 'A*01:XX', ...AB, direction: 'expand' }],
    // read like any other answer
    ['mac', {}, 200, { mac: 'A*01:AB', ...AB }, undefined],
    ['mac', {}, 200, { mac: 'A*01:AB', xx_code: 'A*01:AB', ...AB }, undefined],
    ['mac', {}, 404, { xx_code: 'A*01:XX', ...AB }, undefined],
    ['mac', {}, 200, [AB], undefined],
    ['mac', {}, 200, AB, undefined],
    ['similar', { prefix: 'A*01' }, 200, ['A*01:01'], { prefix: 'A*01', similar: ['A*01:01'], count: 1 }],
    ['similar', { prefix: 'A*01', count: true }, 200, ['A*01:01', 'A*01:02'], { prefix: 'A*01', count: 2 }],
    ['similar', { prefix: 'A*01' }, 404, ['A*01:01'], undefined],
    ['similar', { prefix: 'A*01' }, 200, { message: 'none' }, undefined],
    ['validate', { gl_string: 'x' }, 200, { valid: true }, { gl_string: 'x', valid: true, malformed: false }],
    [
      'validate',
      { gl_string: 'x' },
      404,
      { valid: false, message: 'no', cause: 'x is wrong' },
      { gl_string: 'x', valid: false, malformed: false, message: 'no', cause: 'x is wrong' },
    ],
    [
      'validate',
      { gl_string: 'x' },
      400,
      { valid: false, message: 'no' },
      { gl_string: 'x', valid: false, malformed: true, message: 'no', cause: 'no' },
    ],
    // of a server that says more
    [
      'validate',
      { gl_string: 'x' },
      400,
      { valid: false, malformed: true, verdict: 'malformed' },
      { valid: false, malformed: true, verdict: 'malformed' },
    ],
    ['validate', { gl_string: 'x' }, 500, { valid: true }, undefined],
    ['validate', { gl_string: 'x' }, 200, { valid: 'yes' }, undefined],
    ['validate', { gl_string: 'x' }, 200, [], undefined],
  ] as const)('%s of %j: %i, %j', ([name, input, status, body, output]) => {
    expect(operationNamed(name).http.fromReply?.({ status, body }, input as never)).toEqual(output)
  })
})

test.for([
  [{ gl_string: 'A*01:AB' }, { direction: 'expand', mac: 'A*01:AB' }],
  [{ gl_string: 'A*01:01/A*01:02' }, { direction: 'lookup', gl_string: 'A*01:01/A*01:02' }],
  // the answer to an antigen lists the alleles of its code
  [{ gl_string: 'B62', xx: true }, { direction: 'lookup' }],
  [
    { gl_string: 'A*01:AB', direction: 'lookup' },
    { direction: 'lookup', gl_string: 'A*01:AB' },
  ],
  // read in another form before it is answered
  [{ gl_string: 'A*01:AB', from: '3.25.0' }, {}],
  [{ gl_string: 'A*01:AB', lift: true }, {}],
  [{ gl_string: 'A*01:AB', accept: ['case'] }, {}],
  [{ gl_string: 'hla#2024-10-09#A*01:AB' }, {}],
] as const)('the answer of mac to %j repeats %j', ([input, echo]) => {
  expect(answerEcho(operationNamed('mac'), input)).toEqual(echo)
})

test.for([
  ['B62', 'B*15:XX', ['B*15:01'], []],
  ['HLA-A1', 'HLA-A*01:XX', expect.arrayContaining(['HLA-A*01:01', 'HLA-A*01:04']), []],
  ['Dw1', 'D*01:XX', [], ['no-alleles']],
] as const)('the XX code of %s is %s', ([gl_string, mac, alleles, codes]) => {
  const { notes = [], ...answer } = small.execute('mac', { gl_string, xx: true }) as {
    readonly notes?: readonly { readonly code: string }[]
  }
  expect(answer).toMatchObject({ mac, alleles, direction: 'lookup' })
  expect(notes.map(({ code }) => code)).toEqual(codes)
})

test('similar counts the names that it lists', () => {
  const listed = small.execute('similar', { prefix: 'A*01' }) as { readonly similar: readonly string[] }
  expect(listed.similar.length).toBeGreaterThan(2)
  expect(small.execute('similar', { prefix: 'A*01', count: true })).toMatchObject({
    count: listed.similar.length,
  })
})

test('similar says when there are more names than its limit, and when there is none', () => {
  const { similar: all } = small.execute('similar', { prefix: 'A*01' }) as {
    readonly similar: readonly string[]
  }
  const count = all.length
  const more = {
    level: 'note',
    code: 'limited',
    message: 'only the first 2 names are listed; limit 0 lists all',
  }
  expect(small.execute('similar', { prefix: 'A*01', limit: 2 })).toEqual({
    prefix: 'A*01',
    similar: all.slice(0, 2),
    count: 2,
    notes: [more],
  })
  for (const limit of [0, count])
    expect(small.execute('similar', { prefix: 'A*01', limit })).toEqual({
      prefix: 'A*01',
      similar: all,
      count,
    })
  expect(small.execute('similar', { prefix: 'A*77', count: true })).toEqual({ prefix: 'A*77', count: 0 })
  const prefix = `A*77:${'1'.repeat(100)}`
  expect(() => small.execute('similar', { prefix })).toThrow(
    expect.objectContaining({
      code: 'no-match',
      message: `nothing in IPD-IMGT/HLA 3.58.0 starts with ${prefix.slice(0, 60)}`,
      offending: prefix,
      position: [0, prefix.length],
    }),
  )
})

test.for([
  ['A*01:01g+A*99:99', 'unknown-allele', [9, 16]],
  ['A*99:99+A*01:01g', 'unknown-allele', [0, 7]],
  ['A*99:99g+A*01:01g', 'unknown-allele', [0, 8]],
  ['A*01:01g+A*02:0_1', 'bad-character', [15, 16]],
  ['A*02:0_1+A*01:01g', 'bad-character', [6, 7]],
  ['A*01:01g/A*01:02g+A*01:22', 'missing-suffix', [18, 25]],
  ['A*01:01g+', 'empty-part', [9, 9]],
] as const)('%s is read, and wrong where it was typed: %s', ([gl_string, code, position]) => {
  expect(() => small.execute('redux', { gl_string, accept: ['g'] })).toThrow(
    expect.objectContaining({ code, position }),
  )
})

test('cwd has a table of categories alone', () => {
  const { table, cells } = operationNamed('cwd')
  const columns = [
    'input',
    'category',
    'category_EURO',
    'categories',
    'catalogue',
    'status',
    'code',
    'message',
  ]
  const populations = ['TOTAL', 'EURO']
  expect(columnsWith(table?.columns, { category: true, populations })).toEqual(columns)
  expect(columnsWith(table?.columns, { populations })).toBeUndefined()
  const answer = {
    gl_string: 'A*01:01',
    cwd: 'A*01:01',
    cwd_mac: 'A*01:AB',
    dropped: ['A*43:01', 'A*43:03'],
    catalogue: 'CWD',
  }
  expect(cells?.outcome(answer as never, {})).toEqual({
    results: ['A*01:01', 'A*01:AB', 'A*43:01/A*43:03', 'CWD'],
  })
  expect(cells?.outcome(answer as never, { no_mac: true } as never)).toEqual({
    results: ['A*01:01', 'A*43:01/A*43:03', 'CWD'],
  })
  expect(table?.row(answer as never, {})).toBeUndefined()
})

test('GET /xx refuses what is no XX code', () => {
  const refuse = operationNamed('mac').http.also?.find(({ path }) => path.startsWith('/xx'))?.refuse
  expect(['A*01:XX', 'HLA-A*01:XX'].map((code) => refuse?.(code))).toEqual([undefined, undefined])
  const long = `A*01:${'A'.repeat(100)}`
  expect(refuse?.(long)).toMatchObject({
    code: 'not-xx',
    message: `${long.slice(0, 60)} is not an XX code, such as A*01:XX`,
    offending: long,
  })
})

describe('a request with a list', () => {
  const questions = (operation: string, input: unknown) => {
    const found = listQuestions({ operation, input })
    return found && [...found]
  }

  test('asks about each of its typings, with the other settings', () => {
    expect(questions('redux', { gl_string: ['A*01:01', 'A*02:01'], reduction_method: 'G' })).toEqual([
      { operation: 'redux', input: { gl_string: 'A*01:01', reduction_method: 'G' } },
      { operation: 'redux', input: { gl_string: 'A*02:01', reduction_method: 'G' } },
    ])
    expect(questions('ard', { allele: [] })).toEqual([])
  })

  test.for([
    ['redux', { gl_string: 'A*01:01' }],
    ['redux', { allele: ['A*01:01'] }],
    ['redux', ['A*01:01']],
    ['redux', Object.create({ gl_string: ['A*01:01'] })],
    ['version', { gl_string: ['A*01:01'] }],
    ['unheard', { gl_string: ['A*01:01'] }],
  ] as const)('%s %j has none', ([operation, input]) => expect(questions(operation, input)).toBeUndefined())

  test('has all answers in one text, short where they say no more, and a failure in its place', () => {
    const answers = (operation: string, input: object) =>
      JSON.parse(
        [...answerList(small, questions(operation, input) ?? [], () => undefined)].join(''),
      ) as unknown
    const error = expect.objectContaining({ code: 'unknown-allele' }) as unknown
    expect(answers('redux', { gl_string: [] })).toEqual({ answers: [] })
    expect(answers('redux', { gl_string: ['A*01:01:01:01', 'A*99:99', 'A*02:01:01:01'] })).toEqual({
      answers: ['A*01:01', { error }, 'A*02:01'],
    })
    expect(answers('similar', { prefix: ['A*43:01'] })).toEqual({
      answers: [{ prefix: 'A*43:01', similar: ['A*43:01'], count: 1 }],
    })
  })

  test('tells of a bug, and goes on', () => {
    const told: unknown[] = []
    const bug = new TypeError('a bug')
    const executor = { execute: () => { throw bug } } // prettier-ignore
    const text = [
      ...answerList(executor, questions('ard', { allele: ['A', 'B'] }) ?? [], (fault) => told.push(fault)),
    ].join('')
    const error = { code: 'internal', message: 'internal error', suggestions: [] }
    expect([JSON.parse(text), told]).toEqual([{ answers: [{ error }, { error }] }, [bug, bug]])
  })
})

describe('the record of an error', () => {
  test('has all that it knows, and is read again', () => {
    const error = new HlaError('renamed-allele', 'it is renamed', {
      offending: 'A*01:01',
      position: [0, 7],
      suggestions: ['A*01:02'],
      hint: 'use A*01:02',
      facts: { since: '3.39.0', successor: 'A*01:02' },
    })
    const record = {
      code: 'renamed-allele',
      message: 'it is renamed',
      offending: 'A*01:01',
      position: [0, 7],
      hint: 'use A*01:02',
      since: '3.39.0',
      successor: 'A*01:02',
      suggestions: ['A*01:02'],
    }
    expect(errorRecord(error)).toEqual(record)
    expect(errorData(error)).toEqual(record)
    expect(errorRecord(readErrorRecord(record, 'remote'))).toEqual(record)
    expect(errorRecord(new HlaError('no-mac', 'no'))).toEqual({
      code: 'no-mac',
      message: 'no',
      suggestions: [],
    })
  })

  test.for([
    [{}, { code: 'remote', message: 'the service gives no reason', suggestions: [] }],
    [{ code: 'unheard', message: 'no' }, { code: 'remote', message: 'no', suggestions: [] }],
    [{ message: 5, offending: 5, hint: 5, suggestions: 'A', number: 5 }, { code: 'remote', message: 'the service gives no reason', suggestions: [] }],
    [{ message: 'no', suggestions: [1, 'A'] }, { code: 'remote', message: 'no', suggestions: ['1', 'A'] }],
  ] as const)('%j is read as %j', ([given, record]) => {
    const error = readErrorRecord(given, 'remote')
    expect(errorRecord(error)).toEqual(record)
    expect(error.facts).toBeUndefined()
  }) // prettier-ignore

  test.for([[1], [1, 2, 3], [1, '2'], ['1', 2], [1.5, 2], '12', 5])('%j is no place', (position) => {
    expect(readErrorRecord({ message: 'no', position }, 'remote').position).toBeUndefined()
  })
})

type Columns = readonly string[] | ((input: never) => readonly string[] | undefined) | undefined
const columnsWith = (columns: Columns, input: object) =>
  typeof columns === 'function' ? columns(input as never) : columns

test.for([
  [{}, ['cwd', 'cwd_mac'], ['dropped', 'catalogue']],
  [{ no_mac: true }, ['cwd'], ['dropped', 'catalogue']],
  [{ category: true, populations: ['EU', 'total'] }, ['EU', 'total'], ['categories', 'catalogue']],
] as const)('columns of a table of cwd with %j', ([input, columns, details]) => {
  const { cells } = operationNamed('cwd')
  expect(columnsWith(cells?.columns, input)).toEqual(columns.map((name) => expect.stringContaining(name)))
  expect(columnsWith(cells?.detailColumns, input)).toEqual(details)
})

test('each column of a table has a name of its own', () => {
  const tables = OPERATIONS.flatMap(({ name, table }) =>
    typeof table?.columns === 'object' ? [[name, table.columns] as const] : [],
  )
  expect(tables.length).toBeGreaterThan(2)
  for (const [name, columns] of tables)
    expect([name, ...new Set(columns.filter((column) => column !== ''))]).toEqual([name, ...columns])
})

test('a refusal does not repeat a list of any length', () => {
  const gl_string = Array.from({ length: 100 }, (_, at) => `A*01:${at + 10}`).join('/')
  expect(() => small.execute('mac', { gl_string, hats: true })).toThrow(
    `${gl_string.slice(0, 60)} is not a MAC; names that share HATS antigens can only be listed for a MAC`,
  )
})

test('an explanation shows the first twelve readings, and says how many more there are', () => {
  const names = [
    '01:01',
    '01:02',
    '01:03',
    '01:22n',
    '02:01',
    '02:03',
    '02:10',
    '02:16',
    '02:17',
    '03:01',
    '23:01',
  ]
  const gl_string = [...names, '24:02', '24:03', '25:01'].map((name) => `a*${name}`).join('/')
  const { steps } = small.execute('explain', { gl_string, accept: ['case'] }) as {
    readonly steps: readonly { readonly title: string; readonly text: string }[]
  }
  expect(steps.filter(({ title }) => title === 'read as')).toHaveLength(12)
  expect(steps.find(({ title }) => title === 'more')?.text).toBe('2 further readings, listed in the notes')
})

describe('a table of verdicts with further columns', () => {
  const { warned } = operationNamed('validate').cells ?? {}
  const warning = { level: 'warning', code: 'three-copies', message: 'A has three copies' } as const
  test.for([
    [{}, ['valid', '', '', ''], ['valid', 'three-copies', 'A has three copies', '']],
    [
      { accession: true, nulls: true },
      ['valid', 'HLA00001', 'A*43:02N', '', '', ''],
      ['valid', 'HLA00001', 'A*43:02N', 'three-copies', 'A has three copies', ''],
    ],
    // a reason for another verdict stays
    [
      { nulls: true },
      ['unlisted', 'A*43:02N', 'unlisted-fields', 'not listed', 'A*43:02N'],
      ['unlisted', 'A*43:02N', 'unlisted-fields', 'not listed', 'A*43:02N'],
    ],
  ] as const)('with %j', ([input, cells, expected]) => {
    expect(warned?.(cells, warning, input as never)).toEqual(expected)
  })
})

describe('count', () => {
  const count = (input: object) =>
    small.execute('count', input) as {
      readonly persons: number
      readonly counts: readonly { readonly locus: string; readonly kind: string; readonly name: string; readonly typings: number; readonly persons: number }[] // prettier-ignore
      readonly problems?: readonly { readonly code: string }[]
    }
  const rows = (input: object) =>
    count(input).counts.map(({ locus, kind, name, typings, persons }) =>
      [locus, kind, name, typings, persons].join(' '),
    )

  test('counts copies and persons, with the nulls that a list names beside expressed alleles', () => {
    const gl_strings = ['A*01:01+A*01:01', 'A*01:01+A*02:01', 'A*01:02/A*01:22N+A*01:04N']
    expect(rows({ gl_strings })).toEqual([
      'A name A*01:01 3 2',
      'A name A*02:01 1 1',
      'A null A*01:04N 1 1',
      'A ambiguous  1 1',
    ])
    expect(count({ gl_strings }).persons).toBe(3)
  })

  test('an expression letter is no null', () => {
    expect(rows({ gl_strings: ['A*02:01/A*02:01:01:02L+A*02:03'] })).toEqual([
      'A name A*02:01 1 1',
      'A name A*02:03 1 1',
    ])
  })

  test('a name that the release lacks is of no category', () => {
    const answer = count({ gl_strings: ['A*01:01+A*01:999'], of: 'categories' })
    expect(answer.problems?.map(({ code }) => code)).toEqual(['unknown-allele'])
  })

  test.for([
    [{ gl_strings: ['A*01:01'], by: ['x', 'y'] }, 'by has 2 entries for 1 persons'],
    [{ gl_strings: ['A*01:01'], of: 'genotypes', share: true }, 'genotypes have no shares'],
  ] as const)('refuses %j', ([input, message]) => expect(() => count(input)).toThrow(message))
})

describe('the definition of an operation', () => {
  /** All plain values in it, each with its place. */
  function* valuesIn(value: unknown, place: string): Generator<readonly [place: string, value: unknown]> {
    if (typeof value !== 'object' || value === null) return yield [place, value]
    for (const [name, member] of Object.entries(value)) yield* valuesIn(member, `${place}.${name}`)
  }

  /** All schemas of objects in it. */
  function* schemasIn(value: unknown): Generator<Property> {
    if (typeof value !== 'object' || value === null) return
    if ('properties' in value) yield value as Property
    for (const member of Object.values(value)) yield* schemasIn(member)
  }

  const placed = OPERATIONS.flatMap((operation) => [...valuesIn(operation, operation.name)])

  test('has empty texts only for typings that a client leaves out, and for what prints nothing', () => {
    expect(placed.filter(([, value]) => value === '').map(([place]) => place)).toEqual([
      'blend.http.fill.DRB3',
      'blend.http.fill.DRB4',
      'blend.http.fill.DRB5',
      'blend.examples.2.output',
      'diff.examples.5.output',
      'count.examples.2.output',
    ])
  })

  test('knows the properties that it requires and names, and allows no others', () => {
    for (const { name, subject, leading, choiceFlags, answer, input, output, http } of OPERATIONS) {
      for (const { properties = {}, required = [], additionalProperties } of schemasIn([input, output])) {
        expect(Object.keys(properties)).toEqual(expect.arrayContaining([...required]))
        expect([name, additionalProperties]).toEqual([name, false])
      }
      const named = [subject ?? [], leading ?? [], choiceFlags ?? [], http.required ?? []].flat()
      expect(Object.keys(input.properties)).toEqual(expect.arrayContaining(named))
      expect(Object.keys(output.properties)).toContain(answer)
    }
  })

  test('has numbers of these limits', () => {
    const limits = placed.filter(([place]) => /\.(?:minimum|maximum|minItems|maxItems)$/.test(place))
    const kinds = new Set(
      limits.map(([place, limit]) => `${place.split('.').slice(-2).join(' ')} ${String(limit)}`),
    )
    // a place is two numbers, and so is a range
    const pairs = ['position', 'matched', 'gvh', 'hvg'].flatMap((name) => [
      `${name} minItems 2`,
      `${name} maxItems 2`,
    ])
    const others = [
      'limit minimum 0',
      ...['homozygous', 'tce'].flatMap((name) => [`${name} minimum 1`, `${name} maximum 2`]),
    ]
    expect([...kinds].toSorted()).toEqual([...pairs, ...others].toSorted())
  })

  test('is marked as what it does', () => {
    const marks = placed.filter(([place, value]) => typeof value === 'boolean' && !place.includes('.properties.') && !place.endsWith('additionalProperties')) // prettier-ignore
    const marked = (name: string) =>
      marks
        .filter(([place, value]) => place.endsWith(`.${name}`) && value === true)
        .map(([place]) => place.split('.')[0])
    expect(
      Object.fromEntries(
        [...new Set(marks.map(([place]) => place.split('.').at(-1) ?? ''))].map((name) => [
          name,
          marked(name),
        ]),
      ),
    ).toEqual({
      areTypings: ['redux', 'cwd', 'mac', 'lift'],
      isByTyping: ['redux'],
      notesMembers: ['redux', 'validate', 'mac'],
      hasNoBadTyping: ['splits', 'similar'],
      hats: ['mac'],
      xx: ['mac'],
      isBeyondContract: ['explain', 'lift', 'diff', 'match', 'count'],
      comparesTables: ['diff'],
      matchesTables: ['match'],
      countsTables: ['count'],
      describesService: ['version'],
      isOfToday: ['version'],
    })
  })
})
