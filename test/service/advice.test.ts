/** Limits of one table and one batch at the service: suggestions for unknown names, and lines. */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { DEFAULT_SERVICE } from '../../src/service/options.ts'
import { openService, type Service } from '../../src/service/service.ts'
import { tableShare } from '../../src/service/table/table-share.ts'
import { THREAD_HEAP } from '../../src/service/threads/threads.ts'
import { smallMacs, smallRelease } from '../support/small-release.ts'

const open: Service[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.drain({ delay: 0, patience: 0 })))
})

async function post(path: string, body: string): Promise<Response> {
  const service = openService(makeKnowledge({ release: smallRelease(), mac: smallMacs() }))
  open.push(service)
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = service.app.server.address() as AddressInfo // a TCP server's address is an object
  return fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body })
}

const SAID = 'suggestions were made only for the first 10,000 unknown names'
/** Unknown names, each close enough to `A*01:22N` to suggest it. */
const WRONG = Array.from({ length: 10_001 }, (_, at) => `A*01:22${String(at).padStart(5, '0')}`)

test('a batch is advised on its first 10,000 unknown names, and says so once', async () => {
  const ask = (gl_string: string) => JSON.stringify({ op: 'redux', gl_string })
  const lines = [...WRONG, 'A*01:22', 'A*01:22'].map(ask)
  const answers = (await (await post('/batch', lines.join('\n'))).text()).trimEnd().split('\n')
  expect(answers).toHaveLength(10_003)
  expect(answers.filter((answer) => answer.includes(SAID))).toHaveLength(1)
  expect(answers[10_000]).toContain(SAID)
  // in a request alone it would be suggested
  expect(answers[10_001]).not.toContain('A*01:22N')
  expect(await (await post('/batch', ask('A*01:22'))).text()).toContain('A*01:22N')
})

test('so is a table', async () => {
  const answer = await post(
    '/table?name=a.csv',
    `id,A_1,A_2\n${WRONG.map((name) => `1,${name},01:01\n`).join('')}`,
  )
  const form = await answer.formData()
  const summary = JSON.parse(form.get('summary') as string) as object // a part without a file name
  expect(summary).toMatchObject({ failed: 10_001, said: [{ code: 'suggestions', message: SAID }] })
})

test('a table has at most 5,000,000 lines', async () => {
  const answer = await post('/table?name=a.csv&on_error=keep', `A_1,A_2\n${',\n'.repeat(5_000_001)}`)
  // an error found after rows were sent replaces the summary
  const text = await answer.text()
  expect(text.slice(-600)).toContain('the table has more than 5,000,000 lines')
  expect(text.slice(-600)).not.toContain('"summary"')
})

test('the memory that docs/deployment.md sets aside for tables is that of the program', () => {
  const mib = tableShare(DEFAULT_SERVICE.maxTable) / 1024 ** 2
  const page = readFileSync(join(import.meta.dirname, '../../docs/deployment.md'), 'utf8')
  expect(page).toContain(`a heap of ${THREAD_HEAP} MiB: allow for ${mib} MiB more`)
})
