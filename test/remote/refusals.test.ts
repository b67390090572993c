/** What the remote executor says, in whole, where a service refuses, lacks an operation, or gives no answer; and how it divides questions into batches. */
import { describe, expect, test, vi } from 'vitest'
import { isHlaError } from '../../src/errors.ts'
import { errorRecord } from '../../src/operations/error-record.ts'
import { OPERATIONS } from '../../src/operations/registry.ts'
import { openRemote } from '../../src/remote/remote.ts'
import type { RemoteOptions } from '../../src/remote/options.ts'
import type { RemoteReply, RemoteRequest } from '../../src/remote/transport.ts'

const ADDRESS = 'https://ard.example.org'
const transport = vi.hoisted(() => ({
  answer: (() => undefined) as (request: unknown) => unknown,
  closed: 0,
}))
vi.mock('../../src/remote/transport.ts', () => ({
  isLongReply: () => false,
  openTransport: () =>
    Promise.resolve({
      send: (request: unknown) => Promise.resolve(transport.answer(request)),
      close: () => Promise.resolve(void (transport.closed += 1)),
    }),
}))

const VERSION = { ipd_version: 3580 }
const FULL = { ...VERSION, batch: true, operations: OPERATIONS.map(({ name }) => name) }

/** A service with this version, and these answers to everything else; it records its requests. */
function service(version: object, answer: (request: RemoteRequest) => Partial<RemoteReply>) {
  const asked: RemoteRequest[] = []
  transport.answer = (given) => {
    const request = given as RemoteRequest
    asked.push(request)
    const reply = request.path === '/version' ? { text: JSON.stringify(version) } : answer(request)
    return { status: 200, text: '{}', dataId: undefined, retryAfter: undefined, ...reply }
  }
  return asked
}

const open = (options: Partial<RemoteOptions> = {}) => openRemote({ url: ADDRESS, ...options })

async function ask(operation: string, input: unknown, options: Partial<RemoteOptions> = {}) {
  const { executor } = await open(options)
  return executor.execute(operation, input)
}

/** Code, message and hint of the error that this ends with. */
async function refusal(asked: Promise<unknown>): Promise<unknown[]> {
  try {
    await asked
  } catch (error) {
    if (!isHlaError(error)) throw error
    const { code, message, hint } = errorRecord(error)
    return [code, message, ...(hint === undefined ? [] : [hint])]
  }
  throw new Error('nothing is refused')
}

const REDUX = ['redux', { gl_string: 'A*01:01' }] as const

describe('a service', () => {
  test.for<[reply: Partial<RemoteReply>, says: string]>([
    [{ status: 200, text: '<html>' }, 'has no version of IPD-IMGT/HLA'],
    [{ status: 200, text: '[]' }, 'has no version of IPD-IMGT/HLA'],
    [{ status: 200, text: '{"a":1}' }, 'has no version of IPD-IMGT/HLA'],
    [{ status: 404, text: '{"ipd_version":3580}' }, 'is 404'],
  ])('whose version is %j is no such service', async ([reply, says]) => {
    const before = transport.closed
    transport.answer = () => reply
    const message = `${ADDRESS} is not an HLA reduction service: its answer to GET /version ${says}`
    expect(await refusal(open())).toEqual(['remote', message])
    expect(transport.closed).toBe(before + 1)
  })

  test.for<[reply: Partial<RemoteReply>, headers: Record<string, string>, says: string, hint: string]>([
    [
      { status: 401 },
      {},
      'requires a token',
      'put the line Authorization: Bearer TOKEN into a file and name it with --header-file FILE',
    ],
    [
      { status: 401 },
      { AUTHORIZATION: 'Bearer x' },
      'does not accept the token: it is unknown there, or was revoked',
      'ask the operator of the service for a token, and put it into the file of --header-file FILE: Authorization: Bearer TOKEN',
    ],
    [
      { status: 401, challenge: 'Bearer error="invalid_token", error_description="expired"' },
      { authorization: 'Bearer x' },
      'does not accept the token: expired',
      'ask the operator of the service for a token, and put it into the file of --header-file FILE: Authorization: Bearer TOKEN',
    ],
    [{ status: 300 }, {}, 'redirects (status 300)', 'give --remote the address of the service itself'],
    [
      { status: 399, location: '/new?key=secret' },
      {},
      `redirects to ${ADDRESS}/new (status 399)`,
      'give --remote the address of the service itself',
    ],
    [
      { status: 302, location: 'https://[' },
      {},
      'redirects (status 302)',
      'give --remote the address of the service itself',
    ],
  ])('that answers %j to %j refuses', async ([reply, headers, says, hint]) => {
    const expected = ['remote', `${ADDRESS} ${says}`, hint]
    service(VERSION, () => reply)
    expect(await refusal(ask(...REDUX, { headers }))).toEqual(expected)
    transport.answer = () => reply
    expect(await refusal(open({ headers }))).toEqual(expected)
  })

  test('is asked once about each typing of a run', async () => {
    const asked = service(VERSION, () => ({ text: '{"ard":"A*01:01"}' }))
    const { executor } = await open()
    for (const gl_string of ['A*01:01', 'A*01:01:01', 'A*01:01'])
      expect(await executor.execute('redux', { gl_string })).toMatchObject({ gl_string, ard: 'A*01:01' })
    expect(asked.map(({ path }) => path)).toEqual(['/version', '/redux', '/redux'])
  })

  test('is answered for what was asked ahead, by operation and input, and for nothing else', async () => {
    service(FULL, ({ body = '' }) => {
      const lines = body.split('\n').slice(0, -1)
      return { text: lines.map((line) => `${JSON.stringify({ error: { message: `no ${line}` } })}\n`).join('') }
    })
    const { executor } = await open()
    const input = { gl_string: 'A*01:01' }
    const ready = await executor.ahead!([
      { operation: 'redux', input },
      { operation: 'mac', input },
    ])
    for (const asked of [input, { ...input }]) {
      expect(() => ready.execute('redux', asked)).toThrow('no {"op":"redux","gl_string":"A*01:01"}')
      expect(() => ready.execute('mac', asked)).toThrow('no {"op":"mac","gl_string":"A*01:01"}')
      expect(() => ready.execute('cwd', asked)).toThrow('a question that was not asked ahead')
    }
    expect(() => ready.execute('redux', { gl_string: 'A*02:01' })).toThrow('a question that was not asked ahead')
  }) // prettier-ignore

  test('that forbids a question ends the run', async () => {
    service(VERSION, () => ({ status: 403, text: '{"message":"no"}' }))
    expect(await refusal(ask(...REDUX))).toEqual(['remote', `${ADDRESS} refuses: status 403`])
  })

  test.for<[status: number, text: string, says: string]>([
    [404, '{"message":"no such page"}', 'answers a batch with status 404: no such page'],
    [404, '{"message":5}', 'answers a batch with status 404'],
    [404, '["message"]', 'answers a batch with status 404'],
    [413, '<html>', 'answers a batch with status 413'],
    [201, '{"ard":"A*01:01"}\n', 'answers a batch with status 201'],
    [200, '{"ard":"A*01:01"}', 'sent an answer that is cut off in its last line'],
    [200, '', 'gave 0 answers to 1 questions'],
    [200, '{}\n{}\n', 'gave 2 answers to 1 questions'],
  ])('that answers a batch with status %d and %j', async ([status, text, says]) => {
    service(FULL, () => ({ status, text }))
    expect(await refusal(ask(...REDUX))).toEqual(['remote', `${ADDRESS} ${says}`])
  })

  test('whose answer does not fit is told the beginning of the question', async () => {
    service(VERSION, () => ({}))
    const [code, message] = await refusal(ask('redux', { gl_string: 'A'.repeat(61) }))
    expect([code, message]).toEqual([
      'remote',
      `${ADDRESS} gave an answer that does not fit the question redux about "${'A'.repeat(60)}": it is neither an answer nor a reason (status 200)`,
    ])
  })

  test.for([
    [{ found: 'DRB3', expected: 'none' }, 'DRB3 where none expected'],
    [{ found: 5, expected: 'none' }, undefined],
    [{ found: 'DRB3' }, undefined],
    [{ expected: 'none' }, undefined],
  ] as const)('whose answer to blend is %j says %s', async ([body, says]) => {
    service(VERSION, () => ({ text: JSON.stringify(body) }))
    const [code, message] = await refusal(ask('blend', { DRB1_SLUG: 'x', DRB3: 'y' }))
    const unfit = `${ADDRESS} gave an answer that does not fit the question blend about "x": it is neither an answer nor a reason (status 200)`
    expect([code, message]).toEqual(says === undefined ? ['remote', unfit] : ['blend-mismatch', says])
  })

  test('may give a hint of several lines', async () => {
    const error = { code: 'bad-syntax', message: 'no', hint: 'one\ntwo' }
    service(FULL, () => ({ text: `${JSON.stringify({ error })}\n` }))
    expect(await refusal(ask(...REDUX))).toEqual(['bad-syntax', 'no', 'one\ntwo'])
  })

  test.for<[reply: Partial<RemoteReply>, code: string]>([
    [{ text: '{}' }, 'remote'],
    [{ text: '{"ard":"A*01:01","ipd_version":3590}' }, 'pin'],
  ])('that answers one question with %j answers no other', async ([reply, code]) => {
    service(VERSION, ({ body = '' }) => (body.includes('A*01:01') ? reply : { text: '{"ard":"A*02:01"}' }))
    const { executor } = await open()
    const questions = ['A*01:01', 'A*02:01'].map((gl_string) => ({
      operation: 'redux',
      input: { gl_string },
    }))
    await expect(executor.ahead!(questions)).rejects.toMatchObject({ code })
  })

  test('may change neither its release nor its data', async () => {
    service(VERSION, () => ({ text: '{"ard":"A*01:01","ipd_version":"3590"}' }))
    expect(await refusal(ask(...REDUX))).toEqual([
      'pin',
      `release changed during the run: ${ADDRESS} served 3580, now 3590`,
    ])
    service(VERSION, () => ({ text: '{"ard":"A*01:01"}', dataId: '3.59.0+b' }))
    expect(await refusal(ask(...REDUX))).toEqual([
      'pin',
      `release changed during the run: ${ADDRESS} served , now 3.59.0+b`,
    ])
  })

  test.for<[version: object, operation: string, input: object, says: string]>([
    [VERSION, 'lift', { gl_string: 'A*01:01' }, 'does not offer lift'],
    [{ ...VERSION, operations: ['redux'] }, 'mac', { gl_string: 'A*01:AB' }, 'does not offer mac'],
    [{ ...VERSION, operations: ['lift'] }, 'lift', { gl_string: 'A*01:01' }, 'answers'],
  ])('%j: %s %j', async ([version, operation, input, says]) => {
    const asked = service(version, () => ({ status: 400, text: '{"message":"answers"}' }))
    const refused = await refusal(ask(operation, input))
    if (says === 'answers') return expect(asked.length).toBe(2)
    expect(refused).toEqual(['usage', `${ADDRESS} ${says}`, 'without --remote, the installed data answer'])
    expect(asked).toHaveLength(1)
  })

  test('of the contract does not know a setting of ours', async () => {
    service(VERSION, () => ({}))
    expect(await refusal(ask('redux', { gl_string: 'A*01:01', lift: true }))).toEqual([
      'usage',
      'the service does not support lift for redux',
    ])
  })

  test.for<[operation: string, input: unknown, says: string]>([
    ['mac', {}, 'gl_string is missing'],
    ['mac', { gl_string: 5 }, 'gl_string must be a text'],
    ['mac', { gl_string: 'A*01:01/A*01:02', direction: 'both' }, 'direction must be one of expand, lookup'],
    ['redux', ['A*01:01'], 'a request is one JSON object'],
    ['ard', {}, 'allele is missing'],
  ])('of the contract is not asked %s %j', async ([operation, input, says]) => {
    const asked = service(VERSION, () => ({ text: '{"ard":"A*01:01","mac":"A*01:AB"}' }))
    expect((await refusal(ask(operation, input))).slice(0, 2)).toEqual(['bad-request', says])
    expect(asked).toHaveLength(1)
  })

  test('is not asked singly what hla does not know, and in a batch says so itself', async () => {
    const alone = service(VERSION, () => ({}))
    const [code, message] = await refusal(ask('reduce', { gl_string: 'A*01:01' }))
    const names = OPERATIONS.map(({ name }) => name).join(', ')
    expect([code, message, alone.length]).toEqual([
      'bad-request',
      `unknown operation "reduce"; operations are ${names}`,
      1,
    ])
    service(FULL, () => ({ text: '{"error":{"message":"no reduce here","code":"usage"}}\n' }))
    expect(await refusal(ask('reduce', {}))).toEqual(['usage', 'no reduce here'])
    service(FULL, () => ({ text: '{"ard":"A*01:01"}\n' }))
    expect(await refusal(ask('reduce', {}))).toEqual([
      'remote',
      `${ADDRESS} gave an answer that does not fit the question reduce: there is no such operation`,
      'the service, or a proxy in front of it, failed; its answer was discarded',
    ])
  })
})

describe('questions in batches', () => {
  /** Numbers of lines of the batches for these typings. */
  async function batches(typings: readonly string[]): Promise<number[]> {
    const sizes: number[] = []
    service(FULL, ({ body = '' }) => {
      const lines = body.split('\n').slice(0, -1)
      sizes.push(lines.length)
      const answers = lines.map((line) => {
        const { gl_string } = JSON.parse(line) as { gl_string: string }
        return `{"error":{"message":"no ${gl_string.slice(0, 9)}"}}\n`
      })
      return { text: answers.join('') }
    })
    const { executor } = await open()
    const questions = typings.map((gl_string) => ({ operation: 'redux', input: { gl_string } }))
    const ready = await executor.ahead!(questions)
    for (const { input } of [...questions.slice(0, 2), ...questions.slice(-2)])
      expect(() => ready.execute('redux', input)).toThrow(`no ${input.gl_string.slice(0, 9)}`)
    return sizes
  }

  const numbered = (count: number, length = 0) =>
    Array.from({ length: count }, (_, at) => `A*01:${`${1000 + at}`.padEnd(length, '0')}`)

  test('are a thousand at most', async () => {
    expect(await batches(numbered(2001))).toEqual([1000, 1000, 1])
  })

  test('are 256 KiB at most, or one', async () => {
    const rest = '{"op":"redux","gl_string":""}'.length + 'A*01:'.length
    const half = 128 * 1024 - rest
    expect(await batches(numbered(4, half))).toEqual([2, 2])
    expect(await batches(numbered(3, half + 1))).toEqual([1, 1, 1])
    expect(await batches(numbered(2, 300 * 1024))).toEqual([1, 1])
  })

  test('are lines of JSON, with the name of the operation', async () => {
    const asked = service(FULL, () => ({ text: '{"error":{"message":"no"}}\n'.repeat(3) }))
    const { executor } = await open()
    await executor.ahead!([
      { operation: 'version', input: {} },
      { operation: 'redux', input: { gl_string: 'A*01:"' } },
      { operation: 'version', input: {} },
      { operation: 'validate', input: ['A*01:01'] },
    ])
    expect(asked.slice(1)).toEqual([
      {
        method: 'POST',
        path: '/batch',
        body: '{"op":"version"}\n{"op":"redux","gl_string":"A*01:\\""}\n{"op":"validate"}\n',
      },
    ])
  })
})

test.for([
  [{ concurrency: 3 }, 3],
  [{}, 8],
] as const)(
  'without batches as many questions as connections are asked at a time: %j',
  async ([options, most]) => {
    const waiting: (() => void)[] = []
    let count = 0
    service(VERSION, () => ({}))
    const { executor } = await open(options)
    transport.answer = () =>
      new Promise((resolve) => {
        count += 1
        waiting.push(() => resolve({ status: 200, text: '{"ard":"A*01:01"}' }))
      })
    const questions = Array.from({ length: most + 2 }, (_, at) => ({
      operation: 'redux',
      input: { gl_string: `A*01:${at + 10}` },
    }))
    const ready = executor.ahead!(questions)
    await new Promise((turn) => setImmediate(turn))
    expect(count).toBe(most)
    for (let answered = 0; answered < 2; answered += 1) {
      waiting.shift()?.()
      await new Promise((turn) => setImmediate(turn))
    }
    expect(count).toBe(most + 2)
    for (const answer of waiting) answer()
    expect((await ready).execute('redux', questions[most + 1]?.input)).toMatchObject({
      gl_string: `A*01:${most + 11}`,
      ard: 'A*01:01',
    })
  },
)
