/** Encodings of tables: how each is recognised, and texts that come back as they were. */
import { describe, expect, test } from 'vitest'
import {
  detectEncoding,
  encodeByteText,
  encodeText,
  type Encoding,
  fromByteText,
  isWide,
  markLength,
  readable,
  toByteText,
} from '../../src/table/input/encoding.ts'

const wide = (text: string) => Buffer.from(text, 'utf16le')
const big = (text: string) => wide(text).swap16()
const TABLE = 'id,A_1,A_2\n'

describe('the encoding of a table', () => {
  test.for([
    ['ASCII', Buffer.from(TABLE), 'utf8', 0],
    ['nothing', Buffer.alloc(0), 'utf8', 0],
    ['UTF-8', Buffer.from('Zoë'), 'utf8', 0],
    ['UTF-8 that is cut within a character', Buffer.from('Zoë').subarray(0, 3), 'utf8', 0],
    ['UTF-8 with its mark', Buffer.from('\ufeffid'), 'utf8', 3],
    ['a mark before what is not UTF-8', Buffer.concat([Buffer.from('\ufeff'), Buffer.from([0xe9, 0x2c])]), 'utf8', 3],
    ['Latin-1', Buffer.from('Zoë,', 'latin1'), 'latin1', 0],
    ['UTF-16 with its mark', wide('\ufeffid'), 'utf16le', 2],
    ['big-endian UTF-16 with its mark', big('\ufeffid'), 'utf16be', 2],
    ['UTF-16 without a mark', wide(TABLE), 'utf16le', 0],
    ['big-endian UTF-16 without a mark', big(TABLE), 'utf16be', 0],
    ['two characters of UTF-16', wide('id'), 'utf16le', 0],
    ['one character', wide('i'), 'utf8', 0],
    ['a zero now and then', Buffer.from('id\0,A_1\0'), 'utf8', 0],
    ['zeros at all places', Buffer.from('\0\0\0\0i\0\0d'), 'utf8', 0],
    // a twentieth of other characters does not matter
    ['UTF-16 with some other characters', wide(`${'abcdefghij'.repeat(2)}\u0100`), 'utf16le', 0],
    ['half a mark', Buffer.from([0xff, 0x41]), 'latin1', 0],
  ] as const)('%s is recognised', ([, bytes, encoding, bom]) => {
    expect(detectEncoding(bytes, 'auto')).toEqual({ encoding, bom })
  }) // prettier-ignore

  test.for([
    ['latin1', Buffer.from('\ufeffid'), 'latin1', 3],
    ['latin1', wide(TABLE), 'latin1', 0],
    ['utf8', wide('\ufeffid'), 'utf8', 0],
    ['utf8', Buffer.from('\ufeffid'), 'utf8', 3],
    ['utf16', wide('\ufeffid'), 'utf16le', 2],
    ['utf16', big('\ufeffid'), 'utf16be', 2],
    ['utf16', big('id'), 'utf16be', 0],
    ['utf16', wide('id'), 'utf16le', 0],
    ['utf16', Buffer.from('\ufeffid'), 'utf16le', 0],
  ] as const)('is %s where that is asked for: %#', ([asked, bytes, encoding, bom]) => {
    expect(detectEncoding(bytes, asked)).toEqual({ encoding, bom })
  })

  test('is wide where a character has two bytes', () => {
    const all: readonly Encoding[] = ['utf8', 'utf16le', 'utf16be', 'latin1']
    expect(all.filter(isWide)).toEqual(['utf16le', 'utf16be'])
    expect(all.map((one) => markLength(Buffer.from([0xff, 0xfe]), one))).toEqual([0, 2, 0, 0])
    expect(all.map((one) => markLength(Buffer.from([0xef, 0xbb, 0xbf]), one))).toEqual([3, 0, 0, 3])
  })
})

describe('byte text', () => {
  async function byteText(bytes: Buffer, encoding: Encoding, bom: 0 | 2 | 3, piece: number): Promise<string> {
    const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, at) => bytes.subarray(at * piece, (at + 1) * piece)) // prettier-ignore
    const all: Buffer[] = []
    for await (const one of toByteText(pieces, { encoding, bom })) all.push(Buffer.from(one))
    return Buffer.concat(all).toString('latin1')
  }

  const UTF8 = Buffer.from('Zoë \u0100 \u{1f600}').toString('latin1')
  test.for([
    ['utf8', 0, Buffer.from('Zoë \u0100 \u{1f600}'), UTF8],
    ['utf8', 3, Buffer.from('\ufeffZoë \u0100 \u{1f600}'), UTF8],
    ['utf16le', 2, wide('\ufeffZoë \u0100 \u{1f600}'), UTF8],
    ['utf16be', 2, big('\ufeffZoë \u0100 \u{1f600}'), UTF8],
    ['utf16le', 0, wide('Zoë \u0100 \u{1f600}'), UTF8],
    ['latin1', 0, Buffer.from('Zoë', 'latin1'), 'Zoë'],
  ] as const)('of %s without its mark of %d bytes, in pieces of any size', async ([encoding, bom, bytes, text]) => {
    for (const piece of [1, 2, 3, 100]) expect(await byteText(bytes, encoding, bom, piece)).toBe(text)
  }) // prettier-ignore

  test.for([
    ['half a character', wide('id').subarray(0, 3)],
    ['half a pair', wide('i\ud83d')],
    ['the second half of a pair', wide('\ude00i')],
  ] as const)('of UTF-16 with %s is refused', async ([, bytes]) => {
    await expect(byteText(bytes, 'utf16le', 0, 100)).rejects.toMatchObject({
      code: 'bad-encoding',
      message: 'the table contains bytes that are not UTF-16',
      hint: [{ option: 'encoding' }, ' sets the encoding of the table'],
    })
  })

  test.for([
    ['utf8', Buffer.from('Zoë')],
    ['latin1', Buffer.from('Zoë', 'latin1')],
    ['utf16le', wide('Zoë')],
    ['utf16be', big('Zoë')],
  ] as const)('of %s is shown as the text, and written as the bytes were', ([encoding, bytes]) => {
    const text = encodeByteText('Zoë', encoding)
    expect(readable(text, encoding)).toBe('Zoë')
    expect(fromByteText(text, encoding)).toEqual(bytes)
    expect(encodeText('Zoë', encoding)).toEqual(bytes)
    expect([readable('id', encoding), encodeByteText('id', encoding)]).toEqual(['id', 'id'])
  })

  test('that is no character is shown as one that says so', () => {
    expect(readable('a\u00e9b', 'utf8')).toBe('a\ufffdb')
    expect(readable('a\u00e9b', 'latin1')).toBe('aéb')
    expect(encodeByteText('\u0100', 'utf16le')).toBe('\u00c4\u0080')
  })
})
