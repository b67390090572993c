/** A file is flushed to disk while it is written. */
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { openPart, namePart } from '../../src/io/part-file.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const MIB = 1024 * 1024

test.skipIf(process.platform !== 'linux')(
  'a long file is whole, and nothing holds it open at the end',
  async () => {
    const name = temp('long')
    const part = openPart(name)
    for (let piece = 0; piece < 40; piece += 1) part.write(Buffer.alloc(MIB, piece))
    // one descriptor writes it, one flushes it
    expect(openFiles('.long.part')).toBe(2)
    part.finish()
    expect(readFileSync(name).every((byte, at) => byte === Math.floor(at / MIB))).toBe(true)
    await vi.waitFor(() => expect(openFiles('long')).toBe(0))
  },
)

test('a file that somebody removed meanwhile is refused at its end, where it is synchronised', () => {
  const name = temp('removed')
  const part = openPart(name)
  part.write(Buffer.alloc(MIB))
  rmSync(namePart(name))
  for (let piece = 0; piece < 20; piece += 1) part.write(Buffer.alloc(MIB))
  expect(() => part.finish()).toThrow('another run is writing it too')
})

function openFiles(ending: string): number {
  return readdirSync('/proc/self/fd').filter((file) => placeOf(file).endsWith(`/${ending}`)).length
}

/** Empty for the descriptor that lists the folder. */
function placeOf(file: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${file}`)
  } catch {
    return ''
  }
}
