/** The shared cache of converted typings, which one thread writes and another reads. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sharedTypings, sharedTypingsMemory } from '../../../src/table/fast/typing-reader.ts'
import {
  BY_TEXT,
  KEY_SIZE,
  KIND,
  NAMES,
  NOTED,
  PLAIN,
  TEXT,
  TEXT_SIZE,
  TOKEN,
  type TypingEntry,
  type TypingTable,
  addTyping,
  findTyping,
  keyOffset,
  readRank,
  resultOffset,
  typingTable,
} from '../../../src/table/fast/memory/typing-table.ts'
import { rounds } from '../../support/rounds.ts'

function entryOf(texts: readonly string[], kind: TypingEntry['kind'] = PLAIN): TypingEntry {
  return {
    kind,
    status: 0,
    names: texts.length,
    results: texts.map((text, at) => ({ parts: [{ text }], rank: at + 0.5 })),
  }
}

/** A thread with its own table. */
function thread(memory: SharedArrayBuffer, methods: number) {
  const table = typingTable(methods)
  const shared = sharedTypings(memory)
  /** Places the key inside a longer input. */
  const read = (text: string, hash: number) => {
    const input = Buffer.from(`,${text},`, 'latin1')
    table.input = new DataView(input.buffer, input.byteOffset, input.length)
    return { hash, start: 1, size: input.length - 2 }
  }
  return {
    add(text: string, hash: number, entry: TypingEntry) {
      const key = read(text, hash)
      shared.add(table, key, addTyping(table, key, entry))
    },
    find(text: string, hash: number): TypingEntry | undefined {
      const key = read(text, hash)
      const record = shared.find(table, key)
      // afterwards the thread's own table has it
      expect(findTyping(table, hash, key.start, key.size)).toBe(record)
      return record === 0 ? undefined : entryAt(table, record, text)
    },
  }
}

function entryAt(table: TypingTable, record: number, key: string): TypingEntry {
  const { records, bytes, methods } = table
  const textAt = (start: number, size: number) => bytes.toString('latin1', start, start + size)
  expect(textAt(keyOffset(record, methods), records[record + KEY_SIZE] ?? 0)).toBe(key)
  expect(records[record + KIND]).toBe(PLAIN)
  const results = Array.from({ length: methods }, (_, method) => {
    const result = resultOffset(record, method)
    const text = textAt(records[result + TEXT] ?? 0, records[result + TEXT_SIZE] ?? 0)
    return { parts: [{ text }], rank: readRank(table, result) }
  })
  return { kind: PLAIN, status: 0, names: records[record + NAMES] ?? 0, results }
}

/** Two threads with the same shared memory. */
function two(methods: number) {
  const memory = sharedTypingsMemory()
  return [thread(memory, methods), thread(memory, methods)] as const
}

describe('sharedTypings', () => {
  test('what one has added the other finds, whatever their hashes have in common', () => {
    const typing = fc.tuple(fc.string({ unit: 'binary-ascii', maxLength: 40 }), fc.string({ maxLength: 90 }))
    const typings = fc.uniqueArray(typing, { selector: ([text]) => text, maxLength: 12 })
    fc.assert(
      fc.property(typings, fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), (list, hash) => {
        const [writer, reader] = two(2)
        for (const [text, result] of list) writer.add(text, hash, entryOf([result, text]))
        for (const [text, result] of list) expect(reader.find(text, hash)).toEqual(entryOf([result, text]))
        expect(reader.find('A*01:01\u00ff', hash)).toBeUndefined()
      }),
      { numRuns: rounds(20) },
    )
  })

  test('bytes that are no ASCII, and the rank of a list, come back as they were', () => {
    const [writer, reader] = two(1)
    const entry: TypingEntry = {
      kind: PLAIN,
      status: 0,
      names: 3,
      results: [{ parts: [{ text: 'f\u00fcr' }], rank: BY_TEXT }],
    }
    writer.add('\u00fc', 7, entry)
    expect(reader.find('\u00fc', 7)).toEqual(entry)
  })

  test('the parts of a list are one text, whichever methods have the same', () => {
    const [writer, reader] = two(3)
    const long = `A*02:${'1'.repeat(60)}`
    const list = [{ text: 'A*01:01' }, { text: long }, { text: 'A*03:01N' }]
    const results = [list, [{ text: 'A*01:01' }], [...list]].map((parts) => ({ parts, rank: BY_TEXT }))
    writer.add('A*01:AB', 7, { kind: PLAIN, status: 0, names: 3, results })
    const texts = reader.find('A*01:AB', 7)?.results.map(({ parts }) => parts[0]?.text)
    expect(texts).toEqual([`A*01:01/${long}/A*03:01N`, 'A*01:01', `A*01:01/${long}/A*03:01N`])
  })

  test('the same bytes with another hash, of another context, are another typing', () => {
    const [writer, reader] = two(1)
    writer.add('01:01', 7, entryOf(['A*01:01']))
    expect(reader.find('01:01', 8)).toBeUndefined()
  })

  test.for([
    ['something to count beside it', entryOf(['A*01:01'], NOTED)],
    ['a token', entryOf([], TOKEN)],
  ] as const)('each thread finds out for itself: %s', ([, entry]) => {
    const [writer, reader] = two(entry.results.length)
    writer.add('x', 1, entry)
    expect(reader.find('x', 1)).toBeUndefined()
  })

  test('a full memory keeps what it has and takes nothing more', () => {
    const [writer, reader] = two(1)
    const long = 'x'.repeat(4000)
    for (let hash = 0; hash < 6000; hash += 1) writer.add(`${hash}`, hash, entryOf([long]))
    const found = Array.from({ length: 6000 }, (_, hash) => reader.find(`${hash}`, hash))
    const kept = found.filter((entry) => entry !== undefined)
    expect(kept.length).toBeGreaterThan(3000)
    expect(kept.length).toBeLessThan(6000)
    expect(kept.every(({ results }) => results[0]?.parts[0]?.text === long)).toBe(true)
  })
})
