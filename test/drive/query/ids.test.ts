import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type * as ids from '../../../src/drive/protocol/ids.ts'
import { generateId, isGeneratedId, newId, newSecret } from '../../../src/drive/protocol/ids.ts'

const KEY = randomBytes(32)
const MINE = { user: '1', space: 'drive' }

describe('identifiers', () => {
  test('are opaque, of 28 to 44 characters, and never the same', () => {
    const ids = Array.from({ length: 1000 }, () => [newId(), newSecret(), generateId(KEY, MINE)]).flat()
    expect(ids.filter((id) => !/^[A-Za-z0-9_-]{28,44}$/.test(id))).toEqual([])
    expect(new Set(ids).size).toBe(3000)
    expect([newId(), newSecret(), generateId(KEY, MINE)].map(({ length }) => length)).toEqual([33, 32, 37])
    expect([newId(), generateId(KEY, MINE)].map((id) => id[0])).toEqual(['1', '1'])
  })

  test('have random bits, the first of a process too', async () => {
    const file = '../../../src/drive/protocol/ids.ts?first'
    const first = (await import(file)) as typeof ids
    const emptied = vi.spyOn(Buffer, 'allocUnsafe').mockImplementation((size) => Buffer.alloc(size))
    const made = Array.from({ length: 3 }, () => first.newId())
    emptied.mockRestore()
    const random = made.map((id) => Buffer.from(id.slice(1), 'base64url').toString('hex', 6))
    expect(random.filter((bits) => bits === '0'.repeat(36))).toEqual([])
  })

  test('begin with the time, so that those of one time are together in an index', () => {
    const madeAt = (time: number) => {
      const clock = vi.spyOn(Date, 'now').mockReturnValue(time)
      const beginnings = Array.from({ length: 3 }, () => newId().slice(0, 9))
      clock.mockRestore()
      return [...new Set(beginnings)]
    }
    const time = Date.UTC(2026, 10, 30)
    expect(madeAt(time)).toEqual(madeAt(time))
    expect([...madeAt(time), ...madeAt(time + 1)]).toHaveLength(2)
    expect(madeAt(time + 1)).not.toEqual(madeAt(time))
  })

  test('that were generated are known again for their user and space alone', () => {
    const id = generateId(KEY, MINE)
    expect(isGeneratedId(id, KEY, MINE)).toBe(true)
    expect(isGeneratedId(id, KEY, { user: '2', space: 'drive' })).toBe(false)
    expect(isGeneratedId(id, KEY, { user: '1', space: 'appDataFolder' })).toBe(false)
    expect(isGeneratedId(id, randomBytes(32), MINE)).toBe(false)
    expect(isGeneratedId(newId(), KEY, MINE)).toBe(false)
  })

  test('with any character changed are not', () => {
    const id = generateId(KEY, MINE)
    fc.assert(
      fc.property(fc.nat(id.length - 1), fc.constantFrom('A', 'b', '7', '-', '_', '=', 'é'), (at, other) => {
        const changed = `${id.slice(0, at)}${other}${id.slice(at + 1)}`
        return isGeneratedId(changed, KEY, MINE) === (changed === id)
      }),
    )
  })

  test('of other forms are not', () => {
    fc.assert(fc.property(fc.string(), (text) => !isGeneratedId(text, KEY, MINE)))
    expect(isGeneratedId('1'.repeat(1_000_000), KEY, MINE)).toBe(false)
  })
})
