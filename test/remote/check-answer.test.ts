/** What a service says of itself, and which of its answers belong to the question. */
import { describe, expect, test } from 'vitest'
import { METHOD_NAMES } from '../../src/engine/reduce/methods.ts'
import { operationNamed } from '../../src/operations/registry.ts'
import { checkAnswer, checkError, requireName, unfitAnswer } from '../../src/remote/check-answer.ts'
import { checkPin, methodsServed, readVersion, type ServedVersion } from '../../src/remote/served-version.ts'
import type { RemoteReply } from '../../src/remote/transport.ts'
import { errorOf } from '../support/errors.ts'

const URL = 'https://ard.example.org'

function versionOf(body: unknown, more: Partial<RemoteReply> = {}): ServedVersion {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return readVersion(URL, { status: 200, text, dataId: undefined, retryAfter: undefined, ...more })
}

describe('the version of a service', () => {
  test('that says little', () => {
    const basic = {
      label: '3.58.0',
      ipdVersion: '3580',
      isStarter: false,
      dataId: undefined,
      alleleCount: 0,
      operations: undefined,
      hasBatch: false,
      loci: undefined,
    }
    expect(versionOf({ ipd_version: 3580 })).toEqual(basic)
    expect(versionOf({ ipd_version: '3580' })).toEqual(basic)
    // py-ard of the newest release
    const latest = { ...basic, label: 'Latest', ipdVersion: 'Latest' }
    expect(versionOf({ ipd_version: 'Latest' })).toEqual(latest)
    for (const name of ['v3580', '3580x'])
      expect(versionOf({ ipd_version: name })).toEqual({ ...latest, label: name, ipdVersion: name })
    expect(versionOf({ ipd_version: '' })).toEqual({ ...latest, label: '', ipdVersion: '' })
  })

  test('that says everything', () => {
    const said = { ipd_version: 3580, release: '3.58.0-r2', operations: ['redux', 'mac'], batch: true, dataset: 'starter', allele_count: 1058, loci: ['A', 'B'] } // prettier-ignore
    expect(versionOf(said, { dataId: '3.58.0-r2+mac.1 sha256:a' })).toEqual({
      label: '3.58.0-r2',
      ipdVersion: '3580',
      isStarter: true,
      dataId: '3.58.0-r2+mac.1 sha256:a',
      alleleCount: 1058,
      operations: ['redux', 'mac'],
      hasBatch: true,
      loci: ['A', 'B'],
    })
    const others = versionOf({ ipd_version: 3580, release: 3, batch: 'true', operations: 'redux' })
    expect(others).toMatchObject({ label: '3.58.0', hasBatch: false, operations: undefined })
  })

  test.for([
    [404, '{"ipd_version":3580}', 'is 404'],
    [500, 'failed', 'is 500'],
    [200, '{}', 'has no version of IPD-IMGT/HLA'],
    [200, '[]', 'has no version of IPD-IMGT/HLA'],
    [200, 'null', 'has no version of IPD-IMGT/HLA'],
    [200, '<html>', 'has no version of IPD-IMGT/HLA'],
  ] as const)('status %i, %s: it is no such service', ([status, text, reason]) => {
    expect(errorOf(() => versionOf(text, { status }))).toMatchObject({
      code: 'remote',
      message: `${URL} is not an HLA reduction service: its answer to GET /version ${reason}`,
    })
  })

  test('methods: those of the contract, or of the release', () => {
    const served = versionOf({ ipd_version: 3580 })
    expect(methodsServed(served)).toEqual(['G', 'P', 'lg', 'lgx', 'W', 'exon', 'U2', 'S'])
    const own = { ...served, operations: [] }
    const older = METHOD_NAMES.filter((method) => method !== 'hats')
    expect(methodsServed(own)).toEqual(older)
    expect(methodsServed({ ...own, label: '3.64.0' })).toEqual(METHOD_NAMES)
    expect(methodsServed({ ...own, label: '3.64.0', isStarter: true })).toEqual(older)
  })

  const full = versionOf({ ipd_version: 3580 })
  const starter: ServedVersion = { ...full, isStarter: true }
  const copy: ServedVersion = { ...full, dataId: '3.58.0-r2+mac.1 sha256:a' }

  test.for([
    ['active', full],
    ['active', starter],
    ['starter', starter],
    ['3.58.0', full],
    ['3580', full],
    ['3.58.0', copy],
    ['3.58.0-r2', copy],
  ] as const)('the release %s is there', ([release, served]) => {
    expect(() => checkPin(URL, release, served)).not.toThrow()
  })

  test.for([
    ['3.29.0', full, 'IPD-IMGT/HLA 3.58.0, you asked for 3.29.0'],
    ['starter', full, 'IPD-IMGT/HLA 3.58.0, you asked for the starter set'],
    ['3.58.0', starter, 'the built-in starter set of 3.58.0, you asked for 3.58.0'],
    ['3.58.0-r2', full, 'IPD-IMGT/HLA 3.58.0, you asked for 3.58.0-r2'],
    ['3.58.0-r3', copy, 'IPD-IMGT/HLA 3.58.0-r2, you asked for 3.58.0-r3'],
    ['3.29.0', copy, 'IPD-IMGT/HLA 3.58.0-r2, you asked for 3.29.0'],
  ] as const)('the release %s is not there', ([release, served, what]) => {
    expect(errorOf(() => checkPin(URL, release, served))).toMatchObject({
      code: 'pin',
      message: `${URL} serves ${what}`,
    })
  })
})

describe('an answer', () => {
  const service = { url: URL, ipdVersion: '3580' }
  const check = (name: string, input: object, answer: object) =>
    checkAnswer(service, operationNamed(name), { ...input }, { ...answer })
  const refusal = (name: string, input: object, answer: object) => {
    const error = errorOf(() => check(name, input, answer))
    expect(error).toMatchObject({
      code: 'remote',
      hint: 'the service, or a proxy in front of it, failed; its answer was discarded',
    })
    const [, about, reason] =
      /^https:\/\/ard\.example\.org gave an answer that does not fit the question (.+?): (.*)$/.exec(
        error?.message ?? '',
      ) ?? []
    return [about, reason]
  }

  const SPLITS = { allele: 'A10' }
  const splits = { ...SPLITS, broad: 'A10', splits: ['A25', 'A26'] }
  const REDUX = { gl_string: 'A*01:01:01', reduction_method: 'lgx' }
  const redux = { ...REDUX, ard: 'A*01:01', status: 'ok', ipd_version: 3580 }

  test.for([
    ['splits', SPLITS, splits],
    ['redux', REDUX, redux],
    ['redux', REDUX, { ...redux, ipd_version: '3580' }],
    ['redux', { ...REDUX, reduction_method: 'ARD' }, redux],
  ] as const)('of %s to %j that fits', ([name, input, answer]) => {
    expect(check(name, input, answer)).toEqual(answer)
  })

  test.for([
    ['splits', SPLITS, { ...SPLITS, splits: [] }, 'broad is missing'],
    ['splits', SPLITS, { ...splits, splits: 'A25' }, 'splits is not a list'],
    ['splits', SPLITS, { ...splits, splits: ['A25', 26] }, 'an item of splits is not a text'],
    ['splits', SPLITS, { ...splits, broad: 'A10\n' }, 'broad has a control character'],
    ['splits', SPLITS, { ...splits, splits: ['A25', '=A26'] }, 'splits has "=", and no name has that'],
    ['redux', REDUX, { ...redux, ard: 'A*01:01 A*02:01' }, 'ard has " ", and no name has that'],
    ['redux', REDUX, { ...redux, ard: 'A*01:01\t' }, 'ard has a control character'],
    ['redux', REDUX, { ...redux, gl_string: 'A*02:01' }, 'its gl_string differs from the one in the request'],
    [
      'redux',
      REDUX,
      { ...redux, reduction_method: 'G' },
      'its reduction_method differs from the one in the request',
    ],
    ['redux', REDUX, { ...redux, reduction_method: 'X' }, /^reduction_method is not one of G, P, lg, lgx, /],
    ['redux', REDUX, { ...redux, ard: 1 }, 'ard is not a text'],
    [
      'redux',
      REDUX,
      { ...redux, notes: [{ level: 'note', code: 'x', message: 'y\n' }] },
      'it has a control character',
    ],
    [
      'redux',
      REDUX,
      { ...redux, notes: [{ level: 'note', code: 'x', message: 'y', position: [1] }] },
      'position has 1 items',
    ],
    [
      'redux',
      REDUX,
      { ...redux, notes: [{ level: 'note', code: 'x', message: 'y', position: [1, 2, 3] }] },
      'position has 3 items',
    ],
    ['redux', REDUX, { ...redux, notes: [{ level: 'note', code: 'x' }] }, 'message is missing'],
    [
      'redux',
      REDUX,
      { ...redux, notes: [{ level: 'loud', code: 'x', message: 'y' }] },
      'level is not one of detail, note, warning',
    ],
  ] as const)('of %s to %j that is %j', ([name, input, answer, reason]) => {
    const [about, found] = refusal(name, input, answer)
    expect(about).toBe(`${name} about ${JSON.stringify(Object.values(input)[0])}`)
    if (typeof reason === 'string') expect(found).toBe(reason)
    else expect(found).toMatch(reason)
  })

  test.for([
    ['lift', 'result', '=A'],
    ['cwd', 'cwd', '=A'],
    ['cwd', 'cwd_mac', '=A'],
    ['blend', 'DRBX_blend', '=A'],
    ['splits', 'broad', '=A'],
    ['splits', 'splits', ['A25', '=A']],
    ['similar', 'similar', ['A', '=A']],
    ['mac', 'macs', ['A', '=A']],
    ['mac', 'mac', '=A'],
    ['mac', 'gl_string', '=A'],
    ['mac', 'alleles', ['A', '=A']],
  ] as const)('of %s has names in %s, and no formula', ([name, member, value]) => {
    const operation = operationNamed(name)
    const typing = member === 'mac' ? 'A*01:01/A*01:02' : 'A*01:AB'
    const input = name === 'mac' ? { gl_string: typing } : {}
    // as little as a service of the contract answers
    const little = { ...operation, output: { ...operation.output, required: [] } }
    expect(errorOf(() => checkAnswer(service, little, input, { [member]: value }))?.message).toContain(
      `${member} has "=", and no name has that`,
    )
  })

  test('may have more members, also empty ones', () => {
    const more = { ...splits, other: null, further: [null, 1, { x: null }] }
    expect(check('splits', SPLITS, more)).toEqual(more)
  })

  test('that differs in two members is told by the first of the question', () => {
    const answer = {
      reduction_method: 'G',
      gl_string: 'A*02:01',
      ard: 'A*02:01',
      status: 'ok',
      ipd_version: 3580,
    }
    expect(refusal('redux', REDUX, answer)[1]).toBe('its gl_string differs from the one in the request')
  })

  test('has members of members, each with a word of the list', () => {
    const input = { gl_string: 'A*01:01', category: true, catalogue: 'ciwd3' }
    const answer = (populations: object) => ({ gl_string: 'A*01:01', cwd: 'A*01:01', cwd_mac: '', catalogue: 'CIWD 3.0.0', names: [{ name: 'A*01:01', position: [0, 7], category: 'C', populations }] }) // prettier-ignore
    expect(() => check('cwd', input, answer({ AFA: 'C', API: 'WD' }))).not.toThrow()
    expect(refusal('cwd', input, answer({ AFA: 'C', API: 'often' }))[1]).toMatch(
      /^a member of populations is not one of C, /,
    )
  })

  test('may repeat control characters of the question', () => {
    const question = { gl_string: 'A*01:01\n' }
    const problem = { code: 'bad-character', message: 'no', offending: 'A*01:01\n', position: [0, 8], suggestions: [] } // prettier-ignore
    const answer = { gl_string: 'A*01:01\n', valid: false, malformed: true, problems: [problem] }
    expect(() => check('validate', question, answer)).not.toThrow()
    expect(refusal('validate', { gl_string: 'A*01:01' }, { ...answer, gl_string: 'A*01:01' })[1]).toBe(
      'it has a control character',
    )
  })

  test('may have a hint of several lines, and no other member', () => {
    const problem = { code: 'x', message: 'no', offending: '', position: [0, 0], suggestions: [] }
    const answer = (more: object) => ({ gl_string: 'x', valid: false, malformed: true, problems: [{ ...problem, ...more }] }) // prettier-ignore
    expect(() => check('validate', { gl_string: 'x' }, answer({ hint: 'one\ntwo' }))).not.toThrow()
    for (const more of [{ hint: 'one\ttwo' }, { message: 'one\ntwo' }])
      expect(refusal('validate', { gl_string: 'x' }, answer(more))[1]).toBe('it has a control character')
  })

  test.for([3640, '3640'])('of another release, %j, ends the run', (ipd_version) => {
    expect(errorOf(() => check('redux', REDUX, { ...redux, ipd_version }))).toMatchObject({
      code: 'pin',
      message: `release changed during the run: ${URL} served 3580, now 3640`,
    })
  })

  test('of a reduction has a name', () => {
    const question = { operation: 'redux', input: REDUX }
    expect(requireName(URL, question, redux)).toBe(redux)
    expect(requireName(URL, question, { other: '' })).toEqual({ other: '' })
    expect(errorOf(() => requireName(URL, question, { ard: '' }))?.message).toBe(
      `${URL} gave an answer that does not fit the question redux about "A*01:01:01": ard is empty`,
    )
  })

  test('is told with 60 characters of the question', () => {
    const told = (input: unknown) => unfitAnswer(URL, { operation: 'redux', input }, 'why').message
    const text = `A*01:${'1'.repeat(60)}`
    expect(told({ gl_string: text })).toContain(`question redux about "${text.slice(0, 60)}": why`)
    expect(told({})).toBe(`${URL} gave an answer that does not fit the question redux: why`)
  })
})

describe('an error', () => {
  const question = { operation: 'redux', input: { gl_string: 'A*99:99', reduction_method: 'lgx' } }
  const record = { code: 'unknown-allele', message: 'no', offending: 'A*99:99', position: [0, 7], suggestions: [] } // prettier-ignore
  const check = (error: object, echo: object = {}) => checkError(URL, question, { ...error }, { ...echo })

  test('that belongs to the question', () => {
    expect(check(record)).toEqual(record)
    expect(check({ message: 'no' })).toEqual({ message: 'no' })
    expect(check(record, { gl_string: 'A*99:99', reduction_method: 'lgx' })).toEqual(record)
  })

  test.for([
    [{ code: 'x' }, {}, 'message is missing'],
    [{ ...record, position: [0] }, {}, 'position has 1 items'],
    [{ ...record, position: [0, 1.5] }, {}, 'an item of position is not a whole number'],
    [record, { gl_string: 'A*99:98' }, 'its gl_string differs from the one in the request'],
    [
      record,
      { reduction_method: 'G', gl_string: 'A*99:98' },
      'its gl_string differs from the one in the request',
    ],
    [record, { reduction_method: 'G' }, 'its reduction_method differs from the one in the request'],
    [{ ...record, message: 'a\u0007b' }, {}, 'it has a control character'],
  ] as const)('%j beside %j does not', ([error, echo, reason]) => {
    expect(errorOf(() => check(error, echo))).toMatchObject({
      code: 'remote',
      message: `${URL} gave an answer that does not fit the question redux about "A*99:99": ${reason}`,
    })
  })

  test('of the service itself is in its log', () => {
    expect(errorOf(() => check({ code: 'internal', message: 'internal error' }))).toMatchObject({
      code: 'remote',
      message: `${URL} reports an internal error`,
      hint: 'see the log of the service',
    })
  })
})
