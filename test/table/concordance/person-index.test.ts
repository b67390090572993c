/** Persons by id: the same as in a Map, for any number of persons, up to the limit. */
import { expect, test } from 'vitest'
import { newPersonIndex } from '../../../src/table/concordance/compare-files.ts'
import { randomNumbers } from '../../support/random-numbers.ts'

test('ids of any length and alphabet are found as in a Map', () => {
  const random = randomNumbers(7)
  const index = newPersonIndex()
  const known = new Map<string, number>()
  for (let at = 0; at < 30_000; at += 1) {
    const id = `${'Ärzte😀-_ '.slice(0, Math.floor(random() * 9))}${Math.floor(random() * 20_000)}${'x'.repeat(at % 50)}`
    const number = index.add(id)
    expect(number).toBe(known.has(id) ? undefined : known.size)
    if (number !== undefined) known.set(id, number)
  }
  expect(index.size).toBe(known.size)
  for (const [id, number] of known) {
    expect(index.find(id)).toBe(number)
    expect(Buffer.from(index.id(number))).toEqual(Buffer.from(id))
  }
  expect(index.find('nobody')).toBeUndefined()
})

test('one more than there may be is refused in one line', () => {
  const index = newPersonIndex(2)
  index.add('1')
  index.add('2')
  expect(index.add('2')).toBeUndefined()
  expect(() => index.add('3')).toThrow(
    expect.objectContaining({ code: 'usage', message: 'more than 2 persons in the first file' }),
  )
})
