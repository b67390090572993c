/** Distinct numbers, against a Set; distinct cells, as text and as bytes. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distinctCells, keySet } from '../../../src/table/fast/distinct.ts'
import { dataView } from '../../../src/table/fast/memory/byte-buffers.ts'
import { rounds } from '../../support/rounds.ts'

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
    { numRuns: rounds(30) },
  )
})

test('a cell counts once, whether it is read as text or as bytes, and whatever was counted before it', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('A*24:99999', 'é', '', '漢'.repeat(4096)),
  )
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      const cells = distinctCells()
      for (const one of texts) cells.add(1, one)
      const { count } = cells.distinct()
      expect(count).toBe(new Set(texts).size)
      for (const one of texts) {
        const bytes = Buffer.from(`,${one},behind it`)
        cells.addBytes(1, dataView(bytes), 1, 1 + Buffer.byteLength(one))
      }
      expect(cells.distinct().count).toBe(count)
    }),
    { numRuns: rounds(100) },
  )
})

test('no length of a cell is taken for another, nor one name for the next', () => {
  const lengths = Array.from({ length: 20 }, (_, size) => ['A'.repeat(size), 'A'.repeat(size) + '\0'])
  const names = Array.from({ length: 99_000 }, (_, at) => `A*${at % 99}:${Math.floor(at / 99)}`)
  const texts = [...new Set([...lengths.flat(), ...names])]
  const cells = distinctCells()
  for (const text of texts) cells.add(1, text)
  expect(cells.distinct()).toEqual({ count: texts.length, isExact: true })
})
