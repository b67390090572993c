/** The sum of a part of a file is that of its bytes, however many pieces they come in. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { sumStart } from '../../src/io/file-sum.ts'
import { openPart } from '../../src/io/part-file.ts'

test.for([[], [1], [100, 7], [300 * 1024], [200 * 1024, 60 * 1024, 5, 90 * 1024]])(
  'pieces of %j bytes',
  (sizes) => {
    const folder = mkdtempSync(join(tmpdir(), 'hla-part-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const output = join(folder, 'out.csv')
    const part = openPart(output)
    const written: Buffer[] = []
    // whoever writes has its bytes again at once
    const room = Buffer.alloc(300 * 1024)
    for (const [at, size] of sizes.entries()) {
      const piece = room.subarray(0, size).fill(at + 1)
      written.push(Buffer.from(piece))
      part.write(piece)
      if (at === 1) expect(part.sum()).toBe(crc32(Buffer.concat(written)))
    }
    const all = Buffer.concat(written)
    expect(part.sum()).toBe(crc32(all))
    part.finish()
    expect(sumStart(output, all.length)).toBe(crc32(all))
    const more = openPart(output, { length: 0, sum: crc32(all) }, output)
    more.write(Buffer.from('more'))
    expect(more.sum()).toBe(crc32(Buffer.from('more'), crc32(all)))
    more.remove()
  },
)

test('of a part that is gone on with, whose sum was not kept, all of it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hla-part-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const output = join(folder, 'out.csv')
  const first = openPart(output)
  first.write(Buffer.from('kept, lost'))
  first.keep()
  const second = openPart(output, { length: 4 })
  second.write(Buffer.from(' and more'))
  expect(second.sum()).toBe(crc32(Buffer.from('kept and more')))
  second.write(Buffer.from('!'))
  expect(second.sum()).toBe(crc32(Buffer.from('kept and more!')))
  second.remove()
})
