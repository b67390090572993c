/** Memory of what typings became, as one thread writes it and another reads it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sharedTypings, sharedTypingsMemory } from '../../../src/batch/fast/shared-typings.ts'
import { BY_TEXT, type Entry, NOTED, PLAIN, TOKEN } from '../../../src/batch/fast/typing-table.ts'

function entryOf(texts: readonly string[], kind: Entry['kind'] = PLAIN): Entry {
  return {
    kind,
    status: 0,
    names: texts.length,
    results: texts.map((text, at) => ({ text, rank: at + 0.5 })),
  }
}

/** Its key stands somewhere in what is read. */
function asked(text: string, hash: number) {
  const input = Buffer.from(`,${text},`, 'latin1')
  return [{ hash, start: 1, size: input.length - 2 }, input] as const
}

/** Two threads that look at the same memory. */
function two(methods: number) {
  const memory = sharedTypingsMemory()
  return [sharedTypings(memory, methods), sharedTypings(memory, methods)] as const
}

describe('sharedTypings', () => {
  test('what one has added the other finds, whatever their hashes have in common', () => {
    const typing = fc.tuple(fc.string({ unit: 'binary-ascii', maxLength: 40 }), fc.string({ maxLength: 90 }))
    const typings = fc.uniqueArray(typing, { selector: ([text]) => text, maxLength: 12 })
    fc.assert(
      fc.property(typings, fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), (list, hash) => {
        const [writer, reader] = two(2)
        for (const [text, result] of list) writer.add(...asked(text, hash), entryOf([result, text]))
        for (const [text, result] of list)
          expect(reader.find(...asked(text, hash))).toEqual(entryOf([result, text]))
        expect(reader.find(...asked('A*01:01\u00ff', hash))).toBeUndefined()
      }),
      { numRuns: 20 },
    )
  })

  test('bytes that are no ASCII, and the rank of a list, come back as they were', () => {
    const [writer, reader] = two(1)
    const entry: Entry = { kind: PLAIN, status: 0, names: 3, results: [{ text: 'f\u00fcr', rank: BY_TEXT }] }
    writer.add(...asked('\u00fc', 7), entry)
    expect(reader.find(...asked('\u00fc', 7))).toEqual(entry)
  })

  test('the same bytes with another hash, of another context, are another typing', () => {
    const [writer, reader] = two(1)
    writer.add(...asked('01:01', 7), entryOf(['A*01:01']))
    expect(reader.find(...asked('01:01', 8))).toBeUndefined()
  })

  test.for([
    ['something to count beside it', entryOf(['A*01:01'], NOTED)],
    ['a token', entryOf([], TOKEN)],
  ] as const)('each thread finds out for itself: %s', ([, entry]) => {
    const [writer, reader] = two(entry.results.length)
    writer.add(...asked('x', 1), entry)
    expect(reader.find(...asked('x', 1))).toBeUndefined()
  })

  test('a full memory keeps what it has and takes nothing more', () => {
    const [writer, reader] = two(1)
    const long = 'x'.repeat(4000)
    for (let hash = 0; hash < 6000; hash += 1) writer.add(...asked(`${hash}`, hash), entryOf([long]))
    const found = Array.from({ length: 6000 }, (_, hash) => reader.find(...asked(`${hash}`, hash)))
    const kept = found.filter((entry) => entry !== undefined)
    expect(kept.length).toBeGreaterThan(3000)
    expect(kept.length).toBeLessThan(6000)
    expect(kept.every(({ results }) => results[0]?.text === long)).toBe(true)
  })
})
