/** Every row of the service's contract: status, body and values. */
import type { InjectOptions } from 'fastify'
import { describe, expect, test, vi } from 'vitest'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { packageVersion } from '../../src/package-root.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import { buildService } from '../../src/service/service.ts'
import { openApi } from '../../src/service/openapi/openapi.ts'
import { faultsOf, type OpenApiDocument } from '../support/openapi-types.ts'
import { type CorpusRow, readCorpus, readDeviations } from '../support/corpus.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'

const full = hasShared
  ? buildService(makeKnowledge({ release: realRelease('3580'), mac: realMacs() }))
  : undefined
const starter = buildService(makeKnowledge(openStarter()))

type App = typeof starter

/** Every answer is parsed as JSON. */
async function ask(app: App, options: InjectOptions): Promise<{ status: number; body: unknown }> {
  const response = await app.inject(options)
  expect(response.headers['content-type']).toMatch(/^application\/json/)
  expectDescribed(options, response.statusCode, response.json())
  return { status: response.statusCode, body: response.json() }
}

const description = JSON.parse(JSON.stringify(openApi())) as OpenApiDocument

/** Status and body match the OpenAPI description. */
function expectDescribed({ method, url }: InjectOptions, status: number, body: unknown): void {
  const path = (typeof url === 'string' ? url : '').split('?')[0]?.split('/') ?? []
  const [, route] =
    Object.entries(description.paths).find(([pattern]) => {
      const parts = pattern.split('/')
      return (
        parts.length === path.length && parts.every((part, at) => part.startsWith('{') || part === path[at])
      )
    }) ?? []
  const responses = route?.[String(method).toLowerCase()]?.['responses'] as Described | undefined
  if (responses === undefined) return
  expect(Object.keys(responses)).toContain(String(status))
  const schema = responses[String(status)]?.content?.['application/json']?.schema
  expect(faultsOf(body, schema, description)).toEqual([])
}

type Described = Record<string, { content?: Record<string, { schema: unknown }> }>

const get = (url: string): InjectOptions => ({ method: 'GET', url })
const post = (url: string, payload: object | string): InjectOptions => ({
  method: 'POST',
  url,
  payload,
  headers: { 'content-type': 'application/json' },
})
const redux = (gl_string: unknown, reduction_method: unknown) =>
  post('/redux', { gl_string, reduction_method })
const message = { message: expect.stringMatching(/./) }

/** The refusal names both releases. */
const PIN = { message: expect.stringMatching(/3\.58\.0, you asked for 3\.25\.0/), code: 'pin' }

type Row = readonly [request: InjectOptions, status: number, body: unknown]

/** Rows for both the starter set and the full release. */
const COMMON: readonly Row[] = [
  [get('/version'), 200, { ipd_version: 3580, pyard_version: packageVersion() }],
  [redux('A*01:01:01:01', 'G'), 200, { ard: 'A*01:01:01G' }],
  [redux('A*01:01:01:01', 'P'), 200, { ard: 'A*01:01P' }],
  [redux('A*01:01:01:01', 'lg'), 200, { ard: 'A*01:01g' }],
  [redux('A*01:01:01:01', 'lgx'), 200, { ard: 'A*01:01' }],
  [redux('A*01:01:01:01', 'W'), 200, { ard: 'A*01:01:01:01' }],
  [redux('A*01:01:01:01', 'exon'), 200, { ard: 'A*01:01:01' }],
  [redux('A*01:01:01:01', 'U2'), 200, { ard: 'A*01:01' }],
  [redux('A*01:01:01:01', 'S'), 200, { ard: 'A1' }],
  [redux('HLA-A*01:01+HLA-A*02:01', 'lgx'), 200, { ard: 'HLA-A*01:01+HLA-A*02:01' }],
  [redux('A*01:01+', 'lgx'), 400, message],
  [redux('', 'lgx'), 400, message],
  [redux('A**01:01', 'lgx'), 400, message],
  [redux('A*01:01', 'L'), 400, message],
  // spellings and aliases of methods, and unknown members, work the same everywhere
  [redux('A*01:01', 'LGX'), 200, { reduction_method: 'lgx', ard: 'A*01:01' }],
  [redux('A*01:01:01:01', 'who'), 200, { reduction_method: 'W' }],
  [redux('A*01:01', 'ard'), 200, { reduction_method: 'lgx' }],
  [redux('A*01:01', '1f'), 200, { reduction_method: '1F' }],
  [redux('A*01:01', 'constructor'), 400, { ...message, code: 'unknown-method' }],
  [redux('A*01:01', '__proto__'), 400, { ...message, code: 'unknown-method' }],
  [redux('A*01:01', 7), 400, message],
  [redux(7, 'lgx'), 400, message],
  [redux(null, 'lgx'), 400, message],
  [redux(['A*01:01'], 'lgx'), 400, message],
  [post('/redux', { gl_string: 'A*01:01' }), 400, { message: 'reduction_method is missing' }],
  [post('/redux', { reduction_method: 'lgx' }), 400, { message: 'gl_string is missing' }],
  [post('/redux', []), 400, message],
  [post('/redux', '"A*01:01"'), 400, message],
  [post('/redux', 'null'), 400, message],
  [post('/redux', '{"gl_string":'), 400, { message: 'the body is not JSON' }],
  [
    post('/redux', '{"__proto__":{"x":1},"gl_string":"A*01:01","reduction_method":"G"}'),
    200,
    {
      ard: 'A*01:01:01G',
      notes: expect.arrayContaining([expect.objectContaining({ code: 'ignored-property' })]),
    },
  ],
  [post('/redux', '\ufeff{"gl_string":"A*01:01","reduction_method":"lgx"}'), 200, { ard: 'A*01:01' }],
  [get('/version?x=1'), 200, { notes: [expect.objectContaining({ code: 'ignored-property' })] }],
  [get('/ard/A*01:01?allele=B*07:02&constructor=1'), 200, { allele: 'A*01:01', notes: expect.anything() }],
  // a named release must be the one that answers, at every address
  [post('/redux', { gl_string: 'A*01:01', reduction_method: 'G', release: '3.25.0' }), 409, PIN],
  [post('/redux', { gl_string: 'A*01:01', reduction_method: 'G', imgt_version: 3250 }), 409, PIN],
  [
    post('/redux', { gl_string: 'A*01:01', reduction_method: 'G', release: '3.58' }),
    200,
    { ard: 'A*01:01:01G' },
  ],
  [post('/redux', { gl_string: 'A*01:01', reduction_method: 'G', release: 'newest' }), 400, message],
  [post('/redux', { gl_string: 'A*01:01', reduction_method: 'G', release: [] }), 400, message],
  [post('/validate', { gl_string: 'A*01:01', ipd_version: '3250' }), 409, PIN],
  [post('/lift', { gl_string: 'A*01:01', release: '3.25.0' }), 409, PIN],
  [
    post('/blend', { DRB1_SLUG: 'DRB1*03:01+DRB1*04:01', DRB3: '', DRB4: '', DRB5: '', release: '3.25.0' }),
    409,
    PIN,
  ],
  [get('/ard/A*01:01?release=3.25.0'), 409, PIN],
  [get('/mac/A*01:AB?release=3.25.0'), 409, PIN],
  [get('/splits/A10?from=3.25.0'), 409, PIN],
  [get('/similar/A*01:01?release=3.25.0'), 409, PIN],
  [get('/version?release=3.25.0'), 409, PIN],
  [get('/version?release=3580'), 200, { ipd_version: 3580 }],
  [{ method: 'POST', url: '/redux' }, 400, message],
  [
    get('/ard/A*01:01:01:01'),
    200,
    { allele: 'A*01:01:01:01', ard: 'A*01:01', ipd_version: 3580, pyard_version: packageVersion() },
  ],
  [get('/ard/HLA-A*01:01:01:01'), 200, { ard: 'HLA-A*01:01' }],
  [get('/ard/A%2A01%3AAB'), 200, { allele: 'A*01:AB', ard: 'A*01:01/A*01:02' }],
  [redux('A*01:01', 'lgx'), 200, { ipd_version: 3580, pyard_version: packageVersion() }],
  // a valid typing with an empty result
  [
    redux('A*01:04N', 'S'),
    200,
    {
      reduction_method: 'S',
      ard: '',
      pyard_version: packageVersion(),
      notes: [
        {
          level: 'warning',
          code: 'no-serology',
          message: 'no allele of A*01:04N has a known antigen',
          offending: 'A*01:04N',
          position: [0, 8],
        },
      ],
    },
  ],
  [get('/splits/no%20antigen'), 404, message],
  [get('/splits/%'), 404, message],
  [get('/similar/%C3%28'), 404, message],
  [get('/ard/A*01:01+A*02:01'), 400, message],
  [get('/ard/A*01:01%2FA*02:01'), 400, message],
  [get('/ard/A*01:01%5EB*07:02'), 400, message],
  [get('/ard/01:01'), 400, message],
  [get('/ard/%C3%28'), 400, message],
  [get('/ard/%'), 400, message],
  [post('/cwd-redux', { gl_string: 'A*01:01:01' }), 200, { cwd: 'A*01:01', cwd_mac: '' }],
  [post('/cwd-redux', { gl_string: 'A*01:01+A*02:01' }), 400, message],
  [post('/cwd-redux', {}), 400, message],
  [
    get('/mac/A*01:AB'),
    200,
    { mac: 'A*01:AB', gl_string: 'A*01:01/A*01:02', alleles: ['A*01:01', 'A*01:02'] },
  ],
  // lenient readings are our extension
  [post('/cwd-redux', { gl_string: 'a*1:1', accept: ['case', 'zero'] }), 200, { cwd: 'A*01:01' }],
  [get('/mac/a*01:ab?accept=case'), 200, { mac: 'A*01:AB', gl_string: 'A*01:01/A*01:02' }],
  [post('/mac', { gl_string: 'A*01:01/1:2', accept: ['shorthand', 'zero'] }), 200, { mac: 'A*01:AB' }],
  [post('/validate', { gl_string: 'a*01:01', accept: ['case'] }), 200, { valid: true }],
  [get('/valid?gl_string=a*01:01&accept=case'), 200, { valid: true }],
  [post('/validate', { gl_string: 'a*01:01', accept: ['cases'] }), 400, message],
  [get('/mac/HLA-A*01:AB'), 200, { mac: 'HLA-A*01:AB', alleles: ['HLA-A*01:01', 'HLA-A*01:02'] }],
  [get('/mac/A*01:01'), 400, message],
  [get('/xx/A*01:AB'), 400, { ...message, code: 'not-xx' }],
  [get('/xx/A*01:01'), 400, { ...message, code: 'not-xx' }],
  [get('/xx/B62'), 400, { ...message, code: 'not-xx' }],
  [get('/xx/A*01:XX+A*02:XX'), 400, message],
  [get('/xx/%'), 400, message],
  // releases before 3.64.0 lack these antigens
  [get('/mac-hats/A*01:AB'), 501, { ...message, code: 'no-hats' }],
  [get('/mac-hats/A*01:01'), 400, { ...message, code: 'unknown-mac' }],
  [get('/mac-hats/A*01:XX'), 400, { ...message, code: 'xx-not-mac' }],
  [get('/mac/AB'), 400, message],
  [
    post('/mac', { gl_string: 'A*01:01/A*01:02' }),
    200,
    { mac: 'A*01:AB', gl_string: 'A*01:01/A*01:02', alleles: ['A*01:01', 'A*01:02'] },
  ],
  [post('/mac', { gl_string: 'A*01:AB' }), 400, message],
  [post('/mac', { gl_string: 'A' }), 400, message],
  [post('/validate', { gl_string: 'A*01:01+A*02:01' }), 200, { valid: true }],
  [post('/validate', { gl_string: 'HLA-A*01:01' }), 200, { valid: true }],
  [post('/validate', { gl_string: 'A*01:01+' }), 400, message],
  [post('/validate', { gl_string: ' A*01:01' }), 400, message],
  [post('/validate', { gl_string: '' }), 400, message],
  [post('/validate', { gl_string: 1 }), 400, message],
  [post('/validate', {}), 400, message],
  [get('/valid?gl_string=A*01:01%2BA*02:01'), 200, { valid: true }],
  [get('/valid?gl_string=A*01:01%2B'), 400, message],
  [get('/valid?gl_string='), 400, message],
  [get('/valid'), 400, message],
  [get('/valid?gl_string=A*01:01&gl_string=A*02:01'), 400, message],
  [
    post('/blend', { DRB1_SLUG: 'DRB1*03:01+DRB1*04:01', DRB3: 'DRB3*01:01', DRB4: 'DRB4*01:03', DRB5: '' }),
    200,
    { DRBX_blend: 'DRB3*01:01+DRB4*01:03' },
  ],
  [
    post('/blend', { DRB1_SLUG: 'DRB1*03:01+DRB1*01:01', DRB3: 'DRB3*01:01' }),
    200,
    { DRBX_blend: 'DRB3*01:01' },
  ],
  [
    post('/blend', { DRB1_SLUG: 'DRB1*01:01+DRB1*08:01', DRB3: 'DRB3*01:01', DRB4: '', DRB5: '' }),
    404,
    { found: 'DRB3', expected: 'none' },
  ],
  [post('/blend', { DRB1_SLUG: 'DRB1*03:01+DRB1*04:01' }), 400, message],
  [post('/blend', { DRB3: 'DRB3*01:01', DRB4: '', DRB5: '' }), 400, message],
  [post('/blend', { DRB1_SLUG: 'DRB1*03:01', DRB3: '', DRB4: '', DRB5: '' }), 400, message],
  [post('/blend', { DRB1_SLUG: 'A*01:01+A*02:01', DRB3: '', DRB4: '', DRB5: '' }), 400, message],
  [post('/blend', { DRB1_SLUG: 'DRB1*03:01+DRB1*04:01', DRB3: null }), 400, message],
  [get('/no/such/route'), 404, message],
  [get('/redux'), 405, { ...message, code: 'method-not-allowed' }],
  [{ method: 'DELETE', url: '/version' }, 405, message],
  [
    get('/valid?gl_string=A*01:01+A*02:01'),
    400,
    { notes: [expect.objectContaining({ code: 'plus-in-query' })] },
  ],
]

/** Only the full release knows that a name does not exist, and lists everything. */
const FULL: readonly Row[] = [
  [
    post('/cwd-redux', { gl_string: 'B*15:01:01/B*15:01:03/B*15:04' }),
    200,
    { gl_string: 'B*15:01:01/B*15:01:03/B*15:04', cwd: 'B*15:01/B*15:04', cwd_mac: expect.any(String) },
  ],
  [post('/mac', { gl_string: 'A*01:01' }), 400, message],
  [get('/splits/A25'), 200, { broad: 'A10', splits: ['A25', 'A26', 'A34', 'A66'] }],
  [get('/splits/B14'), 200, { broad: 'B14', splits: ['B64', 'B65'] }],
  [get('/splits/A99'), 404, message],
  [redux('A*99:99', 'lgx'), 400, { ...message, code: 'unknown-allele' }],
  [redux('A*01:AB', '1F'), 200, { ard: 'A*01' }],
  [get('/ard/A*02:XX'), 200, { ard: expect.stringMatching(/^A\*02:01\//) }],
  [get('/ard/A9'), 200, { ard: expect.stringMatching(/^A\*23:/) }],
  [get('/ard/A*99:99'), 400, message],
  [
    post('/cwd-redux', { gl_string: 'A*01:AB' }),
    200,
    { gl_string: 'A*01:AB', cwd: 'A*01:01/A*01:02', cwd_mac: 'A*01:AB' },
  ],
  [get('/mac/A*04:AB'), 400, message],
  [
    get('/xx/HLA-A*43:XX'),
    200,
    {
      xx_code: 'HLA-A*43:XX',
      mac: 'HLA-A*43:XX',
      gl_string: 'HLA-A*43:01/HLA-A*43:02N/HLA-A*43:03',
      alleles: ['HLA-A*43:01', 'HLA-A*43:02N', 'HLA-A*43:03'],
    },
  ],
  [get('/xx/C*10:XX'), 200, { notes: [expect.objectContaining({ code: 'c10' })] }],
  [get('/xx/A*99:XX'), 400, { ...message, code: 'unknown-allele' }],
  [
    post('/mac', { gl_string: 'A*01:02/A*01:01/A*01:03' }),
    200,
    { mac: 'A*01:MN', alleles: ['A*01:02', 'A*01:01', 'A*01:03'] },
  ],
  [post('/mac', { gl_string: 'A*01:01/B*07:02' }), 400, message],
  [
    post('/validate', { gl_string: 'A*01:01+A*99:99' }),
    404,
    { ...message, valid: false, cause: 'A*99:99 is not a valid Allele' },
  ],
  [
    get('/valid?gl_string=A*01:01%2BA*99:99'),
    404,
    { ...message, valid: false, cause: 'A*99:99 is not a valid Allele' },
  ],
  [get('/similar/A*01:01:01:04'), 200, ['A*01:01:01:04']],
  [get('/similar/HLA-A*01:01:01:04'), 200, ['HLA-A*01:01:01:04']],
  [get('/similar/A*01:AB'), 200, expect.arrayContaining(['A*01:AB'])],
  [get('/similar/A*99'), 404, message],
  [get('/similar/A**'), 404, { ...message, code: 'bad-syntax' }],
  [get('/similar/A'), 404, message],
  [get('/splits/A**'), 404, message],
  [get('/splits/A*01:01+A*02:01'), 404, message],
  [redux('Bw4', 'lgx'), 200, { ard: '', notes: [expect.objectContaining({ code: 'no-alleles' })] }],
  [get('/ard/Bw4'), 200, { ard: '', notes: [expect.objectContaining({ code: 'no-alleles' })] }],
  [
    post('/cwd-redux', { gl_string: 'A*01:228' }),
    200,
    { cwd: '', cwd_mac: '', notes: [expect.objectContaining({ code: 'not-in-catalogue' })] },
  ],
]

/** The starter set answers that it cannot answer, and nothing else. */
const STARTER: readonly Row[] = [
  [get('/version'), 200, { dataset: 'starter' }],
  [redux('A*99:99', 'lgx'), 501, { ...message, code: 'starter' }],
  [post('/validate', { gl_string: 'A*99:99' }), 501, { ...message, code: 'starter' }],
  [get('/similar/A*01:01'), 501, { ...message, code: 'starter' }],
]

function nameOf([{ method, url, payload }, status]: Row): string {
  return `${method} ${typeof url === 'string' ? url : ''} ${payload === undefined ? '' : JSON.stringify(payload)} is ${status}`
}

function rowsOf(rows: readonly Row[]) {
  return rows.map((row) => [nameOf(row), row] as const)
}

async function expectRow(app: App, [request, status, body]: Row): Promise<void> {
  const answer = await ask(app, request)
  expect(answer).toEqual({ status, body: Array.isArray(body) ? body : expectedBody(body) })
}

function expectedBody(body: unknown): unknown {
  return body !== null && Object.getPrototypeOf(body) === Object.prototype
    ? expect.objectContaining(body as object)
    : body
}

describe.skipIf(!hasShared)('text for who prefers it', () => {
  const plain = { accept: 'text/plain' }
  test.for([
    [get('/version'), 200, `3580/${packageVersion()}`],
    [get('/ard/A*01:01:01:01'), 200, 'A*01:01'],
    [get('/ard/Bw4'), 200, ''],
    [get('/mac/A*01:AB'), 200, 'A*01:01/A*01:02'],
    [get('/xx/A*43:XX'), 200, 'A*43:01/A*43:02N/A*43:03'],
    [get('/valid?gl_string=A*01:01'), 200, 'true'],
    [get('/valid?gl_string=A*99:99'), 404, 'false'],
    [post('/validate', { gl_string: 'A*01:01' }), 200, 'true'],
  ] as const)('%j is %s', async ([request, status, text]) => {
    const headers = { ...request.headers, ...plain }
    const answer = await full!.inject({ ...request, headers })
    expect([answer.statusCode, answer.body]).toEqual([status, text])
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(answer.headers.vary).toBe('accept')
    // the JSON representation of the same address is another entity
    const json = await full!.inject(request)
    expect(json.headers['content-type']).toMatch(/^application\/json/)
    expect(json.headers.vary).toBe('accept')
    if (json.headers.etag !== undefined) expect(json.headers.etag).not.toBe(answer.headers.etag)
  })

  test('what would be among the notes stands in the head', async () => {
    const answer = await full!.inject({ ...get('/ard/Bw4'), headers: plain })
    expect(String(answer.headers['x-hla-notes'])).toContain('no-alleles')
  })

  test.for([
    [get('/ard/A*99:99'), 400],
    [get('/splits/A25'), 200],
    [get('/similar/A*01:01:01:04'), 200],
  ] as const)('%j is JSON all the same', async ([request, status]) => {
    const answer = await full!.inject({ ...request, headers: plain })
    expect(answer.statusCode).toBe(status)
    expect(answer.headers['content-type']).toMatch(/^application\/json/)
  })

  test('an answer that tells of today is another tomorrow', async () => {
    const { headers } = await full!.inject(get('/version'))
    const known = { 'if-none-match': String(headers.etag) }
    expect((await full!.inject({ ...get('/version'), headers: known })).statusCode).toBe(304)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 60 * 60 * 1000 })
    expect((await full!.inject({ ...get('/version'), headers: known })).statusCode).toBe(200)
    vi.useRealTimers()
  })
})

describe('the contract on the starter set', () => {
  test.for(rowsOf([...COMMON, ...STARTER]))('%s', ([, row]) => expectRow(starter, row))
})

describe.skipIf(full === undefined)('the contract on 3.58.0', () => {
  test.for(rowsOf([...COMMON, ...FULL]))('%s', ([, row]) => expectRow(full!, row))
})

test.skipIf(full === undefined)('notes of a body without a place for them are in the head', async () => {
  const { headers, statusCode } = await full!.inject(get('/similar/A*01:01:01:0?limit=1&x=%C3%A9&%C3%A9=1'))
  expect(statusCode).toBe(200)
  const notes = JSON.parse(String(headers['x-hla-notes'])) as { code: string; message: string }[]
  expect(notes.map(({ code }) => code)).toEqual(['ignored-property', 'limited'])
  expect(notes[0]?.message).toContain('"é"')
})

describe.skipIf(full === undefined)('recorded answers of the peer', () => {
  /** Every n-th row, without declared differences. */
  function sample(file: string, most: number, wanted: (row: CorpusRow) => boolean): CorpusRow[] {
    const apart = readDeviations('3580')
    const rows = readCorpus(`dev/${file}-3580.tsv.gz`).filter(
      ({ op, method, input, output, config }) =>
        // an empty py-ard answer is an error in hla
        config === '' &&
        output !== '' &&
        !output.startsWith('sha256:') &&
        !apart.has(`${op}\t${method}\t${input}`),
    )
    const kept = rows.filter(wanted)
    const step = Math.max(1, Math.floor(kept.length / most))
    return kept.filter((_, at) => at % step === 0)
  }

  async function expectAll(
    rows: readonly CorpusRow[],
    request: (row: CorpusRow) => InjectOptions,
    answer: string,
  ) {
    const wrong: unknown[] = []
    for (const row of rows) {
      const { status, body } = await ask(full!, request(row))
      const said = status === 200 ? (body as Record<string, unknown>)[answer] : undefined
      if (said !== (row.status === 'ok' ? row.output : undefined)) wrong.push({ row, status, body })
    }
    expect(rows.length).toBeGreaterThan(20)
    expect(wrong).toEqual([])
  }

  const METHODS = ['G', 'P', 'lg', 'lgx', 'W', 'exon', 'U2', 'S']

  test('POST /redux of alleles', () =>
    expectAll(
      sample('alleles', 300, ({ method }) => METHODS.includes(method)),
      ({ input, method }) => redux(input, method),
      'ard',
    ))

  test('GET /mac/{allele_code}', () =>
    expectAll(
      sample('ops', 200, ({ op, status }) => op === 'mac-expand' && status === 'ok'),
      ({ input }) => get(`/mac/${encodeURIComponent(input)}`),
      'gl_string',
    ))

  test('POST /mac', () =>
    expectAll(
      sample('ops', 200, ({ op, status }) => op === 'mac-lookup' && status === 'ok'),
      ({ input }) => post('/mac', { gl_string: input }),
      'mac',
    ))

  test('POST /cwd-redux', () =>
    expectAll(
      sample('ops', 200, ({ op, status, output }) => op === 'cwd' && status === 'ok' && output !== ''),
      ({ input }) => post('/cwd-redux', { gl_string: input }),
      'cwd',
    ))
})
