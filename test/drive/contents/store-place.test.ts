/** A place of contents that is claimed again after an outage, and the heads that commands read from a bucket. */
import { Readable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { StorageFailure } from '../../../src/drive/contract/failure.ts'
import { headFiles } from '../../../src/drive/persistence/contents/places/heads.ts'
import { keepClaiming } from '../../../src/drive/persistence/contents/places/store-place.ts'
import { HlaError } from '../../../src/errors.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

test('a place of contents that comes back, and is not whole yet, is claimed again; one of another store ends the server', async () => {
  vi.useFakeTimers()
  const away = new StorageFailure(503, 'backendError', 'away')
  const unusable = new HlaError('io', 'the bucket cannot be used: 404 NoSuchBucket')
  const foreign = new HlaError('data-differs', 'the bucket has the contents of another store')
  const answers: (Error | undefined)[] = [away, unusable, away, unusable, undefined]
  const said: string[] = []
  const broken: Error[] = []
  const answer = () => {
    const error = answers.shift()
    return error === undefined ? Promise.resolve() : Promise.reject(error)
  }
  const claim = () =>
    keepClaiming({
      name: 's3://bucket',
      claim: answer,
      onWarning: (text) => void said.push(text),
      onBroken: (error) => void broken.push(error),
    })
  await claim()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([answers, said.length, broken]).toEqual([[], 4, []])
  // at startup the same error is fatal
  answers.push(unusable)
  await expect(claim()).rejects.toThrow('cannot be used')
  answers.push(away, foreign)
  await claim()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(broken).toEqual([foreign])
  vi.useRealTimers()
})

test('a head that fails at once is an error of its request, and does not end the service', async () => {
  const heads = headFiles({ path: temp('.') })
  await expect(heads.keep(temp('gone'), 'a')).rejects.toMatchObject({ code: 'ENOENT' })
  const failing = new Readable({ read: () => undefined })
  failing.destroy(new Error('cut'))
  const contents = { open: () => Promise.resolve(failing) }
  await expect(heads.bring(contents, { sha256: 'b', size: 5 })).rejects.toThrow('cut')
})
