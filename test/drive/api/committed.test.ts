/** A committed change is not reported as failed when its response cannot be built. */
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import type { DriveContext } from '../../../src/drive/api/requests/call.ts'
import { answerFailures, trackChanges } from '../../../src/drive/api/answers/committed.ts'
import { OPERATOR } from '../../../src/drive/domain/commands.ts'
import { invalid } from '../../../src/drive/contract/failure.ts'
import type { Store } from '../../../src/drive/persistence/store.ts'

const wrong = () => new TypeError('it has no text')

/** A store that refuses commands whose name begins with `bad`. */
const plain = {
  write: (command: string) => (command.startsWith('bad') ? Promise.reject(wrong()) : Promise.resolve({})),
} as unknown as Store

type Work = (store: Store) => Promise<unknown>

const write = (store: Store, command: string) => store.write(command, OPERATOR, {})
const fail = (error: Error) => () => {
  throw error
}

test.for<[string, Work, number]>([
  ['nothing was written', () => Promise.reject(wrong()), 500],
  ['the change was refused', (store) => write(store, 'badTouch'), 500],
  ['the change is on disk', (store) => write(store, 'touchFile').then(fail(wrong())), 204],
  ['a step is on disk', (store) => write(store, 'noteUpload').then(fail(wrong())), 500],
  [
    'a later change was refused',
    (store) => write(store, 'touchFile').then(() => write(store, 'badTouch')),
    500,
  ],
  ['it says why', (store) => write(store, 'touchFile').then(fail(invalid('No.'))), 400],
] as const)('an answer cannot be made: %s', async ([, work, status]) => {
  const app = fastify()
  answerFailures(app)
  app.post('/', (request) =>
    work(trackChanges({ store: plain } as DriveContext, request).store).then(() => ''),
  )
  expect((await app.inject({ method: 'POST', url: '/' })).statusCode).toBe(status)
})
