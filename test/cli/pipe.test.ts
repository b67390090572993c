/** The co-process as programs in other languages use it. */
import { mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { OPERATIONS } from '../../src/operations/registry.ts'
import { runHla } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
mkdirSync(temp('here'))

async function answersTo(requests: readonly unknown[]): Promise<Record<string, unknown>[]> {
  const stdin = requests.map((request) => `${JSON.stringify(request)}\n`).join('')
  const { stdout, stderr, status } = await runHla(['pipe', '-r', 'starter'], { cwd: temp('here'), stdin })
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  expect(stdout.endsWith('\n')).toBe(true)
  // the co-process prints one JSON object a line
  return stdout.trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>) // prettier-ignore
}

test('every operation is asked by its name', async () => {
  const requests = OPERATIONS.map(({ name, input }) => ({
    op: name,
    ...Object.fromEntries(
      (input.required ?? []).map((property) => [
        property,
        input.properties[property]?.type === 'array' ? ['A*01:01'] : 'A*01:01',
      ]),
    ),
  }))
  const answers = await answersTo(requests)
  expect(answers).toHaveLength(OPERATIONS.length)
  // an answer, or an error about A*01:01 or the starter set; never one about the request
  const refused = answers.map(({ error }) => (error as { code: string } | undefined)?.code)
  expect(refused).not.toContain('bad-request')
})

test('a list in place of the typing is answered in one line', async () => {
  const typings = ['A*01:01:01', 'A*99:99', 'A*01:04N', 7]
  const [redux, none, valid, mac, unknown] = await answersTo([
    { op: 'redux', gl_string: typings, reduction_method: 'lgx' },
    { op: 'redux', gl_string: [] },
    { op: 'validate', gl_string: ['A*01:01', 'A*01:01+'] },
    { op: 'mac', gl_string: ['A*01:AB'] },
    { op: 'none', gl_string: ['A*01:01'] },
  ])
  // only the answer, without notes
  expect(redux).toMatchObject({
    answers: [
      'A*01:01',
      { error: { code: 'starter', offending: 'A*99:99' } },
      { gl_string: 'A*01:04N', ard: 'A*01:01', notes: [{ code: 'expression-lost' }] },
      { error: { code: 'bad-request', offending: 'gl_string' } },
    ],
  })
  expect(none).toEqual({ answers: [] })
  expect(valid).toMatchObject({ answers: [true, { valid: false, malformed: true, code: 'empty-part' }] })
  expect(mac).toMatchObject({ answers: [{ mac: 'A*01:AB', alleles: ['A*01:01', 'A*01:02'] }] })
  expect(unknown).toMatchObject({ error: { code: 'bad-request' } })
})

test('a list has the answers that its items have alone, in their order', async () => {
  const typings = Array.from({ length: 3000 }, (_, at) =>
    at % 3 === 0 ? `A*01:01+A*02:0${at % 10}` : `A*${at}`,
  )
  const alone = await answersTo(typings.map((gl_string) => ({ op: 'redux', gl_string })))
  const [list] = await answersTo([{ op: 'redux', gl_string: typings }])
  const answers = list?.['answers'] as unknown[]
  expect(answers).toHaveLength(alone.length)
  for (const [at, answer] of alone.entries())
    expect(answers[at]).toEqual('notes' in answer || 'error' in answer ? answer : answer['ard'])
})

test('answers come in the order of requests, also in one piece of many', async () => {
  const typings = Array.from({ length: 3000 }, (_, at) => (at % 3 === 0 ? 'A*01:01' : `A*${at}`))
  const answers = await answersTo(typings.map((gl_string) => ({ op: 'redux', gl_string })))
  const asked = answers.map(({ gl_string, error }) => gl_string ?? (error as { offending: string }).offending)
  expect(asked).toEqual(typings)
})
