/**
 * Operations mean the same everywhere: command line, pipe, POST /redux, POST /batch, POST /table and the library agree.
 */
import { mkdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DESIGNATION_KINDS } from '../../src/engine/options.ts'
import { isHlaError } from '../../src/errors.ts'
import { errorRecord } from '../../src/operations/error-record.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { type Operations, openOperations } from '../../src/open.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import { openService } from '../../src/service/service.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { callHla } from '../support/call-hla.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const service = openService(makeKnowledge(openStarter()), { maxAlleles: 0 })
const library: Operations = openOperations('starter')
const random = randomNumbers(16)

const COUNT = 5000

const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!

const ODD = Object.getOwnPropertyNames(Object.prototype)
const METHODS = ['G', 'P', 'lg', 'lgx', 'W', 'exon', 'U2', 'S', '1F', 'hats', 'LGX', 'who', 'WHO', 'ard', '1f', 'serology', '2field', 'L', 'l', '', ' lgx', 'all', 'Hats', 7, null, ['lgx'], ...ODD] as const // prettier-ignore
const NAMES = ['A*01:01', 'A*02:01', 'A*01:AB', 'A*02:AB', 'B*07:02', 'A*01:04N', 'A*01:04', 'A*24:02', 'a*01:01', 'A*99:99', 'A1', 'A99', 'Bw4', 'A*01:XX', 'DRB1*15:01', '', ' ', 'A*01:01 ', '01:01', 'A*', 'HLA-A*01:01', 'A*0101', 'H*0101', 'Z*01:01', '+', ...ODD.slice(0, 3)] as const // prettier-ignore

function typing(): unknown {
  if (random() < 0.03) return one([null, 7, [], {}, ['A*01:01']])
  const parts = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
    random() < 0.6 ? one(NAMES.slice(0, 6)) : one(NAMES),
  )
  return parts.join(one(['+', '/', '^', '|', '~', '+']))
}

function oddOptions(): unknown {
  const values: Record<string, unknown> = {
    strict: one([true, false, 'no']),
    ping: one([true, false, 1]),
    ars: one([true, null]),
    exact: true,
    consistentLg: true,
    members: one([true, false]),
    keep: one([['mac'], ['xx', 'serology'], ['constructor'], 'mac', [...DESIGNATION_KINDS]]),
    off: one([['mac'], ['G'], [7]]),
    ignoredSuffixes: one([['NNNN'], ['01:01'], 'x']),
    limit: one([0, 1, 2, 5000, -1, 1.5, '3', 1e300]),
  }
  const names = [...Object.keys(values), one(ODD), 'stict'].filter(() => random() < 0.12)
  return Object.fromEntries(names.map((name) => [name, Object.hasOwn(values, name) ? values[name] : true]))
}

interface Question {
  readonly [member: string]: unknown
}

/** Serialized and parsed, so that `__proto__` is an ordinary member. */
function question(): Question {
  const members: [string, unknown][] = [
    ['gl_string', typing()],
    ['reduction_method', random() < 0.75 ? one(METHODS.slice(0, 17)) : one(METHODS)],
  ]
  if (random() < 0.3) members.push(['options', random() < 0.1 ? one([null, [], 'x', true]) : oddOptions()])
  if (random() < 0.2) members.push(['accept', one([['case'], ['all'], ['space', 'suffix'], ['cases'], 'case', ['constructor'], []])]) // prettier-ignore
  if (random() < 0.1) members.push(['lift', one([true, false, 'yes'])])
  if (random() < 0.1) members.push(['from', one(['3.29.0', '3.58.0', 'constructor', 3])])
  if (random() < 0.25)
    members.push([one([...ODD, 'method', 'strict', 'gl', 'toJSON', 'x']), one([1, null, {}, 'x'])])
  if (random() < 0.02) members.splice(0, 1)
  const text = members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')
  return JSON.parse(`{${text}}`) as Question
}

const QUESTIONS = Array.from({ length: COUNT }, question)

/** What every face must agree on: the answer and its notes, or the error and its position. */
type Meaning = readonly [answer: unknown, ...rest: unknown[]]

const EMPTY = ['no-serology', 'no-alleles']

interface Said {
  readonly code?: unknown
  readonly message?: unknown
  readonly position?: unknown
  readonly offending?: unknown
}

function wrong({ code, message, position, offending }: Said): Meaning {
  return ['error', code, message, position ?? null, offending ?? null]
}

function meaningOf(output: Question): Meaning {
  const notes = (output['notes'] ?? []) as readonly Said[]
  // the contract's form of a refusal
  const reason = output['ard'] === '' ? notes.find(({ code }) => EMPTY.includes(String(code))) : undefined
  if (reason !== undefined) return wrong(reason)
  return [output['gl_string'], output['reduction_method'], output['ard'], notes.map(({ code }) => code)]
}

function answerOf(answer: Question): Meaning {
  const error = answer['error'] as Said | undefined
  return error === undefined ? meaningOf(answer) : wrong(error)
}

const expected: Meaning[] = QUESTIONS.map((asked) => {
  try {
    return meaningOf(library.redux(asked as never))
  } catch (error) {
    if (!isHlaError(error)) throw error
    return wrong(JSON.parse(JSON.stringify(errorRecord(error))) as Said)
  }
})

const LINES = QUESTIONS.map((asked) => {
  const text = JSON.stringify(asked)
  return text === '{}' ? '{"op":"redux"}' : `{"op":"redux",${text.slice(1)}`
})

function readLines(text: string): Meaning[] {
  return text.trimEnd().split('\n').map((line) => answerOf(JSON.parse(line) as Question)) // prettier-ignore
}

/** The first differences, each with its question. */
function expectSame(
  found: readonly Meaning[],
  which: readonly number[] = QUESTIONS.map((_, at) => at),
): void {
  const differences = which.filter(
    (index, at) => JSON.stringify(found[at]) !== JSON.stringify(expected[index]),
  )
  expect(differences.slice(0, 5).map((index) => ({ asked: QUESTIONS[index], found: found[which.indexOf(index)], expected: expected[index] }))).toEqual([]) // prettier-ignore
  expect(found).toHaveLength(which.length)
}

function byMethodOf(which: readonly number[]): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  for (const index of which) {
    const method = String(QUESTIONS[index]?.['reduction_method'])
    groups.set(method, [...(groups.get(method) ?? []), index])
  }
  return groups
}

beforeAll(() => service.app.ready())
afterAll(() => service.app.close())

test('the questions are of every kind', () => {
  const codes = new Set(expected.map(([kind, code]) => (kind === 'error' ? code : 'ok')))
  expect([...codes]).toEqual(expect.arrayContaining(['ok', 'bad-request', 'unknown-method', 'starter', 'bad-syntax', 'empty-part', 'no-hats', 'too-ambiguous', 'no-serology'])) // prettier-ignore
  expect(expected.filter(([kind]) => kind !== 'error').length).toBeGreaterThan(COUNT / 10)
})

test('POST /batch', async () => {
  const { body } = await service.app.inject({ method: 'POST', url: '/batch', payload: LINES.join('\n') })
  expectSame(readLines(body))
})

test('hla pipe', async () => {
  mkdirSync(temp('pipe'))
  // there a list is several typings, each answered as if alone
  const which = QUESTIONS.flatMap((asked, at) => (Array.isArray(asked.gl_string) ? [] : [at]))
  const { stdout, stderr } = await callHla(['pipe', '-r', 'starter'], {
    cwd: temp('pipe'),
    stdin: `${which.map((at) => LINES[at]).join('\n')}\n`,
  })
  expect(stderr).toBe('')
  expectSame(readLines(stdout), which)
})

test('POST /redux', async () => {
  // the contract requires a method
  const which = QUESTIONS.flatMap((asked, at) => ('reduction_method' in asked ? [at] : []))
  const found: Meaning[] = []
  for (const index of which) {
    const payload = JSON.stringify(QUESTIONS[index])
    const answer = await service.app.inject({ method: 'POST', url: '/redux', payload })
    const body = answer.json<Question>()
    found.push(answer.statusCode === 200 ? meaningOf(body) : wrong(body))
  }
  expectSame(found, which)
})

test('the command line', async () => {
  // questions that a command line can express: texts, and its methods; an empty method is not a value of its option
  const which = QUESTIONS.flatMap((asked, at) => {
    const { gl_string: text, reduction_method: method, ...more } = asked
    const isSayable =
      typeof text === 'string' && typeof method === 'string' && method !== 'all' && method !== ''
    return isSayable && Object.keys(more).length === 0 ? [at] : []
  })
  const groups = byMethodOf(which)
  mkdirSync(temp('lines'))
  for (const [method, which] of groups) {
    const stdin = `${which.map((index) => String(QUESTIONS[index]?.['gl_string'])).join('\n')}\n`
    const ran = await callHla(['redux', '-r', 'starter', '-q', '-f', 'jsonl', `--method=${method}`], {
      cwd: temp('lines'),
      stdin,
    })
    const [first] = which
    if (ran.stdout === '') {
      // an error in the question ends the run for any typings
      const message = /^hla: error: (.*?)(?: \[[a-z-]+\])?$/m.exec(ran.stderr)?.[1]
      const errors = which.map((index) => expected[index]).filter((meaning) => meaning?.[2] === message)
      expect([method, errors.length > 0, first !== undefined]).toEqual([method, true, true])
      continue
    }
    const found = ran.stdout.trimEnd().split('\n').map((line) => {
      const record = JSON.parse(line) as Question
      return record['status'] === 'error' ? wrong(record) : meaningOf(record)
    }) // prettier-ignore
    expectSame(found, which)
  }
  expect(groups.size).toBeGreaterThan(12)
})

test('POST /table', async () => {
  // cells with names that include their locus, which a table reads unchanged
  const plain = QUESTIONS.flatMap((asked, at) => {
    const { gl_string: text, reduction_method: method, ...more } = asked
    const isName = typeof text === 'string' && /^A\*\d\d:(?:\d\d+N?|AB)$/.test(text)
    return isName && typeof method === 'string' && Object.keys(more).length === 0 ? [at] : []
  })
  const byMethod = byMethodOf(plain)
  let answered = 0
  for (const [method, which] of byMethod) {
    const payload = `id,A_1\n${which.map((index, row) => `${row},${String(QUESTIONS[index]?.['gl_string'])}`).join('\n')}\n`
    const url = `/table?name=a.csv&columns=A_1&method=${encodeURIComponent(method)}`
    const answer = await service.app.inject({ method: 'POST', url, payload })
    if (answer.statusCode !== 200) {
      const { message } = answer.json<{ message: string }>()
      expect([method, which.map((index) => expected[index]?.[2])]).toEqual([method, which.map(() => message)])
      continue
    }
    const part = (name: string) =>
      new RegExp(`name="${name}"[^]*?\r\n\r\n([^]*?)\r\n--`).exec(answer.body)?.[1] ?? ''
    const failed = new Map(part('errors').split('\n').slice(1).map((line) => [line.split(',')[0], line.split(',')[6]])) // prettier-ignore
    const rows = part('table').trimEnd().split('\n').slice(1).map((line) => line.split(',')) // prettier-ignore
    if (rows.length === 0) {
      expect([method, part('error')]).toEqual([
        method,
        expect.stringContaining(String(expected[which[0] ?? 0]?.[1])),
      ])
      continue
    }
    expect(rows).toHaveLength(which.length)
    for (const [at, index] of which.entries()) {
      const meaning = expected[index] ?? []
      const result = rows[at]?.[2]
      const code = failed.get(String(at + 1))
      answered += 1
      if (meaning[0] === 'error')
        expect([method, index, result, code]).toEqual([method, index, '', meaning[1]])
      else expect([method, index, result, code]).toEqual([method, index, meaning[2], undefined])
    }
  }
  expect(answered).toBeGreaterThan(50)
})
