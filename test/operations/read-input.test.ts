/** External requests against the input schemas of operations. */
import { describe, expect, test } from 'vitest'
import { localExecutor, readInput, refuseUnknown } from '../../src/operations/executor.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { cellOperationNamed, operationNamed, OPERATIONS } from '../../src/operations/registry.ts'
import { readJson } from '../../src/operations/request.ts'
import type { Property } from '../../src/operations/schema.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import { errorOf } from '../support/errors.ts'
import { smallMacs, smallRelease } from '../support/small-release.ts'

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
  ['redux', 'A*01:01', 'a request is one JSON object'],
  ['redux', undefined, 'a request is one JSON object'],
  ['redux', { gl_string: ['A*01:01'] }, 'gl_string must be a text'],
  ['redux', { gl_string: 'A*01:01', options: null }, 'options must be an object'],
  ['redux', { gl_string: 'A*01:01', options: 'x' }, 'options must be an object'],
  ['redux', { gl_string: 'A*01:01', accept: 'case' }, 'accept must be a list'],
  ['redux', { gl_string: 'A*01:01', accept: { 0: 'case' } }, 'accept must be a list'],
  ['cwd', { gl_string: 'A*01:01', categories: ['C', 'X'] }, 'each of categories must be one of '],
  ['splits', { allele: 'A10', release: true }, 'release must be a release such as 3.58.0'],
] as const)('%s of %j: %s', ([name, given, message]) => {
  expect(() => readInput(operationNamed(name).input, given)).toThrow(message)
})

test('an error of a member names it', () => {
  expect(errorOf(() => readInput(operationNamed('redux').input, { gl_string: 1 }))).toMatchObject({
    code: 'bad-request',
    message: 'gl_string must be a text',
    offending: 'gl_string',
  })
  expect(errorOf(() => readInput(operationNamed('redux').input, {}))?.code).toBe('bad-request')
})

test.for([
  ['3.58.0', 'splits', undefined],
  [3580, 'splits', undefined],
  ['active', 'splits', undefined],
  [null, 'splits', undefined],
  ['3.29.0', 'splits', 'answers come from IPD-IMGT/HLA 3.58.0, you asked for 3.29.0'],
] as const)('a request for release %s', ([release, name, message]) => {
  const knowledge = makeKnowledge({ release: smallRelease() })
  const ask = () => localExecutor(knowledge).execute(name, { allele: 'A10', release })
  if (message === undefined) expect(ask()).toMatchObject({ broad: 'A10' })
  else expect(errorOf(ask)).toMatchObject({ code: 'pin', message, offending: release })
})

test('the starter set is asked for by its name, or by its release', () => {
  const executor = localExecutor(makeKnowledge(openStarter()))
  for (const release of ['starter', 'active', '3.58.0'])
    expect(executor.execute('splits', { allele: 'A*25', release })).toMatchObject({ broad: 'A*10' })
})

test('every name of a release counts, the first that is given', () => {
  const { input } = operationNamed('splits')
  for (const name of ['release', 'imgt_version', 'ipd_version', 'db_version', 'from'])
    expect(readInput(input, { allele: 'A10', [name]: '3.1.0' })).toEqual({
      input: { allele: 'A10' },
      notes: [],
      release: '3.1.0',
    })
  expect(readInput(input, { allele: 'A10', from: '3.1.0', release: '3.2.0' }).release).toBe('3.1.0')
  expect(readInput(input, { allele: 'A10', from: null, release: '3.2.0' }).release).toBe('3.2.0')
})

test('a request for another release is told what is installed there', () => {
  const knowledge = makeKnowledge({
    release: smallRelease(),
    identity: () => ({ id: '3.58.0-r2+mac.1', sha256: 'a', files: [] }),
    installed: () => ['3.64.0', '3.58.0-r2', '3.29.0'],
  })
  const ask = (release: string) => () =>
    localExecutor(knowledge).execute('splits', { allele: 'A10', release })
  expect(errorOf(ask('3.1.0'))).toMatchObject({
    code: 'pin',
    message: 'answers come from IPD-IMGT/HLA 3.58.0-r2, you asked for 3.1.0',
    hint: 'installed there, too: 3.64.0, 3.29.0',
  })
  for (const release of ['3.58.0', '3580', '3.58.0-r2'])
    expect(ask(release)()).toMatchObject({ broad: 'A10' })
})

test('options of a caller are known, or refused', () => {
  const { input } = operationNamed('splits')
  expect(() => refuseUnknown(input, { allele: 'A10', associated: true })).not.toThrow()
  expect(errorOf(() => refuseUnknown(input, { allele: 'A10', x: 1, y: 2 }))).toMatchObject({
    code: 'bad-request',
    message: 'unknown property "x", "y"; properties are allele, associated',
  })
  expect(errorOf(() => refuseUnknown(operationNamed('version').input, { x: 1 }))?.message).toBe(
    'unknown property "x"; properties are none',
  )
})

test('notes on the request stand before those of the answer', () => {
  const executor = localExecutor(makeKnowledge({ release: smallRelease(), mac: smallMacs() }))
  const answer = executor.execute('splits', { allele: 'A9', other: 1 })
  expect(answer).toMatchObject({ notes: [{ code: 'ignored-property' }, { code: 'associated' }] })
  expect(executor.execute('splits', { allele: 'A10', other: 1 })).toMatchObject({
    notes: [{ code: 'ignored-property' }],
  })
  expect(executor.execute('splits', { allele: 'A10' })).not.toHaveProperty('notes')
  expect(executor.withoutAdvice).toBeUndefined()
})

test('operations that there are not, or that convert no table', () => {
  const all =
    'redux, ard, cwd, validate, mac, splits, similar, blend, explain, lift, diff, match, count, version'
  expect(errorOf(() => operationNamed('reduce'))).toMatchObject({
    code: 'bad-request',
    message: `unknown operation "reduce"; operations are ${all}`,
    offending: 'reduce',
  })
  expect(cellOperationNamed('redux').name).toBe('redux')
  expect(errorOf(() => cellOperationNamed('diff'))).toMatchObject({
    code: 'bad-request',
    message: 'diff does not convert tables; operations that do are redux, cwd, validate, mac, lift',
    offending: 'diff',
  })
})

/** Every property of a schema, and of what is in it, with its path. */
function propertiesOf(schema: Property, path: string): [path: string, property: Property][] {
  const inner = [
    ...Object.entries(schema.properties ?? {}),
    ...(schema.items === undefined ? [] : [['each', schema.items] as const]),
    ...(typeof schema.additionalProperties === 'object'
      ? [['other', schema.additionalProperties] as const]
      : []),
  ]
  return [[path, schema], ...inner.flatMap(([name, one]) => propertiesOf(one, `${path}.${name}`))]
}

test.for(OPERATIONS.map((operation) => [operation.name, operation] as const))(
  '%s is described in words, and by names that there are',
  ([name, operation]) => {
    const { input, output, summary, http, examples } = operation
    const all = [...propertiesOf(input, `${name} input`), ...propertiesOf(output, `${name} output`)]
    for (const [
      path,
      { description, enum: choices = [], required = [], properties = {}, type, items },
    ] of all) {
      if (description !== undefined) expect([path, description]).toEqual([path, expect.stringMatching(/^\S[^\n]{4,}\S$/)]) // prettier-ignore
      for (const word of [...choices, ...Object.keys(properties)])
        expect([path, word]).toEqual([path, expect.stringMatching(/^\S+$/)])
      expect([path, required.filter((one) => !Object.hasOwn(properties, one))]).toEqual([path, []])
      if (type === 'array') expect([path, items?.type]).toEqual([path, expect.any(String)])
    }
    for (const asked of [
      ...(operation.subject === undefined ? [] : [operation.subject]),
      ...(operation.leading ?? []),
      ...(operation.choiceFlags ?? []),
    ])
      expect(Object.keys(input.properties)).toContain(asked)
    expect(Object.keys(output.properties)).toContain(operation.answer)
    expect(summary).toMatch(/^[A-Z][^\n]+[^.\s]$/)
    for (const route of [http, ...(http.also ?? [])]) {
      expect(route.summary).toMatch(/^[A-Z][^\n]+[^.\s]$/)
      expect([route.method, route.path]).toEqual([expect.stringMatching(/^(?:GET|POST)$/), expect.stringMatching(/^\/[a-z]/)]) // prettier-ignore
    }
    expect(examples.length).toBeGreaterThan(0)
    for (const { command } of examples) expect(command).toContain(`hla ${name}`)
  },
)

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
