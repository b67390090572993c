/** External requests against the input schemas of operations. */
import { describe, expect, test } from 'vitest'
import { readInput } from '../../src/operations/executor.ts'
import { operationNamed, OPERATIONS } from '../../src/operations/registry.ts'
import { readJson } from '../../src/operations/request.ts'

test.for([
  ['redux', null, 'a request is one JSON object'],
  ['redux', ['A*01:01'], 'a request is one JSON object'],
  ['redux', {}, 'gl_string is missing'],
  ['redux', { gl_string: 1 }, 'gl_string must be a text'],
  ['redux', { gl_string: null }, 'gl_string must be a text'],
  ['redux', { gl_string: 'A*01:01', lift: 'yes' }, 'lift must be true or false'],
  ['redux', { gl_string: 'A*01:01', accept: [1] }, 'each of accept must be a text'],
  ['redux', { gl_string: 'A*01:01', options: [] }, 'options must be an object'],
  ['validate', { gl_string: 'A*01:01', level: 'foo' }, 'level must be one of '],
  ['redux', { gl_string: 'A*01:01', reduction_method: 'L' }, 'unknown method "L"'],
  ['similar', { prefix: 'A*01:01', limit: 1.5 }, 'limit must be a whole number'],
  ['similar', { prefix: 'A*01:01', limit: '1' }, 'limit must be a whole number'],
  ['similar', { prefix: 'A*01:01', limit: -1 }, 'limit must be 0 or more'],
  ['match', { patient: 'A*01:01', donor: 'A*01:01', tce: 3 }, 'tce must be 2 or less'],
] as const)('%s of %j: %s', ([name, given, message]) => {
  expect(() => readInput(operationNamed(name).input, given)).toThrow(message)
})

test('what is right is taken as it is', () => {
  const given = { gl_string: 'A*01:01', reduction_method: 'G', options: { ping: false }, accept: ['case'] }
  expect(readInput(operationNamed('redux').input, given)).toEqual({ input: given, notes: [] })
})

test.for([0, 5])('a limit of %i is taken', (limit) => {
  const given = { prefix: 'A*01:01', limit }
  expect(readInput(operationNamed('similar').input, given)).toEqual({ input: given, notes: [] })
})

test('no more than five members are named, none longer than sixty characters', () => {
  const others = ['b', 'c', 'd', 'e', 'f', 'g'].map((name) => [name, 1])
  const given = { allele: 'A10', ['x'.repeat(100)]: 1, ...Object.fromEntries(others) }
  const [note] = readInput(operationNamed('splits').input, given).notes
  expect(note?.message).toBe(
    `ignored: "${'x'.repeat(60)}", "b", "c", "d", "e" and 2 more; properties are allele, associated`,
  )
})

test('a method has one name, however it is written', () => {
  const { input } = operationNamed('redux')
  const method = (reduction_method: string) =>
    readInput(input, { gl_string: '', reduction_method }).input['reduction_method']
  expect(['LGX', 'who', 'ard', '1f', 'Serology'].map(method)).toEqual(['lgx', 'W', 'lgx', '1F', 'S'])
})

test('other members are left out, and said', () => {
  const { input } = operationNamed('splits')
  const given = JSON.parse('{"allele":"A10","strict":false,"__proto__":{"x":1}}') as unknown
  expect(readInput(input, given)).toEqual({
    input: { allele: 'A10' },
    notes: [
      {
        level: 'warning',
        code: 'ignored-property',
        message: 'ignored: "strict", "__proto__"; properties are allele, associated',
      },
    ],
  })
  // TypeScript programs may pass undefined
  expect(readInput(input, { allele: 'A10', from: undefined }).notes).toHaveLength(1)
  expect(readInput(operationNamed('redux').input, { gl_string: '', from: undefined })).toEqual({
    input: { gl_string: '' },
    notes: [],
  })
})

test.for(OPERATIONS.map((operation) => [operation.name, operation] as const))(
  '%s has no other members than those that are described, in questions and answers',
  ([, { input, output }]) => {
    expect([input.additionalProperties, output.additionalProperties]).toEqual([false, false])
    const needed = Object.fromEntries(
      (input.required ?? []).map((name) => [name, sample(input.properties[name]?.type)]),
    )
    const { input: read, notes } = readInput(input, { ...needed, unheard_of: 1 })
    expect([Object.keys(read), notes.map(({ code }) => code)]).toEqual([
      Object.keys(needed),
      ['ignored-property'],
    ])
  },
)

function sample(type: unknown): unknown {
  return type === 'array'
    ? []
    : type === 'object'
      ? {}
      : type === 'boolean'
        ? true
        : type === 'integer'
          ? 1
          : 'A*01:01'
}

describe('JSON', () => {
  const nested = (depth: number, inner = '') => `${'[{"a":'.repeat(depth)}[${inner}]${'}]'.repeat(depth)}`
  const long = JSON.stringify('x'.repeat(10_000))
  test.for([
    ['of a long flat list', `[${Array.from({ length: 1500 }, () => '{"a":[]}').join()}]`],
    ['of brackets in a long text', JSON.stringify('[{'.repeat(10_000))],
    ['of brackets behind a quotation mark in a text', JSON.stringify(`"${'[{'.repeat(10_000)}`)],
    ['of brackets behind a backslash', JSON.stringify(['\\', '[{'.repeat(10_000)])],
    ['that is nested, and short', nested(100)],
    ['that is long, and nested as deeply as may be', nested(15, `[${long}]`)],
    ['that ends in a long text', nested(15, `${long},"\\"[","[[["`)],
  ] as const)('%s is read', ([, text]) => expect(readJson(text)).toEqual(JSON.parse(text)))

  test.for([
    ['of the deepest lists', nested(100_000)],
    ['nested a little too deeply', nested(16, long)],
    ['nested behind a text', `["\\\\","\\"",${nested(17, long)}]`],
  ] as const)('%s is refused before it is read', ([, text]) => {
    expect(() => readJson(text)).toThrow('it is nested too deeply')
  })
})
