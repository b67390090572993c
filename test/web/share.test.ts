/** The event loop and limited places are shared by caller. */
import { setImmediate, setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { sharePlaces, shareLoop } from '../../src/web/share.ts'

function spin(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

describe('the event loop', () => {
  test('runs work at once, and in order', async () => {
    const share = shareLoop()
    const ran: number[] = []
    const all = [1, 2, 3].map((at) => share.run('a', () => ran.push(at)))
    // the others wait if the machine ran something else meanwhile
    expect(ran[0]).toBe(1)
    expect(await Promise.all(all)).toEqual([1, 2, 3])
    expect(ran).toEqual([1, 2, 3])
  })

  test('lets a caller wait that has used its slice, and no other', async () => {
    const share = shareLoop()
    const ran: string[] = []
    const work = (caller: string, ms: number) => share.run(caller, () => (spin(ms), ran.push(caller)))
    const many = Array.from({ length: 40 }, () => work('greedy', 3))
    // two fit into its slice, or one if the machine ran something else meanwhile
    const first = ran.length
    expect([1, 2]).toContain(first)
    await work('other', 1)
    expect(ran.slice(first)).toEqual(['other'])
    await Promise.all(many)
    expect(ran.filter((one) => one === 'greedy')).toHaveLength(40)
  })

  test('gives each waiting caller a slice in turn', async () => {
    const share = shareLoop()
    const ran: string[] = []
    const callers = ['a', 'b', 'c']
    const all = callers.flatMap((caller) =>
      Array.from({ length: 5 }, () => share.run(caller, () => (spin(6), ran.push(caller)))),
    )
    await Promise.all(all)
    for (const at of [0, 3, 6, 9, 12]) expect(ran.slice(at, at + 3).toSorted()).toEqual(callers)
  })

  test('handles other events between two slices', async () => {
    const share = shareLoop()
    let done = 0
    const all = Array.from({ length: 20 }, () => share.run('a', () => (spin(6), (done += 1))))
    await setImmediate()
    await setImmediate()
    expect(done).toBeLessThan(5)
    await Promise.all(all)
    expect(done).toBe(20)
  })

  test('waits between two slices while connections come, one a turn of the loop, and not for ever', async () => {
    const share = shareLoop()
    for (const connections of [20, Infinity]) {
      const done: number[] = []
      let come = 0
      const all = [1, 2].map((at) => share.run('a', () => (spin(6), done.push(at))))
      while (done.length < 2 && come < connections) {
        share.connected()
        come += 1
        await setImmediate()
      }
      await Promise.all(all)
      expect(come).toBeGreaterThanOrEqual(20)
      expect(come).toBeLessThan(200)
    }
  })

  test('tells work when its slice ends, and passes on its error', async () => {
    const share = shareLoop()
    const slices = await Promise.all([1, 2].map(() => share.run('a', (until) => until - performance.now())))
    for (const left of slices) {
      expect(left).toBeGreaterThan(0)
      expect(left).toBeLessThan(5.1)
    }
    const fault = new Error('a fault')
    await expect(
      share.run('a', () => {
        throw fault
      }),
    ).rejects.toBe(fault)
    expect(await share.run('a', () => 'next')).toBe('next')
  })

  /** A share whose work takes the given ms exactly; `slices` has what was left of its slice to each. */
  function timed() {
    let clock = 100
    const now = vi.spyOn(performance, 'now').mockImplementation(() => clock)
    onTestFinished(() => now.mockRestore())
    const slices: number[] = []
    const work = (ms: number) => (until: number) => {
      slices.push(until - clock)
      clock += ms
    }
    return { share: shareLoop(), slices, work }
  }

  test('a slice is 5 ms of a turn, and the next turn has another', async () => {
    const { share, slices, work } = timed()
    const ran = (caller: string, times: readonly number[]) =>
      times.map((ms) => share.tryRun(caller, work(ms)))
    for (let turn = 0; turn < 2; turn += 1) {
      expect(ran('a', [2, 2, 2, 2])).toEqual([true, true, true, false])
      expect(ran('b', [5, 1])).toEqual([true, false])
      expect(slices.splice(0)).toEqual([5, 3, 1, 5])
      await setImmediate()
    }
    // what waits has its turn before what comes
    expect(ran('a', [5])).toEqual([true])
    for (const ms of [2, 3, 0, 1]) share.queue('a', work(ms))
    slices.length = 0
    await setImmediate()
    expect(slices.splice(0)).toEqual([5, 3])
    expect(ran('a', [0])).toEqual([false])
    await setImmediate()
    expect(slices).toEqual([5, 5])
    expect(ran('a', [0])).toEqual([true])
  })

  test.for([
    [0, 1],
    [1, 2],
    [3, 4],
    [Infinity, 65],
  ] as const)('with %d connections one after the other %d turns pass', async ([connections, turns]) => {
    const { share, work } = timed()
    for (let time = 0; time < 2; time += 1) {
      share.tryRun('a', work(5))
      const done: string[] = []
      share.queue('a', () => done.push('a'))
      let turn = 0
      for (; done.length === 0 && turn < 200; turn += 1) {
        if (turn < connections) share.connected()
        await setImmediate()
      }
      expect(turn).toBe(turns)
      await setImmediate()
      await setImmediate()
    }
  })

  test('serves a caller without a name', async () => {
    const share = shareLoop()
    const all = ['', 'a'].flatMap((caller) => [6, 6, 6].map((ms) => share.run(caller, () => spin(ms))))
    expect(await Promise.all(all)).toHaveLength(6)
  })

  test('is idle without work', async () => {
    const share = shareLoop()
    await share.run('a', () => spin(6))
    await setTimeout(5)
    expect(share.tryRun('a', () => undefined)).toBe(true)
  })
})

describe('places', () => {
  const occupied = async (count: number, callers: readonly string[]) => {
    const places = sharePlaces(count)
    const got: string[] = []
    const releases: (() => void)[] = []
    const all = callers.map(async (caller) => {
      const release = await places.take(caller)
      got.push(caller)
      releases.push(release)
    })
    await setImmediate()
    return { places, got, releases, all }
  }

  test('are given at once while there are any', async () => {
    const { got } = await occupied(3, ['a', 'a', 'b', 'a'])
    expect(got).toEqual(['a', 'a', 'b'])
  })

  test('go to who has the fewest', async () => {
    const { got, releases } = await occupied(2, ['a', 'a', 'a', 'a', 'b', 'c'])
    expect(got).toEqual(['a', 'a'])
    releases[0]?.()
    await setImmediate()
    expect(got).toEqual(['a', 'a', 'b'])
    // now a has one place, b has one, and c none
    releases[2]?.()
    await setImmediate()
    expect(got).toEqual(['a', 'a', 'b', 'c'])
    releases[1]?.()
    releases[3]?.()
    await setImmediate()
    expect(got.slice(4)).toEqual(['a', 'a'])
  })

  test('go in turn to those that have as many', async () => {
    const { got, releases } = await occupied(1, ['c', 'a', 'a', 'b'])
    for (let at = 0; at < 3; at += 1) {
      releases[at]?.()
      await setImmediate()
    }
    expect(got).toEqual(['c', 'a', 'b', 'a'])
  })

  test('that were given back do not count', async () => {
    const places = sharePlaces(3)
    for (let time = 0; time < 2; time += 1) {
      const free = await places.take('a')
      free()
    }
    const [, , last] = await Promise.all(['a', 'b', 'c'].map((caller) => places.take(caller)))
    const got: string[] = []
    for (const caller of ['a', 'b']) void places.take(caller).then(() => got.push(caller))
    last?.()
    await setImmediate()
    expect(got).toEqual(['a'])
  })

  test('are given in the order of waiting', async () => {
    const places = sharePlaces(1)
    const got: number[] = []
    let release = () => {}
    const wait = (number: number) =>
      void places.take('a').then((free) => {
        got.push(number)
        release = free
      })
    for (const number of [1, 2, 3]) wait(number)
    for (const number of [4, 5, 6]) {
      await setImmediate()
      wait(number)
      release()
    }
    await setImmediate()
    expect(got).toEqual([1, 2, 3, 4])
  })

  test('are freed once', async () => {
    const { got, releases } = await occupied(1, ['a', 'b', 'c'])
    releases[0]?.()
    releases[0]?.()
    await setImmediate()
    expect(got).toEqual(['a', 'b'])
  })
})
