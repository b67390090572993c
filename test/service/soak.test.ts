/** A short soak; the long one is `npm run soak`. */
import { expect, test } from 'vitest'
import { soak } from '../soak/soak.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()

test('under mixed load, killed and restarted, every answer is right and nothing hangs', async () => {
  const options = { seconds: 10, crowd: 100, askers: 2, workers: 2, dataDir: temp('.'), folder: temp('.') }
  const { counts, wrongs, files, status, leaks } = await soak(options)
  expect(wrongs).toEqual([])
  // the counts depend on the machine
  expect(Object.keys(counts)).toEqual(
    expect.arrayContaining([
      'bad request, refused',
      'question of the crowd',
      'right question',
      'service restarted',
    ]),
  )
  expect(leaks).toBe(0)
  expect(files.after).toBeLessThan(files.before + 20)
  expect(status).toBe(0)
})
