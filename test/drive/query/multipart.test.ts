import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isStorageFailure, StorageFailure } from '../../../src/drive/contract/failure.ts'
import {
  type MultipartUpload,
  parseMultipartUpload,
  readMultipartUpload,
} from '../../../src/drive/protocol/bodies/multipart-upload.ts'
import { readParts } from '../../../src/drive/protocol/bodies/multipart.ts'
import { atTheLimit } from '../../support/at-the-limit.ts'
import { rounds } from '../../support/rounds.ts'

interface Read {
  readonly metadata: string
  readonly contentType: string | undefined
  readonly content: string
}

/** Reads the body as a stream, and checks that reading it at once gives the same. Every character is a byte. */
async function readUpload(body: string, boundary = 'b', length = body.length): Promise<Read> {
  if (body.length <= LONGEST_WHOLE)
    expect(await settled(() => readWhole(body, boundary))).toEqual(
      await settled(() => readStream(body, boundary, body.length)),
    )
  return readStream(body, boundary, length)
}

/** Maximum bytes of a body that is read at once. */
const LONGEST_WHOLE = 65_536

async function readStream(body: string, boundary: string, length: number): Promise<Read> {
  const upload = await readMultipartUpload(chunksOf(body, length), boundary, 1 << 20)
  const pieces: Buffer[] = []
  for await (const piece of upload.content) pieces.push(piece)
  return read(upload, Buffer.concat(pieces))
}

function readWhole(body: string, boundary: string): Read {
  const upload = parseMultipartUpload(Buffer.from(body, 'latin1'), boundary)
  return read(upload, upload.content())
}

function read({ metadata, contentType }: MultipartUpload<unknown>, content: Buffer): Read {
  return { metadata: metadata.toString('latin1'), contentType, content: content.toString('latin1') }
}

async function settled(work: () => Read | Promise<Read>): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    return error
  }
}

async function* chunksOf(body: string, length: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(body, 'latin1')
  for (let at = 0; at < bytes.length; at += Math.max(1, length))
    yield bytes.subarray(at, at + Math.max(1, length))
}

const NODE = [
  '--3d8f',
  'content-type: application/json',
  '',
  '{"title":"x"}',
  '--3d8f',
  'content-type: text/plain',
  '',
  'hello',
  '--3d8f--',
].join('\r\n')

const PYTHON = [
  '--===============7330845974216740156==',
  'Content-Type: application/json',
  'MIME-Version: 1.0',
  '',
  '{"title": "x"}',
  '--===============7330845974216740156==',
  'Content-Type: text/plain',
  'MIME-Version: 1.0',
  'Content-Transfer-Encoding: binary',
  '',
  'a\r',
  '--===============7330845974216740156==--',
  '',
].join('\n')

const GO =
  '--g\r\nContent-Type: application/json\r\n\r\n{"title":"x"}\n\r\n--g\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nhello\r\n--g--\r\n'

const GNOME =
  '--g\nContent-Type: application/json\n\n{"kind":"k","parents":[]}\n--g\nContent-Type: text/plain\n\nhello\n\n--g--'

const BROWSER =
  '\r\n--g\r\nContent-Type: application/json\r\n\r\n{}\r\n--g\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\naGVsbG8=\r\n--g--'

describe('readMultipartUpload', () => {
  test.for([
    ['Node', NODE, '3d8f', '{"title":"x"}', 'text/plain', 'hello'],
    [
      'Python, whose content ends in a CR',
      PYTHON,
      '===============7330845974216740156==',
      '{"title": "x"}',
      'text/plain',
      'a\r',
    ],
    ['Go', GO, 'g', '{"title":"x"}\n', 'text/plain; charset=utf-8', 'hello'],
    ['libgdata', GNOME, 'g', '{"kind":"k","parents":[]}', 'text/plain', 'hello\n'],
    ['browser code', BROWSER, 'g', '{}', 'image/png', 'hello'],
  ] as const)(
    'reads what %s sends, in chunks of any length',
    async ([, body, boundary, metadata, contentType, content]) => {
      for (const length of [1, 2, 3, 7, 50, 1000]) {
        expect(await readUpload(body, boundary, length)).toEqual({ metadata, contentType, content })
      }
    },
  )

  test.for([
    ['a preamble', 'Hello\r\n--bb\r\n\r\n--b\r\n\r\n{}\r\n--b\r\n\r\nx\r\n--b--', '{}', 'x'],
    ['an epilogue', '--b\r\n\r\n{}\r\n--b\r\n\r\nx\r\n--b--\r\nbye\r\n--b\r\n\r\nnot a part', '{}', 'x'],
    ['blanks behind the boundary', '--b \t\r\n\r\n{}\r\n--b  \r\n\r\nx\r\n--b-- \r\n', '{}', 'x'],
    ['no headers', '--b\n\n{}\n--b\n\nx\n--b--', '{}', 'x'],
    ['empty parts', '--b\r\n\r\n\r\n--b\r\n\r\n\r\n--b--', '', ''],
    ['empty parts that share a line ending', '--b\r\n\r\n--b\r\n\r\n--b--', '', ''],
    ['a CR before a bare LF delimiter', '--b\n\n{}\n--b\n\nx\r\n--b--', '{}', 'x\r'],
    [
      'bare LF in a CRLF body',
      '--b\r\n\r\n{}\r\n--b\r\n\r\nx\n--b\n--b--\n\r\n--b--',
      '{}',
      'x\n--b\n--b--\n',
    ],
    [
      'lines that begin as the boundary',
      '--b\r\n\r\n{}\r\n--b\r\n\r\n--bx\r\n--b-\r\n--\r\n-\r\n--b--',
      '{}',
      '--bx\r\n--b-\r\n--\r\n-',
    ],
    [
      'header names in any case',
      '--b\r\nCONTENT-TYPE: a/b\r\n\r\n{}\r\n--b\r\ncOnTeNt-tYpE:c/d\r\n\r\nx\r\n--b--',
      '{}',
      'x',
      'c/d',
    ],
    [
      'headers over two lines',
      '--b\r\n\r\n{}\r\n--b\r\nContent-Type: c/d;\r\n charset=x\r\nX\r\n\r\nx\r\n--b--',
      '{}',
      'x',
      'c/d; charset=x',
    ],
    [
      'headers with more blanks than one',
      '--b\r\n\r\n{}\r\n--b\r\nContent-Type : c/d;\r\n \t charset=x \r\n\r\nx\r\n--b--',
      '{}',
      'x',
      'c/d; charset=x',
    ],
    [
      'a content type twice',
      '--b\r\n\r\n{}\r\n--b\r\nContent-Type: c/d\r\nContent-Type: e/f\r\n\r\nx\r\n--b--',
      '{}',
      'x',
      'c/d',
    ],
    [
      'base64 over lines',
      '--b\n\n{}\n--b\nContent-Transfer-Encoding: BASE64\n\naG\nVs\r\nbG8\n--b--',
      '{}',
      'hello',
    ],
    [
      'base64 metadata',
      '--b\n\n{}\n--b\n\nx\n--b--'.replace('\n\n{}', '\nContent-Transfer-Encoding: base64\n\ne30='),
      '{}',
      'x',
    ],
    [
      'base64 with a line ending behind it',
      '--b\n\n{}\n--b\nContent-Transfer-Encoding: base64\n\naGVsbG8=\n \n--b--',
      '{}',
      'hello',
    ],
    ['8bit', '--b\n\n{}\n--b\nContent-Transfer-Encoding: 8bit\n\n\xff\n--b--', '{}', '\xff'],
  ] as const)('reads %s', async ([, body, metadata, content, contentType]) => {
    for (const length of [1, 3, 1000]) {
      expect(await readUpload(body, 'b', length)).toEqual({ metadata, contentType, content })
    }
  })

  test.for([
    ['nothing', '', 'its boundary does not begin a part'],
    ['another boundary', '--c\r\n\r\n{}\r\n--c--', 'its boundary does not begin a part'],
    ['no part', '--b--', 'its boundary does not begin a part'],
    ['no part, and a line after it', '--b--\r\n', 'it has no parts'],
    ['one part', '--b\r\n\r\n{}\r\n--b--', 'it must have two parts'],
    ['three parts', '--b\r\n\r\n{}\r\n--b\r\n\r\nx\r\n--b\r\n\r\ny\r\n--b--', 'it must have two parts'],
    [
      'another encoding',
      '--b\n\n{}\n--b\nContent-Transfer-Encoding: quoted-printable\n\nx\n--b--',
      'the transfer encoding of a part is not supported',
    ],
    ['no base64', '--b\n\n{}\n--b\nContent-Transfer-Encoding: base64\n\na*b=\n--b--', 'a part is not base64'],
    [
      'base64 that goes on behind its end',
      '--b\n\n{}\n--b\nContent-Transfer-Encoding: base64\n\naGVsbG8=aGVs\n--b--',
      'a part is not base64',
    ],
    [
      'base64 that is cut',
      '--b\n\n{}\n--b\nContent-Transfer-Encoding: base64\n\naGVsb\n--b--',
      'a part is not base64',
    ],
    ['long headers', `--b\n${'x: y\n'.repeat(5000)}\n{}\n--b--`, 'the headers of a part are too long'],
    ['a preamble without end', 'x\n'.repeat(500_000), 'its boundary does not begin a part'],
    [
      'a preamble of 64 KiB',
      `${'x\n'.repeat(32_768)}--b\n\n{}\n--b\n\nx\n--b--`,
      'its boundary does not begin a part',
    ],
    [
      'metadata of more than 1 MiB',
      `--b\n\n${' '.repeat(1024 * 1024 + 1)}\n--b\n\nx\n--b--`,
      'the metadata are longer than 1048576 bytes',
    ],
  ] as const)('refuses %s', async ([, body, why]) => {
    for (const length of body.length < 1000 ? [1, 3, 65_536] : [65_536]) {
      await expect(readUpload(body, 'b', length)).rejects.toThrow(
        expect.objectContaining({
          status: 400,
          reason: 'badContent',
          message: `Malformed multipart body: ${why}`,
        }),
      )
    }
  })

  const [longest, longer] = atTheLimit((size) => 'b'.repeat(size), 200)
  const withBoundary = (boundary: string) => NODE.replaceAll('3d8f', () => boundary)

  test.for([[undefined], [''], [longer]])('refuses the boundary %s', async ([boundary]) => {
    const refused = new StorageFailure(400, 'badContent', 'Malformed multipart body: the boundary is missing')
    const body = withBoundary(boundary ?? '')
    await expect(readMultipartUpload(chunksOf(body, 10), boundary, 1 << 20)).rejects.toEqual(refused)
  })

  test('reads the longest boundary', async () => {
    expect((await readUpload(withBoundary(longest), longest)).metadata).toBe('{"title":"x"}')
  })

  test.for([
    ['\n', 255],
    ['\r\n', 254],
  ] as const)('a delimiter that ends in %j may have %i blanks', async ([ending, most]) => {
    const body = ['--b', '', '{}', `--b${' '.repeat(most)}`, '', 'x', '--b--'].join(ending)
    for (const length of [1, 100, 1000])
      expect(await readUpload(body, 'b', length)).toMatchObject({ metadata: '{}', content: 'x' })
    const longerLine = `--b${' '.repeat(most + 1)}`
    const other = ['--b', '', '{}', '--b', '', longerLine, 'x', '--b--'].join(ending)
    for (const length of [1, 100, 1000])
      expect((await readUpload(other, 'b', length)).content).toBe(`${longerLine}${ending}x`)
  })

  test('a body that breaks off anywhere is refused', async () => {
    const whole = NODE.length - '\r\n--3d8f--'.length
    for (let length = 0; length < NODE.length; length += 1) {
      const failure = await readUpload(NODE.slice(0, length), '3d8f').then(
        () => undefined,
        (error: unknown) => error,
      )
      expect(failure).toSatisfy(isStorageFailure)
    }
    await expect(readUpload(NODE.slice(0, whole), '3d8f')).rejects.toThrow(
      expect.objectContaining({ reason: 'uploadBrokenConnection' }),
    )
  })

  test('gives back any content, however it is cut', async () => {
    const piece = fc.constantFrom(
      '\r',
      '\n',
      '\r\n',
      '-',
      '--',
      '--b',
      '--b-',
      '--b-\n',
      '\r\n--bx',
      'x',
      '\0',
      '\xff',
      ' ',
    )
    const content = fc.array(piece, { maxLength: 30 }).map((all) => all.join(''))
    await fc.assert(
      fc.asyncProperty(
        content,
        content,
        fc.constantFrom('\r\n', '\n'),
        fc.integer({ min: 1, max: 9 }),
        async (first, second, eol, length) => {
          // the random content must not contain a delimiter
          fc.pre([first, second].every((text) => !`${eol}${text}${eol}`.match(/\n--b(?:--|[ \t]*\r?\n)/)))
          const body = `--b${eol}${eol}${first}${eol}--b${eol}A: b${eol}${eol}${second}${eol}--b--${eol}`
          expect(await readUpload(body, 'b', length)).toEqual({
            metadata: first,
            contentType: undefined,
            content: second,
          })
        },
      ),
      { numRuns: rounds(500) },
    )
  })

  test('any bytes are read or refused', async () => {
    const piece = fc.constantFrom(
      '--b',
      '--b--',
      '\r\n',
      '\n',
      'a: b',
      '{}',
      '-',
      ' ',
      'Content-Transfer-Encoding: base64',
    )
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
      fc.array(piece, { maxLength: 20 }).map((all) => `--b\n${all.join('')}`),
    )
    await fc.assert(
      fc.asyncProperty(body, fc.integer({ min: 1, max: 20 }), async (text, length) => {
        const failure = await readUpload(text, 'b', length).then(
          () => undefined,
          (error: unknown) => error,
        )
        return failure === undefined || isStorageFailure(failure)
      }),
      { numRuns: rounds(500) },
    )
  })

  test.for([['\r\n--bx'], ['\r\n--b-'], ['\r\n'], ['\r'], ['-'], ['\r\n-']] as const)(
    'a megabyte of %j streams through',
    async ([piece]) => {
      const content = piece.repeat(Math.ceil(1_000_000 / piece.length))
      const read = await readUpload(`--b\r\n\r\n{}\r\n--b\r\n\r\n${content}x\r\n--b--`, 'b', 65_536)
      expect(read.content === `${content}x`).toBe(true)
    },
  )

  test('asks for no more than it gives', async () => {
    let asked = 0
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from('--b\r\n\r\n{}\r\n--b\r\n\r\n')
      for (;;) {
        asked += 1
        yield Buffer.alloc(65_536, 'x')
      }
    }
    const { content } = await readMultipartUpload(endless(), 'b', 1 << 20)
    expect(asked).toBe(0)
    let got = 0
    for await (const piece of content) {
      got += piece.length
      if (got > 10 * 65_536) break
    }
    expect(asked).toBeLessThan(13)
  })

  test('a preamble and an epilogue may have almost 64 KiB', async () => {
    let asked = 0
    async function* longEnds(): AsyncGenerator<Buffer> {
      yield Buffer.from(`${'x\n'.repeat(32_767)}--b\n\n{}\n--b\n\nx\n--b--`)
      while (asked < 1000) {
        asked += 1
        yield Buffer.alloc(128, 'x')
      }
    }
    const { content } = await readMultipartUpload(longEnds(), 'b', 1 << 20)
    for await (const piece of content) expect(piece.toString()).toBe('x')
    expect(asked).toBe(512)
  })

  test('the metadata may have so many bytes', async () => {
    const [most, more] = atTheLimit((size) => `--b\n\n${'x'.repeat(size)}\n--b\n\nx\n--b--`, 10)
    const { metadata } = await readMultipartUpload(chunksOf(most, 3), 'b', 10)
    expect(metadata.toString()).toBe('x'.repeat(10))
    await expect(readMultipartUpload(chunksOf(more, 3), 'b', 10)).rejects.toThrow(
      'the metadata are longer than 10 bytes',
    )
  })

  test('gives no empty piece of an encoded content', async () => {
    const body = '--b\n\n{}\n--b\nContent-Transfer-Encoding: base64\n\naGVs\nbG8h\n--b--'
    const { content } = await readMultipartUpload(chunksOf(body, 1), 'b', 10)
    const pieces: string[] = []
    for await (const piece of content) pieces.push(piece.toString())
    expect(pieces).toEqual(['hel', 'lo!'])
  })

  test('leaves the stream open when it refuses, so that an answer can be sent', async () => {
    const stream = Readable.from([Buffer.from('--c\n'), Buffer.from('x'), Buffer.alloc(100_000)], {
      objectMode: false,
    })
    await expect(readMultipartUpload(stream, 'b', 1 << 20)).rejects.toThrow('Malformed multipart body')
    expect(stream.destroyed).toBe(false)
  })
})

describe('readParts', () => {
  test('skips what is not read of a part', async () => {
    const body = '--b\n\none\n--b\nX: 2\n\ntwo\n--b\nX: 3\n\nthree\n--b--'
    const names: (string | undefined)[] = []
    for await (const { headers, content } of readParts(chunksOf(body, 4), 'b')) {
      names.push(headers.get('x'))
      for await (const piece of content) {
        expect(piece.length).toBeGreaterThan(0)
        break
      }
    }
    expect(names).toEqual([undefined, '2', '3'])
  })

  test('gives no empty piece', async () => {
    for (const length of [1, 2, 5, 1000]) {
      const read: string[] = []
      for await (const { content } of readParts(
        chunksOf('--b\n\n\n--b\n\na\n--b\n\n\nc\n\n--b--', length),
        'b',
      )) {
        const pieces: string[] = []
        for await (const piece of content) pieces.push(piece.toString())
        expect(pieces).not.toContain('')
        read.push(pieces.join(''))
      }
      expect(read).toEqual(['', 'a', '\nc\n'])
    }
  })

  test.for([
    ['a line that goes on', 'X: 1\n 2\n\t3\nY: 4', '1 2 3'],
    ['a blank line is the end of the headers', 'Y: 1\n\nX: 2', undefined],
    ['a line without a colon, which nothing goes on with', 'X: 1\nnonsense\n 2', '1'],
    ['a line without a name, which nothing goes on with', 'X: 1\n: y\n 2', '1'],
    ['a name twice, which nothing goes on with', 'X: 1\nX: 2\n 3', '1'],
    ['a name of a letter, and of another case', 'x:1', '1'],
    ['a value with a colon', 'X: 1:2', '1:2'],
    ['a blank before all others', ' X: 1', '1'],
    ['no value', 'X:', ''],
  ] as const)('reads headers: %s', async ([, headers, expected]) => {
    for await (const part of readParts(chunksOf(`--b\n${headers}\n\nx\n--b--`, 4), 'b'))
      expect(part.headers.get('x')).toBe(expected)
  })
})
