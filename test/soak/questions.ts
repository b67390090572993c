/** The questions of a soak and their right answers, computed here from the same data. */
import type { Knowledge } from '../../src/operations/knowledge.ts'
import { errorRecord } from '../../src/operations/error-record.ts'
import { packageVersion } from '../../src/package-root.ts'
import { outputFor } from '../../src/operations/faces.ts'
import { answerRequest } from '../../src/operations/request.ts'
import { localExecutor } from '../../src/operations/executor.ts'
import { errorKind, isHlaError } from '../../src/errors.ts'

export interface Question {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
  readonly status: number
  /** The whole answer, or a property that it must have. */
  readonly answer: Readonly<Record<string, unknown>> | 'message'
}

export interface Line {
  readonly line: string
  readonly answer: string
}

/** Names of the starter set, so that any data can answer them. */
const LISTS = ['A*01:01', 'A*02:01', 'A*01:AB', 'A*01:01:01:01/A*02:01', 'A*02:01:01G', 'A*01:01+A*02:01']
const MORE = ['B*07:02', 'B*08:01', 'B*07:02/B*08:01', 'B*44:02', 'B*07:02:01G', 'B*07:02+B*08:01']

const METHODS = ['G', 'P', 'lg', 'lgx', 'W', 'exon', 'U2', 'S']

export function rightQuestions(knowledge: Knowledge): Question[] {
  const typings = LISTS.flatMap((one) => MORE.map((other) => `${one}^${other}`))
  return [
    ...typings.flatMap((gl_string) =>
      METHODS.map((reduction_method) => redux(knowledge, gl_string, reduction_method)),
    ),
    ...typings.map((gl_string) => validate(knowledge, gl_string)),
    ...[...LISTS, 'A*01:01+', 'A**', '', 'A*01:01^^B*07:02'].map((gl_string) =>
      validate(knowledge, gl_string),
    ),
  ]
}

function redux(knowledge: Knowledge, gl_string: string, reduction_method: string): Question {
  const input = { gl_string, reduction_method }
  const asked = { method: 'POST', path: '/redux', body: JSON.stringify(input) } as const
  try {
    const output = localExecutor(knowledge).execute('redux', input) as object
    return { ...asked, status: 200, answer: asJson({ ...output, pyard_version: packageVersion() }) }
  } catch (error) {
    // the starter set refuses this one
    if (!isHlaError(error)) throw error
    const answer = asJson(errorRecord(error, 'request'))
    return { ...asked, status: errorKind(error.code).status, answer }
  }
}

function validate(knowledge: Knowledge, gl_string: string): Question {
  const output = localExecutor(knowledge).execute('validate', { gl_string })
  const answer = asJson(outputFor(output as Readonly<Record<string, unknown>>, 'request'))
  const status = answer['valid'] === true ? 200 : answer['malformed'] === true ? 400 : 404
  return { method: 'GET', path: `/valid?gl_string=${encodeURIComponent(gl_string)}`, status, answer }
}

/** As sent over the network. */
function asJson(answer: unknown): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(answer)) as Readonly<Record<string, unknown>>
}

const post = (path: string, body: string, status = 400): Question => ({
  method: 'POST',
  path,
  body,
  status,
  answer: 'message',
})
const get = (path: string, status = 400): Question => ({ method: 'GET', path, status, answer: 'message' })

/** Each must be refused with a reason. */
export const BAD: readonly Question[] = [
  post('/redux', '{"gl_string":"A*01:01"'),
  post('/redux', ''),
  post('/redux', 'null'),
  post('/redux', '[]'),
  post('/redux', '{"gl_string":1,"reduction_method":"lgx"}'),
  post('/redux', '{"gl_string":{"a":1},"reduction_method":"lgx"}'),
  post('/redux', '{"gl_string":"A*01:01","reduction_method":"L"}'),
  post('/redux', '{"gl_string":"A*01:01","reduction_method":"__proto__"}'),
  post('/redux', '{"gl_string":"A*01:01\\u0000","reduction_method":"lgx"}'),
  post('/redux', JSON.stringify({ gl_string: 'A*01:01/'.repeat(100_000), reduction_method: 'W' })),
  post('/redux', JSON.stringify({ gl_string: 'A'.repeat(5 * 1024 ** 2), reduction_method: 'lgx' }), 413),
  post('/redux', `${'['.repeat(50_000)}${']'.repeat(50_000)}`),
  post('/mac', '{"gl_string":"A*01:AB"}'),
  post('/blend', '{"DRB1_SLUG":"DRB1*03:01"}'),
  post('/table?method=none', 'A_1,A_2\n01:01,02:01\n'),
  post('/table', 'a,b\n1,2\n'),
  get('/ard/%'),
  get('/ard/%C3%28'),
  get('/ard/%E0%80%80'),
  get('/ard/..%2f..%2fetc%2fpasswd'),
  get('/ard/A*01:01%00'),
  get('/ard/A*01:01%2FA*02:01%2F'),
  get('/valid?gl_string[]=A*01:01'),
  get('/valid?gl_string=A*01:01&gl_string=B'),
  get(`/ard/${'A'.repeat(12_000)}`),
  get('/none/A*01:01', 404),
  get('/redux', 405),
]

/** Valid and invalid lines of `/batch`. */
export function batchLines(knowledge: Knowledge): Line[] {
  const executor = localExecutor(knowledge)
  const asked = LISTS.flatMap((gl_string) =>
    METHODS.map((reduction_method) => ({ gl_string, reduction_method })),
  )
  const wrong = ['A*01:01+', '~', 'A*01:01 '].map((gl_string) => ({ gl_string, reduction_method: 'lgx' }))
  const broken = (fault: unknown) => {
    throw fault
  }
  return [...asked, ...wrong].map((input) => {
    const line = JSON.stringify({ op: 'redux', ...input })
    return { line, answer: JSON.stringify(answerRequest(executor, line, broken)) }
  })
}
