/** A file under a hidden name until it is complete: who replaces it, leaves it, or writes it too. */
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs' // prettier-ignore
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { isDevice, namePart, openPart } from '../../src/io/part-file.ts'
import { errorOf } from '../support/errors.ts'
import { tempFolder } from '../support/temp.ts'

const folder = tempFolder()('part')
const name = join(folder, 'a.csv')
const isLinux = process.platform === 'linux'

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
})

/** Names and contents of the files in the folder. */
function filesIn(): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  )
}

/** How many descriptors this process has of files in the folder. */
function openFiles(): number {
  const links = readdirSync('/proc/self/fd').map((file) => {
    try {
      return readlinkSync(`/proc/self/fd/${file}`)
    } catch {
      return ''
    }
  })
  return links.filter((link) => link.startsWith(folder)).length
}

describe('a part', () => {
  test('has its bytes, and gets its name at the end', () => {
    const part = openPart(name)
    part.write(Buffer.from('a'))
    part.write(Buffer.from('b'))
    expect(filesIn()).toEqual({ '.a.csv.part': 'ab' })
    part.finish()
    expect(filesIn()).toEqual({ 'a.csv': 'ab' })
  })

  test('of an earlier run is begun anew', () => {
    writeFileSync(namePart(name), 'earlier')
    const part = openPart(name)
    part.write(Buffer.from('now'))
    part.finish()
    expect(filesIn()).toEqual({ 'a.csv': 'now' })
  })

  test('of an earlier run is continued at a length', () => {
    writeFileSync(namePart(name), 'earlier')
    const part = openPart(name, 3)
    part.write(Buffer.from(', now'))
    part.finish()
    expect(filesIn()).toEqual({ 'a.csv': 'ear, now' })
  })

  test('is kept for a run that resumes, or removed', () => {
    openPart(name).keep()
    expect(filesIn()).toEqual({ '.a.csv.part': '' })
    openPart(name).remove()
    expect(filesIn()).toEqual({})
  })

  test('of another run is neither finished nor removed', () => {
    const part = openPart(name)
    openPart(name).keep()
    expect(errorOf(() => part.finish())).toMatchObject({
      code: 'io',
      message: `cannot write ${name}: another run is writing it too`,
      offending: name,
    })
    part.remove()
    expect(filesIn()).toEqual({ '.a.csv.part': '' })
  })

  test('into which another run writes is not finished', () => {
    const part = openPart(name)
    part.write(Buffer.from('a'))
    writeFileSync(namePart(name), 'b', { flag: 'a' })
    expect(errorOf(() => part.finish())?.message).toBe(`cannot write ${name}: another run is writing it too`)
    part.remove()
    expect(filesIn()).toEqual({})
  })

  test('of a link is beside its target, which it replaces', () => {
    mkdirSync(join(folder, 'far'))
    writeFileSync(join(folder, 'far/b.csv'), 'old')
    symlinkSync('far/b.csv', name)
    const part = openPart(name)
    expect(readdirSync(join(folder, 'far')).toSorted()).toEqual(['.b.csv.part', 'b.csv'])
    part.write(Buffer.from('new'))
    part.finish()
    expect([readlinkSync(name), readFileSync(name, 'utf8')]).toEqual(['far/b.csv', 'new'])
    expect(readdirSync(join(folder, 'far'))).toEqual(['b.csv'])
  })

  test('of a folder is refused at once', () => {
    mkdirSync(name)
    expect(errorOf(() => openPart(name))?.message).toBe(`cannot write ${name}: it is a folder`)
    expect(readdirSync(folder)).toEqual(['a.csv'])
  })

  test('whose file cannot be replaced is refused', () => {
    mkdirSync(namePart(name))
    const error = errorOf(() => openPart(name))
    expect(error).toMatchObject({ code: 'io', offending: name })
    // not that it is there already
    if (isLinux) expect(error?.cause).toMatchObject({ code: 'EISDIR' })
  })

  test.skipIf(!isLinux).for([
    ['finish', 1],
    ['keep', 1],
    // so much that it is flushed meanwhile
    ['remove', 17 * 1024 ** 2],
  ] as const)('is closed once: %s of %i bytes', async ([end, length]) => {
    const part = openPart(name)
    part.write(Buffer.alloc(length))
    expect(openFiles()).toBe(length === 1 ? 1 : 2)
    await setTimeout(40)
    part[end]()
    for (let more = 0; more < 100 && openFiles() > 0; more += 1) await setTimeout(5)
    expect(openFiles()).toBe(0)
    expect(() => part.keep()).not.toThrow()
  })
})

test.skipIf(process.platform === 'win32')('a device is no file and no folder', () => {
  const names = ['/dev/null', '/dev/stdout', '/proc/self/fd/1', '/dev/stdout.csv', folder, name]
  expect(names.map(isDevice)).toEqual([true, true, true, false, false, false])
})

test.skipIf(!isLinux)('a descriptor of this process takes bytes as they come, behind those it has', () => {
  writeFileSync(name, 'before, ')
  const file = openSync(name, 'a')
  const part = openPart(`/proc/self/fd/${file}`)
  part.write(Buffer.from('now'))
  expect(filesIn()).toEqual({ 'a.csv': 'before, now' })
  part.sync()
  part.finish()
  part.remove()
  closeSync(file)
  expect([filesIn(), openFiles()]).toEqual([{ 'a.csv': 'before, now' }, 0])
})
