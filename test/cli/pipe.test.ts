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
  // one JSON object a line is what the co-process promises
  return stdout.trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>) // prettier-ignore
}

test('every operation is asked by its name', async () => {
  const requests = OPERATIONS.map(({ name, input }) => ({
    op: name,
    ...Object.fromEntries((input.required ?? []).map((property) => [property, 'A*01:01'])),
  }))
  const answers = await answersTo(requests)
  expect(answers).toHaveLength(OPERATIONS.length)
  // an answer, or what is wrong with A*01:01 or the starter set; never with the request
  const refused = answers.map(({ error }) => (error as { code: string } | undefined)?.code)
  expect(refused).not.toContain('bad-request')
})

test('answers come in the order of requests, also in one piece of many', async () => {
  const typings = Array.from({ length: 3000 }, (_, at) => (at % 3 === 0 ? 'A*01:01' : `A*${at}`))
  const answers = await answersTo(typings.map((gl_string) => ({ op: 'redux', gl_string })))
  const asked = answers.map(({ gl_string, error }) => gl_string ?? (error as { offending: string }).offending)
  expect(asked).toEqual(typings)
})
