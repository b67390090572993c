/** Inputs that operations refuse, with the message in whole, and answers of services that leave members out; with the starter set. */
import { describe, expect, test } from 'vitest'
import { type HlaError, isHlaError } from '../../src/errors.ts'
import { cellVerdict, verdictError, verdictWord } from '../../src/operations/answers/verdict.ts'
import { readErrorRecord } from '../../src/operations/error-record.ts'
import { localExecutor } from '../../src/operations/executor.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { cellOperationNamed, operationNamed } from '../../src/operations/registry.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import { countOperation } from '../../src/operations/questions/count.ts'
import { matchOperation } from '../../src/operations/questions/match.ts'
import { versionOperation } from '../../src/operations/questions/version.ts'

const executor = localExecutor(makeKnowledge(openStarter()))

function refusalOf(run: () => unknown): HlaError {
  try {
    run()
  } catch (error) {
    if (isHlaError(error)) return error
    throw error
  }
  throw new Error('nothing is refused')
}

describe('an input', () => {
  const gl_string = 'A*01:01'
  const one = { patient: gl_string, donor: gl_string }
  const possible = Array.from({ length: 5 }, (_, at) => `A*01:0${at + 1}?B*07:02`).join('|')

  test.for<[operation: string, input: object, message: string, offending: string | undefined]>([
    ['redux', {}, 'gl_string is missing', undefined],
    ['redux', { gl_string: 5 }, 'gl_string must be a text', 'gl_string'],
    ['redux', { gl_string: [] }, 'gl_string must be a text', 'gl_string'],
    ['redux', { gl_string: null }, 'gl_string must be a text', 'gl_string'],
    ['redux', { gl_string, release: true }, 'release must be a release such as 3.58.0', 'release'],
    ['redux', { gl_string, options: 1 }, 'options must be an object', 'options'],
    ['redux', { gl_string, lift: 1 }, 'lift must be true or false', 'lift'],
    ['similar', { prefix: 'A*01', limit: -1 }, 'limit must be 0 or more', 'limit'],
    ['similar', { prefix: 'A*01', limit: 0.5 }, 'limit must be a whole number', 'limit'],
    ['match', { ...one, homozygous: 0 }, 'homozygous must be 1 or more', 'homozygous'],
    ['match', { ...one, homozygous: 3 }, 'homozygous must be 2 or less', 'homozygous'],
    ['match', { ...one, tce: 3 }, 'tce must be 2 or less', 'tce'],
    ['match', { ...one, nulls: 'drop' }, 'nulls must be one of leave-out, count', 'nulls'],
    ['match', { ...one, antigen: 'A' }, 'antigen must be a list', 'antigen'],
    ['match', { ...one, antigen: ['A', 1] }, 'each of antigen must be a text', 'each of antigen'],
    ['count', { gl_strings: gl_string }, 'gl_strings must be a list', 'gl_strings'],
    [
      'count',
      { gl_strings: [gl_string], of: 'genotypes', share: true },
      'genotypes have no shares: count alleles or categories',
      undefined,
    ],
    ['count', { gl_strings: [gl_string], by: ['a', 'b'] }, 'by has 2 entries for 1 persons', undefined],
  ])('of %s, %j, is refused', ([operation, input, message, offending]) => {
    const error = refusalOf(() => executor.execute(operation, input))
    expect([error.code, error.message, error.offending]).toEqual(['bad-request', message, offending])
  })

  test.for<[operation: string, input: object]>([
    ['match', { ...one, homozygous: 1 }],
    ['match', { ...one, homozygous: 2 }],
    ['count', { gl_strings: [gl_string], of: 'alleles', share: true }],
    ['count', { gl_strings: [gl_string], of: 'genotypes' }],
    ['count', { gl_strings: [gl_string, gl_string], by: ['a', 'b'] }],
    ['redux', { gl_string, release: 'active' }],
    ['redux', { gl_string, release: 'starter' }],
    ['redux', { gl_string, release: '3580' }],
    ['redux', { gl_string, release: 3580 }],
    ['redux', { gl_string, release: null }],
  ])('of %s, %j, is read', ([operation, input]) => {
    expect(executor.execute(operation, input)).not.toHaveProperty('notes.0.code', 'ignored-property')
  })

  test.for([
    [['3.59.0', '3.58.0', '3.57.0'], 'installed there, too: 3.59.0, 3.57.0'],
    [['3.58.0'], undefined],
  ] as const)('for another release is refused, with %j installed', ([installed, hint]) => {
    const own = localExecutor(makeKnowledge({ ...openStarter(), installed: () => installed }))
    const error = refusalOf(() => own.execute('redux', { gl_string, release: '3.57.0' }))
    expect([error.code, error.message, error.hint, error.offending]).toEqual([
      'pin',
      'answers come from IPD-IMGT/HLA 3.58.0, you asked for 3.57.0',
      hint,
      '3.57.0',
    ])
  })

  test.for([
    [5, ''],
    [6, ' and 1 more'],
    [7, ' and 2 more'],
  ] as const)('with %d unknown properties says which are ignored', ([count, more]) => {
    const others = Array.from({ length: count }, (_, at) => [`x${at + 1}`.padEnd(at === 0 ? 61 : 2, 'y'), 1])
    const { notes } = executor.execute('version', Object.fromEntries(others)) as { notes: unknown[] }
    const named = `"x1${'y'.repeat(58)}", "x2", "x3", "x4", "x5"`
    expect(notes[0]).toEqual({
      level: 'warning',
      code: 'ignored-property',
      message: `ignored: ${named}${more}; properties are none`,
    })
  })

  test.for([
    ['A*01:01?B*07:02', 'A*01:01?B*07:02: possible genes (?) cannot be compared'],
    [possible, `${possible.slice(0, 60)}: possible genes (?) cannot be compared`],
    [
      'A*01:01+A*02:01|B*07:02',
      'A*01:01+A*02:01|B*07:02: a list of genotypes of several loci cannot be compared',
    ],
  ] as const)('%s is no person to compare', ([patient, message]) => {
    const error = refusalOf(() => executor.execute('match', { patient, donor: gl_string }))
    expect([error.code, error.message]).toEqual(['bad-syntax', message])
    expect(patient.startsWith(error.offending ?? '-')).toBe(true)
  })
})

test('counts have a column for populations and one for shares, where they are asked for', () => {
  const gl_strings = ['A*01:01+A*02:01', 'A*01:01?B*07:02']
  const counted = (more: object) =>
    executor.execute('count', { gl_strings, ...more }) as ReturnType<typeof countOperation.run>
  const plain = counted({ gl_strings: gl_strings.slice(0, 1) })
  expect(countOperation.toText(plain)).toBe('A\tname\tA*01:01\t1\t1\nA\tname\tA*02:01\t1\t1')
  expect(countOperation.isNegative?.(plain)).toBe(false)
  const both = counted({ by: ['a', 'b'], share: true })
  expect(countOperation.toText(both).split('\n').slice(0, 2)).toEqual([
    'a\tA\tname\tA*01:01\t1\t1\t1',
    'a\tA\tname\tA*02:01\t1\t1\t1',
  ])
  expect(countOperation.isNegative?.(both)).toBe(true)
  expect(both.problems).toEqual([
    {
      code: 'bad-syntax',
      message: 'A*01:01?B*07:02: possible genes (?) cannot be compared',
      offending: 'A*01:01?B*07:02',
      position: [0, 0],
      suggestions: [],
    },
  ])
})

test.for([
  ['A*01:01+A*02:01^B*07:02+B*08:01', false],
  // a locus that cannot be read, before and behind one that can
  ['A*01:01+A*99:99^B*07:02+B*08:01', true],
  ['A*01:01+A*02:01^B*07:02+B*99:99', true],
  ['A*01:01+A*99:99^B*07:02+B*99:99', true],
] as const)('a match with %s has an answer that is negative: %s', ([donor, isNegative]) => {
  const patient = 'A*01:01+A*02:01^B*07:02+B*08:01'
  const answer = executor.execute('match', { patient, donor })
  expect(matchOperation.isNegative?.(answer as never)).toBe(isNegative)
})

test('a match of eight is said where no pair is typed for DQB1, unless it was asked for', () => {
  const loci = ['A*01:01+A*02:01', 'B*07:02+B*08:01', 'C*07:01+C*07:02', 'DRB1*15:01+DRB1*03:01']
  const text = loci.join('^')
  const notesOf = (more: object) =>
    (executor.execute('match', { patient: text, donor: text, ...more }) as { notes?: unknown[] }).notes
  expect(notesOf({})).toEqual([
    {
      level: 'note',
      code: 'count',
      message: 'no pair is typed for DQB1: the total counts A, B, C and DRB1 (8/8)',
    },
  ])
  for (const count of ['8/8', '10/10']) expect(notesOf({ count })).toEqual([])
})

test('an operation that there is not, or not for tables, is refused with those that are', () => {
  const unknown = refusalOf(() => operationNamed('reduce'))
  expect([unknown.code, unknown.message, unknown.offending]).toEqual([
    'bad-request',
    'unknown operation "reduce"; operations are redux, ard, cwd, validate, mac, splits, similar, blend, explain, lift, diff, match, count, version',
    'reduce',
  ])
  const other = refusalOf(() => cellOperationNamed('count'))
  expect([other.code, other.message, other.offending]).toEqual([
    'bad-request',
    'count does not convert tables; operations that do are redux, cwd, validate, mac, lift',
    'count',
  ])
  expect(cellOperationNamed('mac').name).toBe('mac')
})

test('the catalogues that are installed have a line each in the version', () => {
  const sha256 = '0123456789abcdef'.repeat(4)
  const own = makeKnowledge({ ...openStarter(), catalogues: () => [{ name: 'ciwd3', sha256 }] })
  const lines = versionOperation.toText(versionOperation.run({}, own)).split('\n')
  expect(lines.at(-1)).toBe('catalogue ciwd3 sha256:0123456789ab')
})

describe('an answer of a service that tells little', () => {
  const answer = { gl_string: 'A*99:99', valid: false, malformed: false }

  test.for<[more: object, word: string]>([
    [{ valid: true }, 'valid'],
    [{ valid: true, unlisted: false }, 'valid'],
    [{ valid: true, unlisted: true }, 'unlisted'],
    [{ malformed: true }, 'malformed'],
    [{}, 'unknown'],
    [{ verdict: 'deleted', malformed: true }, 'deleted'],
  ])('%j is %s', ([more, word]) => {
    expect(verdictWord({ ...answer, ...more })).toBe(word)
    expect(cellVerdict({ ...answer, ...more })).toMatchObject({ kind: word, results: [word, '', '', ''] })
  })

  test.for([
    [true, 'bad-syntax'],
    [false, 'unknown-allele'],
  ] as const)('without problems is an error of its own, malformed: %s', ([malformed, code]) => {
    const error = verdictError({ ...answer, malformed, cause: 'the cause' })
    expect([error.code, error.message, error.offending]).toEqual([code, 'the cause', 'A*99:99'])
    expect(verdictError({ ...answer, malformed }).message).toBe('')
  })

  test('with problems is the error of those that decide', () => {
    const problem = (code: string, message: string) => ({
      code,
      message,
      offending: message,
      position: [0, 1],
      suggestions: [`${message}!`],
    })
    const problems = [
      problem('bad-syntax', 'a'),
      problem('unknown-allele', 'b'),
      problem('deleted-allele', 'c'),
    ]
    const malformed = verdictError({ ...answer, malformed: true, problems })
    expect([malformed.code, malformed.message, malformed.suggestions]).toEqual(['bad-syntax', 'a', ['a!']])
    const unknown = verdictError({ ...answer, problems: [...problems, problem('unknown-allele', 'b')] })
    expect([unknown.code, unknown.message, unknown.offending]).toEqual(['unknown-allele', 'b; c', 'b'])
  })

  test.for([
    [{ message: 5 }, 'the service gives no reason'],
    [{}, 'the service gives no reason'],
    [{ message: 'a reason' }, 'a reason'],
  ] as const)('an error %j has a message', ([record, message]) => {
    const error = readErrorRecord({ ...record, code: 'made-up', position: [1], offending: 1 }, 'no-mac')
    expect([error.code, error.message, error.position, error.offending, error.suggestions]).toEqual([
      'no-mac',
      message,
      undefined,
      undefined,
      [],
    ])
  })
})
