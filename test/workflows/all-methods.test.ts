/**
 * `-m all` means every method of the answering program, on every face that accepts it; questions by one method refuse
 * `all`.
 */
import { mkdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adviceText } from '../../src/operations/faces.ts'
import { makeQuestions } from '../../src/cli/run/questions.ts'
import { methodsServed, type ServedVersion } from '../../src/remote/served-version.ts'
import { CONTRACT_METHODS, METHOD_NAMES, releaseMethods } from '../../src/engine/reduce/methods.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { isHlaError } from '../../src/errors.ts'
import { operationNamed } from '../../src/operations/registry.ts'
import { parseReleaseNumber } from '../../src/reference/release-number.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import { openService } from '../../src/service/service.ts'
import { callHla } from '../support/call-hla.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const service = openService(makeKnowledge(openStarter()), {})
const HERE = releaseMethods(false)
const TABLE = 'id,A_1\n1,A*01:01:01:01\n'

beforeAll(async () => {
  mkdirSync(temp('here'))
  await service.app.ready()
})
afterAll(() => service.app.close())

const run = (args: readonly string[], stdin = '') => callHla([...args, '-r', 'starter'], { cwd: temp('here'), stdin }) // prettier-ignore

test('hats is one of them where the release has it', () => {
  expect(releaseMethods(true)).toEqual(METHOD_NAMES)
  expect([...HERE, 'hats']).toEqual(METHOD_NAMES)
  expect(HERE).toContain('1F')
})

test.for([
  [['lgx', 'ALL'], undefined, ['lgx', ...HERE.filter((method) => method !== 'lgx')]],
  [['all'], ['3.29.0', '3.58.0'], HERE],
  [['all'], ['3.64.0', '3.65.0'], METHOD_NAMES],
  [['all'], ['3.58.0', '3.65.0'], HERE],
] as const)('%j of %j asks by each', ([method, releases, expected]) => {
  const [from_release, to_release] = releases ?? []
  const leading = releases === undefined ? {} : { from_release, to_release }
  const options = { method, leading } as unknown as Parameters<typeof makeQuestions>[1]
  const operation = operationNamed(releases === undefined ? 'redux' : 'diff')
  expect(makeQuestions(operation, options, HERE).map((question) => question.method)).toEqual(expected)
})

test.for([
  [{ label: '3.58.0', isStarter: false, operations: ['redux'] }, HERE],
  [{ label: '3.64.0', isStarter: false, operations: ['redux'] }, METHOD_NAMES],
  [{ label: '3.64.0', isStarter: true, operations: ['redux'] }, HERE],
  [{ label: 'Latest', isStarter: false, operations: undefined }, CONTRACT_METHODS],
] as const)('a service %j', ([served, expected]) => {
  expect(methodsServed(served as unknown as ServedVersion)).toEqual(expected)
})

test('lines', async () => {
  const { stdout, status } = await run(['redux', '-m', 'all', '-f', 'tsv', 'A*01:01:01:01'])
  const methods = stdout.trimEnd().split('\n').slice(1).map((line) => line.split('\t')[1]) // prettier-ignore
  expect([methods, status]).toEqual([HERE, 0])
})

test('tables', async () => {
  const { stdout, status } = await run(['redux', '-m', 'all', '-d', ',', '-q'], TABLE)
  expect([stdout.split('\n')[0], status]).toEqual([['id', 'A_1', ...HERE.map((one) => `A_1_${one}`)].join(','), 0]) // prettier-ignore
  const answer = await service.app.inject({ method: 'POST', url: '/table?name=a.csv&method=all', payload: TABLE }) // prettier-ignore
  expect(answer.statusCode).toBe(200)
  expect(answer.body.replaceAll('\r\n', '\n')).toContain(stdout.trimEnd())
})

test('one question is by one method', async () => {
  const question = { op: 'redux', gl_string: 'A*01:01', reduction_method: 'all' }
  const expected = {
    code: 'unknown-method',
    message: expect.stringContaining(METHOD_NAMES.join(' ')) as unknown,
  }
  const payload = JSON.stringify(question)
  const piped = JSON.parse((await run(['pipe'], `${payload}\n`)).stdout) as { error: unknown }
  expect(piped.error).toMatchObject(expected)
  const batch = await service.app.inject({ method: 'POST', url: '/batch', payload })
  // a service repeats the question in its answer
  expect(batch.json()).toEqual({ ...piped, gl_string: question.gl_string })
  const { op: _, ...body } = question
  const single = await service.app.inject({ method: 'POST', url: '/redux', payload: JSON.stringify(body) })
  expect([single.statusCode, single.json()]).toMatchObject([400, expected])
})

test('help, the message about methods and that about releases know the same names', async () => {
  const [short, methods] = [await run(['redux', '--help']), await run(['help', 'methods'])]
  expect(short.stdout).toContain('hla help methods')
  for (const name of [...METHOD_NAMES, 'all']) expect(methods.stdout.split(/[\s,;:()"`]+/)).toContain(name)
  const { stderr } = await run(['redux', '-m', 'Q', 'A*01:01'])
  expect(stderr).toContain(`Methods: ${METHOD_NAMES.join(' ')} all.`)
  for (const name of [...METHOD_NAMES, 'all'])
    expect(hintOf(() => parseReleaseNumber(name))).toMatch(new RegExp(`^did you mean -m ${name}\\?`))
})

/** The advice of a thrown error, phrased for the command line. */
function hintOf(act: () => unknown): string | undefined {
  try {
    act()
  } catch (error) {
    return isHlaError(error) ? adviceText(error.hint, 'command-line') : undefined
  }
  return undefined
}
