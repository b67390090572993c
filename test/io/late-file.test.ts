/** Every way of reading a late file returns the requested bytes. */
import { existsSync, readdirSync, readlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openLate } from '../../src/io/late-file.ts'
import { asRun, STREAMS } from '../../src/io/run.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const SIZE = 50_001
const content = Buffer.from(Array.from({ length: SIZE }, (_, at) => 1 + (at % 251)))

function stored(): string {
  const path = temp('file')
  writeFileSync(path, content)
  return path
}

test('ranges in any order', () => {
  const random = randomNumbers(5)
  const path = stored()
  for (let round = 0; round < 50; round += 1) {
    const { bytes, load } = openLate(path)
    expect(bytes.length).toBe(SIZE)
    for (let asked = 0; asked < 8; asked += 1) {
      const from = Math.floor(random() * SIZE)
      const to = Math.min(SIZE, from + Math.floor(random() ** 3 * SIZE))
      load(from, to)
      expect(content.compare(bytes, from, to, from, to), `${from} to ${to}`).toBe(0)
    }
  }
})

test('what was not asked for is not read', () => {
  const { bytes, load } = openLate(stored())
  load(SIZE - 1, SIZE)
  load(0, 0)
  expect(bytes[SIZE - 1]).toBe(content[SIZE - 1])
  expect(bytes.subarray(0, SIZE - 5000).every((byte) => byte === 0)).toBe(true)
})

test('a file that was cut meanwhile is refused', () => {
  const path = stored()
  const { load } = openLate(path)
  truncateSync(path, 10_000)
  load(0, 5000)
  expect(() => load(0, SIZE)).toThrow(expect.objectContaining({ code: 'truncated-file' }))
})

test.skipIf(process.platform !== 'linux')('the file is open until its run ends', async () => {
  const path = stored()
  const openFiles = () =>
    readdirSync('/proc/self/fd').filter((file) => {
      const link = `/proc/self/fd/${file}`
      return existsSync(link) && readlinkSync(link) === path
    }).length
  const before = openFiles()
  const during = await asRun([], { ...STREAMS, output: 101 }, async () => {
    const { bytes, load } = openLate(path)
    await Promise.resolve()
    load(0, 1)
    return [bytes[0], openFiles()]
  })
  expect([during, openFiles()]).toEqual([[1, before + 1], before])
})
