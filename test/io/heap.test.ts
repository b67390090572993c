/** The heap of a long run is limited step by step as it grows; that of a service never. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const MIB = 1024 ** 2

/** Sizes that V8 and the system tell, and the flags that V8 was given. */
const heap = { total: 100 * MIB, young: 0 }
const given: string[] = []

/** The module as a process begins. */
async function begin() {
  vi.resetModules()
  const { heapFlags, keepHeapsSmall, keepNewSpaceSmall } = await import('../../src/io/heap.ts')
  const v8 = {
    setFlagsFromString: (flag: string) => given.push(flag),
    getHeapStatistics: () => ({ total_heap_size: heap.total }),
    getHeapSpaceStatistics: () => [
      { space_name: 'old_space', space_size: heap.total },
      { space_name: 'new_space', space_size: heap.young },
    ],
  }
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(v8)
  vi.spyOn(process, 'memoryUsage').mockImplementation((() => ({ heapTotal: heap.total })) as never)
  /** Flags after a call at this growth and with this young generation. */
  const flagsAt = (grown: number, young = 0) => {
    Object.assign(heap, { total: 100 * MIB + grown, young })
    keepNewSpaceSmall()
    expect(heapFlags()).toEqual(given)
    return given.length
  }
  return { keepHeapsSmall, flagsAt }
}

beforeEach(() => {
  given.length = 0
})
afterEach(() => vi.restoreAllMocks())

test('of a table: each limit comes once, at its size', async () => {
  const { keepHeapsSmall, flagsAt } = await begin()
  keepHeapsSmall()
  // a short run is not measured
  expect([200, 300, 400].map((grown) => flagsAt(grown * MIB))).toEqual([0, 0, 0])
  expect([flagsAt(0), flagsAt(8 * MIB - 1, 8 * MIB), flagsAt(8 * MIB), flagsAt(8 * MIB)]).toEqual([
    0, 0, 3, 3,
  ])
  expect([flagsAt(16 * MIB - 1), flagsAt(16 * MIB), flagsAt(100 * MIB)]).toEqual([3, 4, 4])
  expect([flagsAt(0, 8 * MIB - 1), flagsAt(0, 8 * MIB), flagsAt(100 * MIB, 8 * MIB)]).toEqual([4, 5, 5])
  expect(given).toEqual([
    '--min-semi-space-size=4',
    '--max-semi-space-size=4',
    '--no-allocation-site-pretenuring',
    '--heap-growing-percent=80',
    '--semi-space-growth-factor=1',
  ])
})

test('of a table that grows at once', async () => {
  const { keepHeapsSmall, flagsAt } = await begin()
  keepHeapsSmall()
  expect([0, 0, 0, 0, 50].map((grown) => flagsAt(grown * MIB, 8 * MIB))).toEqual([0, 0, 0, 0, 5])
})

test('of a service', async () => {
  const { flagsAt } = await begin()
  expect([0, 0, 0, 0, 50, 100].map((grown) => flagsAt(grown * MIB, 8 * MIB))).toEqual([0, 0, 0, 0, 0, 0])
})
