/** A file that only spares work is not kept where the folder cannot be written. */
import type * as Files from 'node:fs'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { keepIfAllowed, makeFolderDurably, nameSibling } from '../../src/io/atomic-write.ts'
import { openPart } from '../../src/io/part-file.ts'
import { tempFolder } from '../support/temp.ts'

/** What the replaced file system is to refuse, and what the program asked of it. */
const disk = vi.hoisted(() => ({
  failure: undefined as string | undefined,
  log: [] as string[],
  open: 0,
  hasRival: false,
}))

vi.mock('node:fs', async (original) => {
  const real = await original<typeof Files>()
  const note =
    <Given extends unknown[], T>(what: string, run: (...given: Given) => T) =>
    (...given: Given) => {
      disk.log.push(what)
      return run(...given)
    }
  const writeFileSync = (...given: Parameters<typeof real.writeFileSync>) => {
    const code = disk.failure
    if (code !== undefined) throw Object.assign(new Error(code), { code, errno: -1, syscall: 'write' })
    real.writeFileSync(...given)
  }
  const openSync = (path: string, flags: string, mode?: number) => {
    disk.log.push(flags === 'r' ? 'open folder' : 'open file')
    disk.open += 1
    return real.openSync(path, flags, mode)
  }
  const closeSync = (file: number) => {
    disk.open -= 1
    real.closeSync(file)
  }
  const mkdirSync = (...given: Parameters<typeof real.mkdirSync>) => {
    if (disk.hasRival) real.mkdirSync(given[0])
    return real.mkdirSync(...given)
  }
  return {
    ...real,
    mkdirSync,
    openSync,
    closeSync,
    writeFileSync: note('write', writeFileSync),
    fsyncSync: note('sync', real.fsyncSync),
    renameSync: note('rename', real.renameSync),
  }
})

const folder = tempFolder()('kept')
const path = join(folder, 'x.bin')

beforeEach(() => {
  Object.assign(disk, { failure: undefined, open: 0, hasRival: false })
  disk.log.length = 0
  mkdirSync(folder, { recursive: true })
})

test.for(['EACCES', 'EROFS', 'EPERM', 'ENOSPC'])('%s leaves nothing', (code) => {
  disk.failure = code
  keepIfAllowed(path, Buffer.from('x'))
  expect(readdirSync(folder)).toEqual([])
})

test('another failure is one', () => {
  disk.failure = 'EIO'
  expect(() => keepIfAllowed(path, Buffer.from('x'))).toThrow(expect.objectContaining({ code: 'EIO', path }))
  expect(existsSync(path)).toBe(false)
})

test('a file whose folder is gone fails as that', () => {
  const gone = join(folder, 'gone/x.bin')
  const failure = { code: 'ENOENT', syscall: 'open', path: gone }
  expect(() => keepIfAllowed(gone, Buffer.from('x'))).toThrow(expect.objectContaining(failure))
})

test('an unfinished file is hidden, beside the finished one, and of one process and call', () => {
  const names = [1, 2].map(() => nameSibling(path, 'new'))
  const form = new RegExp(`^${folder}/\\.x\\.bin\\.${process.pid}-[0-9a-f]{8}\\.new$`)
  for (const name of names) expect(name.replaceAll('\\', '/')).toMatch(form)
  expect(new Set(names).size).toBe(2)
})

test('a folder that another process makes at the same time is there', () => {
  disk.hasRival = true
  makeFolderDurably(join(folder, 'rival'))
  expect(existsSync(join(folder, 'rival'))).toBe(true)
})

test('the file is kept where it can be', () => {
  keepIfAllowed(path, Buffer.from('x'))
  expect(readFileSync(path, 'utf8')).toBe('x')
})

test('a loss of power leaves the whole file or none', () => {
  keepIfAllowed(path, Buffer.from('x'))
  const whole = ['open file', 'write', 'sync', 'rename']
  expect(disk).toMatchObject({ log: [...whole, 'open folder', 'sync'], open: 0 })
  disk.log.length = 0
  // whose folders cannot be opened
  const { platform } = process
  Object.defineProperty(process, 'platform', { value: 'win32' })
  keepIfAllowed(path, Buffer.from('x'))
  Object.defineProperty(process, 'platform', { value: platform })
  expect(disk.log).toEqual(whole)
})

test('a result is on the disk before it has its name', () => {
  const part = openPart(path)
  part.write(Buffer.from('x'))
  expect(disk.log).toEqual(['open file'])
  part.finish()
  expect(disk).toMatchObject({ log: ['open file', 'sync', 'rename'], open: 0 })
})

test('a new folder is entered in those above it', () => {
  makeFolderDurably(join(folder, 'a/b'))
  expect(existsSync(join(folder, 'a/b'))).toBe(true)
  const entered = ['open folder', 'sync']
  expect(disk).toMatchObject({ log: [...entered, ...entered], open: 0 })
  makeFolderDurably(join(folder, 'a/b'))
  expect(disk.log.length).toBe(4)
})
