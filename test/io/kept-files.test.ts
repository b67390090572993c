/** A file that only spares work is not kept where the folder cannot be written. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { keepIfAllowed } from '../../src/io/atomic-write.ts'
import { tempFolder } from '../support/temp.ts'

const failure = vi.hoisted(() => ({ code: undefined as string | undefined }))

vi.mock('node:fs', async (original) => {
  const real = await original<{ readonly writeFileSync: (...args: unknown[]) => void }>()
  const writeFileSync = (...args: unknown[]) => {
    if (failure.code !== undefined)
      throw Object.assign(new Error(failure.code), { code: failure.code, errno: -1, syscall: 'write' })
    real.writeFileSync(...args)
  }
  return { ...real, writeFileSync }
})

const folder = tempFolder()('kept')
const path = join(folder, 'x.bin')

beforeEach(() => {
  failure.code = undefined
  mkdirSync(folder, { recursive: true })
})

test.for(['EACCES', 'EROFS', 'EPERM', 'ENOSPC'])('%s leaves nothing', (code) => {
  failure.code = code
  keepIfAllowed(path, Buffer.from('x'))
  expect(readdirSync(folder)).toEqual([])
})

test('another failure is one', () => {
  failure.code = 'EIO'
  expect(() => keepIfAllowed(path, Buffer.from('x'))).toThrow(expect.objectContaining({ code: 'EIO', path }))
  expect(existsSync(path)).toBe(false)
})

test('the file is kept where it can be', () => {
  keepIfAllowed(path, Buffer.from('x'))
  expect(readFileSync(path, 'utf8')).toBe('x')
})
