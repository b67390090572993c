/** Facts of a service's data for tables and their records of origin: from a service of ours, and from one of the contract alone. */
import { expect, test } from 'vitest'
import { HlaError } from '../../src/errors.ts'
import type { Executor } from '../../src/operations/executor.ts'
import { remoteAnswering } from '../../src/remote/remote-answering.ts'
import { readVersion } from '../../src/remote/served-version.ts'

const url = 'https://ard.example.org'

/** The service with this version, and these answers; `asked` has the questions of each request. */
function answering(
  version: object,
  answer: (operation: string, input: Readonly<Record<string, unknown>>) => unknown = () => version,
  dataId?: string,
) {
  const served = readVersion(url, {
    status: 200,
    text: JSON.stringify({ ipd_version: 3580, ...version }),
    dataId,
    retryAfter: undefined,
  })
  const asked: unknown[][] = []
  const executor: Executor = {
    execute: () => expect.unreachable('every question is asked ahead'),
    ahead: (questions) => {
      asked.push(questions.map(({ operation, input }) => [operation, input]))
      const ready = (operation: string, input: unknown) => answer(operation, input as Record<string, unknown>)
      return Promise.resolve({ execute: ready })
    },
  }
  return { asked, served, ...remoteAnswering({ executor, served, close: () => Promise.resolve() }, { url }) }
}

test('a service of ours has all facts of its data', async () => {
  const files = [{ name: 'wmda/hla_nom.txt', sha256: 'f' }]
  const version = {
    release: '3.58.0',
    mac_date: '2024-01-31',
    mac_codes: 7,
    files,
    changed: ['wmda/hla_nom.txt'],
    warnings: ['a warning'],
    antigens: 'before 2026',
  }
  const { asked, dataId, dataFacts } = answering(version, undefined, '3.58.0+mac.1 sha256:abc')
  expect(dataId).toBe('3.58.0+mac.1 sha256:abc')
  expect(await dataFacts()).toEqual({
    release: '3.58.0',
    dataset: 'full',
    identity: {
      id: '3.58.0+mac.1',
      sha256: 'abc',
      files,
      changed: ['wmda/hla_nom.txt'],
      warnings: ['a warning'],
      antigensBefore2026: true,
    },
    mac: { date: '2024-01-31', codes: 7 },
  })
  expect(asked).toEqual([[['version', {}]]])
})

test.for([{}, { mac_date: '' }])('a service of the contract, with %j, has few', async (version) => {
  const { dataId, dataFacts } = answering(version)
  expect(dataId).toBe('3.58.0 of https://ard.example.org')
  expect(await dataFacts()).toEqual({
    release: '3.58.0',
    dataset: 'full',
    identity: {
      id: undefined,
      sha256: undefined,
      files: [],
      changed: [],
      warnings: [],
      antigensBefore2026: false,
    },
    mac: undefined,
  })
})

test('the starter set has no data id, and codes without a number', async () => {
  const { dataFacts } = answering({ dataset: 'starter', mac_date: '2020-07-11' }, undefined, 'x sha256:y')
  expect(await dataFacts()).toMatchObject({
    dataset: 'starter',
    identity: { id: undefined, sha256: undefined },
    mac: { date: '2020-07-11', codes: 0 },
  })
})

test.for<[version: object, release: string | undefined, loci: readonly string[] | undefined]>([
  [{ ipd_version: '3580' }, '3.58.0', undefined],
  [{ ipd_version: 'Latest' }, 'Latest', undefined],
  [{ ipd_version: 'v3580' }, 'v3580', undefined],
  [{ ipd_version: '3580 beta' }, '3580 beta', undefined],
  [{ ipd_version: '' }, '', undefined],
  [{ release: '3.59.0', loci: ['A', 1], allele_count: '5', batch: 1 }, '3.59.0', ['A', '1']],
])('the version %j', ([version, label, loci]) => {
  const { served } = answering(version)
  expect([served.label, served.loci, served.hasBatch]).toEqual([label, loci, false])
  expect(served.alleleCount).toBe('allele_count' in version ? 5 : 0)
})

test('names are asked together, once, before they are settled', async () => {
  const { asked, facts } = answering({}, (operation, { gl_string }) => {
    expect(facts.title).toBe('IPD-IMGT/HLA 3.58.0')
    expect(operation).toBe('validate')
    if (gl_string === 'A*03:01') return {}
    if (gl_string === 'A*99:99') throw new HlaError('bad-syntax', 'no such name')
    if (gl_string === 'A*98:98') throw new HlaError('starter', 'not in the starter set')
    return { valid: gl_string === 'A*01:01' }
  })
  const names = ['A*01:01', 'A*02:01', 'A*03:01', 'A*99:99']
  expect(names.map((name) => facts.isListed(name))).toEqual([true, true, true, true])
  expect(facts.isAntigen('A*02:01')).toBe(true)
  expect(await facts.settle!()).toBe(true)
  expect(asked).toEqual([names.map((gl_string) => ['validate', { gl_string }])])
  expect(names.map((name) => facts.isListed(name))).toEqual([true, false, true, false])
  expect(await facts.settle!()).toBe(false)
  expect(asked).toHaveLength(1)
  expect(facts.isFirstField('A*01')).toBe(true)
  facts.isListed('A*98:98')
  await expect(facts.settle!()).rejects.toMatchObject({ code: 'starter' })
  expect(asked[1]).toEqual([
    ['validate', { gl_string: 'A*01:XX' }],
    ['validate', { gl_string: 'A*98:98' }],
  ])
})

test('digits are read as a name only where the service knows it', async () => {
  const { asked, facts } = answering({}, (_, { gl_string }) => ({ valid: gl_string === 'A*0101' }))
  const names = ['A*0101', 'A*9999', 'A*01AB']
  const read = () => names.map((name) => facts.respell(name))
  expect(read()).toEqual(['A*01:01', 'A*99:99', 'A*01:AB'])
  expect(await facts.settle!()).toBe(true)
  expect(asked).toEqual([['A*0101', 'A*9999'].map((gl_string) => ['validate', { gl_string }])])
  expect(read()).toEqual(['A*01:01', 'A*9999', 'A*01:AB'])
})

test('the starter set says nothing of names that it lacks', async () => {
  const { asked, facts } = answering({ dataset: 'starter' })
  expect(facts.title).toBe('the built-in starter set of 3.58.0')
  expect(facts.isListed('A*99:99')).toBe(true)
  expect(await facts.settle!()).toBe(false)
  expect(asked).toEqual([])
})

test('names of another release are asked by diff', async () => {
  const { asked, factsOf } = answering({}, (_, { gl_string }) => {
    if (gl_string === 'A*99:99') throw new HlaError('unknown-allele', 'no such name')
    if (gl_string === 'A*98:98') throw new HlaError('remote', 'gone')
    return { gl_string }
  })
  const facts = factsOf('3290')
  expect([facts.label, facts.title]).toEqual(['3.29.0', 'IPD-IMGT/HLA 3.29.0'])
  for (const name of ['A*01:01', 'A*99:99']) facts.isListed(name)
  expect(await facts.settle!()).toBe(true)
  expect(['A*01:01', 'A*99:99'].map((name) => facts.isListed(name))).toEqual([true, false])
  const question = { from_release: '3290', to_release: '3290', reduction_method: 'U2' }
  expect(asked).toEqual([['A*01:01', 'A*99:99'].map((gl_string) => ['diff', { ...question, gl_string }])])
  facts.isListed('A*98:98')
  await expect(facts.settle!()).rejects.toMatchObject({ code: 'remote' })
})
