/**
 * The data for answers is opened before the service listens; data that cannot be opened affects only the answers that
 * need it.
 */
import { expect, test } from 'vitest'
import type { History } from '../../src/reference/history/history.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import { buildService } from '../../src/service/service.ts'

/** Statuses of a service with this history: of a question that looks up later renames, and of one that does not. */
async function statuses(history: () => History | undefined): Promise<number[]> {
  const app = buildService(makeKnowledge({ ...openStarter(), history }))
  const found: number[] = []
  for (const url of ['/validate', '/redux']) {
    const payload = { gl_string: 'A*01:01:01:01', reduction_method: 'lgx' }
    found.push((await app.inject({ method: 'POST', url, payload })).statusCode)
  }
  return found
}

test('the history is looked for before the first request, and once', async () => {
  let opened = 0
  const history = () => {
    opened += 1
    return undefined
  }
  buildService(makeKnowledge({ ...openStarter(), history }))
  const beforeRequests = opened
  await statuses(history)
  expect([beforeRequests, opened]).toEqual([1, 2])
})

test('a history that the disk does not give leaves the other answers', async () => {
  const history = () => {
    throw new Error('EIO: i/o error, read')
  }
  expect(await statuses(history)).toEqual([500, 200])
})
