/** Table bodies while they arrive: each has a size limit, and so has their total. */
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { tableBodies } from '../../src/service/table/table-bodies.ts'
import { atTheLimit } from '../support/at-the-limit.ts'

const bytes = (size: number) => Readable.from([Buffer.alloc(size - 2), Buffer.alloc(2)])

describe('a body', () => {
  test('is taken up to its limit', async () => {
    const [most, more] = atTheLimit(bytes, 10)
    const bodies = tableBodies(10, 100)
    const taken = await bodies.take(most)
    expect(taken.kind === 'whole' && Buffer.concat(taken.pieces).length).toBe(10)
    expect(await bodies.take(more)).toEqual({ kind: 'long' })
  })

  test('is taken while there is room for all, and what was released is room again', async () => {
    const bodies = tableBodies(100, 30)
    const [first, second] = [await bodies.take(bytes(10)), await bodies.take(bytes(10))]
    const [most, more] = atTheLimit(bytes, 10)
    const third = await bodies.take(most)
    expect([first, second, third].map(({ kind }) => kind)).toEqual(['whole', 'whole', 'whole'])
    if (third.kind === 'whole') third.release()
    expect(await bodies.take(more)).toEqual({ kind: 'crowded' })
    // releasing twice counts once
    if (first.kind === 'whole') for (let time = 0; time < 2; time += 1) first.release()
    expect((await bodies.take(bytes(20))).kind).toBe('whole')
    expect((await bodies.take(bytes(3))).kind).toBe('crowded')
  })

  test('that is refused or breaks off leaves its room', async () => {
    const bodies = tableBodies(10, 15)
    expect(await bodies.take(bytes(11))).toEqual({ kind: 'long' })
    const broken = new PassThrough()
    const taken = bodies.take(broken)
    broken.write(Buffer.alloc(9))
    await new Promise((turn) => setImmediate(turn))
    broken.destroy(new Error('cut off'))
    await expect(taken).rejects.toThrow('cut off')
    expect((await bodies.take(bytes(10))).kind).toBe('whole')
  })

  test('that comes slowest is refused when there is no room for all', async () => {
    const bodies = tableBodies(100, 20)
    const slow = new PassThrough()
    const waiting = bodies.take(slow)
    slow.write(Buffer.alloc(1))
    await new Promise((resolve) => setTimeout(resolve, 5))
    const quick = await bodies.take(bytes(20))
    if (quick.kind === 'whole') quick.release()
    // what comes of it after its refusal takes no room
    slow.end(Buffer.alloc(1))
    expect(await waiting).toEqual({ kind: 'crowded' })
    expect((await bodies.take(bytes(20))).kind).toBe('whole')
  })
})
