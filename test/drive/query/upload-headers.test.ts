import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isStorageFailure } from '../../../src/drive/contract/failure.ts'
import {
  expectedMd5,
  readLength,
  readSlug,
  uploadCommands,
  uploadKind,
} from '../../../src/drive/protocol/bodies/multipart-upload.ts'
import { atTheLimit } from '../../support/at-the-limit.ts'

describe('uploadKind', () => {
  test.for([
    [{}, {}, { kind: 'media' }],
    [{ 'content-type': 'multipart/related; boundary=x' }, {}, { kind: 'multipart' }],
    [{ 'content-type': 'multipart/related; boundary=x' }, { uploadType: 'media' }, { kind: 'media' }],
    [{ 'content-type': 'application/json' }, { uploadType: 'multipart' }, { kind: 'multipart' }],
    [{}, { uploadType: 'raw' }, { kind: 'media' }],
    [{}, { upload_protocol: 'multipart' }, { kind: 'multipart' }],
    [{}, { uploadType: 'resumable' }, { kind: 'start', by: 'ranges' }],
    [{}, { uploadType: '', upload_protocol: 'resumable' }, { kind: 'start', by: 'ranges' }],
    [{}, { uploadType: 'resumable', upload_id: 'u' }, { kind: 'session', by: 'ranges' }],
    [{}, { uploadType: 'resumable', upload_id: '' }, { kind: 'start', by: 'ranges' }],
    [
      { 'x-goog-upload-protocol': 'resumable', 'x-goog-upload-command': 'start' },
      { upload_id: 'u' },
      { kind: 'start', by: 'commands' },
    ],
    [
      { 'x-goog-upload-protocol': 'resumable', 'x-goog-upload-command': 'start' },
      {},
      { kind: 'start', by: 'commands' },
    ],
    [
      { 'x-goog-upload-command': 'upload, finalize' },
      { upload_protocol: 'resumable', upload_id: 'u' },
      { kind: 'session', by: 'commands' },
    ],
    [
      { 'x-goog-upload-protocol': 'resumable', 'x-goog-upload-command': 'query' },
      { upload_id: 'u' },
      { kind: 'session', by: 'commands' },
    ],
    [{ 'x-goog-upload-protocol': 'raw' }, { uploadType: 'resumable' }, { kind: 'media' }],
    [{ 'x-goog-upload-protocol': 'multipart' }, {}, { kind: 'multipart' }],
    // words in any case
    [{}, { uploadType: 'Multipart' }, { kind: 'multipart' }],
    [
      { 'x-goog-upload-protocol': 'Resumable', 'x-goog-upload-command': 'Start' },
      {},
      { kind: 'start', by: 'commands' },
    ],
  ] as const)('%j %j is %j', ([headers, query, expected]) => {
    expect(uploadKind(headers, query)).toEqual(expected)
  })

  test.for([
    [
      {},
      { uploadType: 'carrier pigeon' },
      [400, 'invalidParameter', 'Invalid upload type: carrier pigeon', 'uploadType'],
    ],
    [
      { 'x-goog-upload-protocol': 'batch' },
      {},
      [404, 'notFound', 'Batches of uploads are not supported', undefined],
    ],
    [
      { 'x-goog-upload-command': 'upload, explode' },
      { upload_id: 'u' },
      [400, 'invalid', 'Invalid upload command: upload, explode', 'X-Goog-Upload-Command'],
    ],
  ] as const)('%j %j is refused', ([headers, query, [status, reason, message, location]]) => {
    const details = location === undefined ? {} : { location, locationType: 'parameter' }
    expect(() => uploadKind(headers, query)).toThrow(
      expect.objectContaining({ status, reason, message, details }),
    )
  })
})

test('a refused type of upload is shown up to 100 characters', () => {
  expect(() => uploadKind({}, { uploadType: 'x'.repeat(101) })).toThrow(
    expect.objectContaining({ message: `Invalid upload type: ${'x'.repeat(100)}` }),
  )
})

test('uploadCommands reads a list', () => {
  expect(uploadCommands({ 'x-goog-upload-command': 'Upload,finalize' })).toEqual(['upload', 'finalize'])
  expect(uploadCommands({})).toEqual([])
  const [most, more] = atTheLimit((size) => 'query'.padEnd(size), 100)
  expect(uploadCommands({ 'x-goog-upload-command': most })).toEqual(['query'])
  expect(uploadCommands({ 'x-goog-upload-command': more })).toEqual([])
})

describe('lengthIn', () => {
  test.for([
    ['787209', 787_209],
    ['0', 0],
    ['', undefined],
    [undefined, undefined],
  ] as const)('%s is %s', ([text, expected]) => {
    expect(readLength({ 'x-upload-content-length': text }, 'X-Upload-Content-Length')).toBe(expected)
  })

  test.for([['-1'], ['x'], ['1.5'], ['1e5'], ['0x10'], ['99999999999999999']])('%s is refused', ([text]) => {
    expect(() => readLength({ 'x-upload-content-length': text }, 'X-Upload-Content-Length')).toThrow(
      'a number of bytes',
    )
  })
})

describe('expectedMd5', () => {
  test.for([
    [{ 'content-md5': '1B2M2Y8AsgTpgAmY7PhCfg==' }, 'd41d8cd98f00b204e9800998ecf8427e'],
    [{ 'content-md5': '+B2M2Y8AsgTpgAmY7P/Cfg==' }, 'f81d8cd98f00b204e9800998ecffc27e'],
    [{ 'x-goog-hash': 'crc32c=AAAAAA==, md5=1B2M2Y8AsgTpgAmY7PhCfg==' }, 'd41d8cd98f00b204e9800998ecf8427e'],
    [{ 'x-goog-hash': ['md5=1B2M2Y8AsgTpgAmY7PhCfg=='] }, 'd41d8cd98f00b204e9800998ecf8427e'],
    [{ 'x-goog-hash': 'crc32c=AAAAAA==' }, undefined],
    [{}, undefined],
  ] as const)('%j wants %s', ([headers, expected]) => {
    expect(expectedMd5(headers)).toBe(expected)
  })

  test.for([
    ['d41d8cd98f00b204e9800998ecf8427e'],
    ['AAAA'],
    [''],
    ['1B2M2Y8AsgTpgAmY7PhCfg==x'],
    ['x1B2M2Y8AsgTpgAmY7PhCfg=='],
  ])('%s is refused', ([text]) => {
    expect(() => expectedMd5({ 'content-md5': text })).toThrow('16 bytes of base64')
  })
})

describe('slugOf', () => {
  test.for([
    ['gnome.txt', 'gnome.txt'],
    ['caf%C3%A9.txt', 'café.txt'],
    ['caf\u00C3\u00A9.txt', 'café.txt'],
    ['voil\u00C3\u00A0', 'voilà'],
    ['100%.txt', '100%.txt'],
    ['1% caf%C3%A9 2%', '1% café 2%'],
    ['1% or 2%', '1% or 2%'],
    ['caf%E9', 'caf%E9'],
    ['a%00b', 'ab'],
    ['', undefined],
    [undefined, undefined],
  ] as const)('%s is %s', ([text, expected]) => {
    expect(readSlug({ slug: text })).toBe(expected)
  })
})

test('any headers are read or refused', () => {
  const names = fc.constantFrom(
    'slug',
    'content-md5',
    'x-goog-hash',
    'x-goog-upload-command',
    'x-goog-upload-protocol',
    'content-type',
  )
  fc.assert(
    fc.property(fc.dictionary(names, fc.string()), fc.string(), (headers, uploadType) => {
      const readings = [
        () => readSlug(headers),
        () => expectedMd5(headers),
        () => uploadKind(headers, { uploadType }),
      ]
      return readings.every(isReadOrRefused)
    }),
  )
})

function isReadOrRefused(reading: () => unknown): boolean {
  try {
    reading()
    return true
  } catch (error) {
    return isStorageFailure(error)
  }
}
