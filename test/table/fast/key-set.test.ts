/** Numbers each once, held to a Set. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keySet } from '../../../src/table/fast/distinct.ts'

test('holds what a Set holds, however many there are', () => {
  const number = fc.oneof(
    fc.nat(50),
    fc.maxSafeNat().map((one) => Math.min(one, 2 ** 53 - 2)),
  )
  fc.assert(
    fc.property(fc.array(number, { maxLength: 9000, size: 'max' }), (numbers) => {
      const [keys, model] = [keySet(), new Set<number>()]
      for (const one of numbers) {
        expect(keys.add(one)).toBe(!model.has(one))
        model.add(one)
      }
      expect(keys.size()).toBe(model.size)
      expect(keys.values().toSorted()).toEqual(Float64Array.from(model).toSorted())
      expect(numbers.some((one) => keys.add(one))).toBe(false)
      keys.clear()
      expect([keys.size(), keys.values().length, keys.add(numbers[0] ?? 0)]).toEqual([0, 0, true])
    }),
    { numRuns: 30 },
  )
})
