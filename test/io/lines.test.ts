/** Lines of a stream: complete for any chunks, and limited in length. */
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type InputLine, MAX_LINE_LENGTH, readLineBlocks } from '../../src/io/lines.ts'

async function linesOf(pieces: Iterable<string | Uint8Array>): Promise<InputLine[]> {
  const lines: InputLine[] = []
  async function* bytes() {
    for (const piece of pieces) yield Buffer.from(piece)
  }
  for await (const block of readLineBlocks({ name: 'x', bytes })) lines.push(...block)
  return lines
}

describe('readLineBlocks', () => {
  test.for([
    [['a\nb'], ['a', 'b']],
    [
      ['a', '\r', '\n', '\n', 'b\n'],
      ['a', '', 'b'],
    ],
    [
      ['', 'a', 'b', 'c\nd', 'e'],
      ['abc', 'de'],
    ],
    [['\ufeffa\n'], ['a']],
    [[], []],
  ] as const)('%j', async ([pieces, expected]) => {
    const lines = await linesOf(pieces)
    expect(lines.map(({ text }) => text)).toEqual(expected)
    expect(lines.map(({ line }) => line)).toEqual(expected.map((_, at) => at + 1))
  })

  test.for([
    ['gzip', gzipSync('a\nb\n'), ['a', 'b']],
    ['gzip, a byte at a time', gzipSync('a\nb\n'), ['a', 'b']],
    ['an empty gzip file', gzipSync(''), []],
  ] as const)('%s', async ([title, packed, expected]) => {
    const pieces = title.endsWith('time') ? [...packed].map((byte) => Buffer.of(byte)) : [packed]
    expect((await linesOf(pieces)).map(({ text }) => text)).toEqual(expected)
  })

  test.for([
    ['PK\u0003\u0004', 'x is a spreadsheet workbook or a zip file, not text'],
    [
      Buffer.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1),
      'x is a workbook of the old kind (.xls), or one with a password, not text',
    ],
    ['SQLite format 3\0', 'x is an SQLite database: export its table as CSV'],
    [gzipSync(Buffer.from('SQLite format 3\0')), 'x is an SQLite database: export its table as CSV'],
    [gzipSync('a\n').subarray(0, -8), 'cannot read x: unexpected end of file'],
  ] as const)('%j is refused', async ([piece, message]) => {
    await expect(linesOf([piece])).rejects.toMatchObject({ code: 'io', message, offending: 'x' })
  })

  test('the first line is there before the second is written', async () => {
    let pieces = 0
    async function* bytes() {
      for (const piece of ['a\n', 'b\n']) {
        pieces += 1
        yield await Promise.resolve(Buffer.from(piece))
      }
    }
    const { value } = await readLineBlocks({ name: 'x', bytes }).next()
    expect([value, pieces]).toEqual([[{ text: 'a', file: 'x', line: 1 }], 1])
  })

  test('a line without end is refused, and costs the others nothing', async () => {
    function* pieces() {
      yield 'A*01:01\nA*02:01'
      // longer than the longest accepted text
      const piece = '/A*01:01'.repeat(8192)
      for (let sent = 0; sent < 600 * 1024 ** 2; sent += piece.length) yield piece
      yield '\nA*03:01\nA*04:'
      yield '01\n'
    }
    const lines = await linesOf(pieces())
    expect(lines.map(({ text, line, fault }) => [line, text.slice(0, 15), fault?.code])).toEqual([
      [1, 'A*01:01', undefined],
      [2, 'A*02:01/A*01:01', 'bad-syntax'],
      [3, 'A*03:01', undefined],
      [4, 'A*04:01', undefined],
    ])
    const [, long] = lines
    expect(long?.text.length).toBeLessThan(100)
    expect(long?.fault?.message).toBe('the line is longer than 67,108,864 characters')
    expect(long?.fault?.offending).toBe(long?.text)
  })

  test('the longest line is read', async () => {
    const lines = await linesOf(['A'.repeat(MAX_LINE_LENGTH - 1), 'A\n'])
    expect(lines.map(({ text, fault }) => [text.length, fault])).toEqual([[MAX_LINE_LENGTH, undefined]])
    const [longer] = await linesOf(['A'.repeat(MAX_LINE_LENGTH), 'A\n'])
    expect(longer?.fault?.code).toBe('bad-syntax')
  })

  test('a character may arrive in two pieces', async () => {
    const [one] = await linesOf([Buffer.of(0xe5, 0xb1), Buffer.of(0xb1, 0x0a)])
    expect(one?.text).toBe('山')
  })

  test.for([
    ['ENOENT', 'not-found', 'there is no file x'],
    ['EIO', 'io', 'cannot read x: failed'],
  ] as const)('a file that cannot be read: %s', async ([code, kind, message]) => {
    const cause = Object.assign(new Error('failed'), { code })
    async function* bytes(): AsyncGenerator<Buffer> {
      yield Buffer.from('a\n'.repeat(100_000))
      throw await Promise.resolve(cause)
    }
    const read = async () => {
      for await (const block of readLineBlocks({ name: 'x', bytes })) expect(block.length).toBeGreaterThan(0)
    }
    await expect(read()).rejects.toMatchObject({ code: kind, message, offending: 'x' })
  })
})
