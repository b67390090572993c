/** Binary content is recognized by its first bytes, and text is never taken for it. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { refuseBinary } from '../../src/io/packing/binary-content.ts'
import {
  choosePacker,
  isWorkbook,
  isZip,
  recognizePacking,
  refuseWorkbook,
} from '../../src/io/packing/packing.ts'
import { errorOf } from '../support/errors.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

/** First bytes, what they are, and the command that unpacks or recodes them. */
const BINARY = [
  ['BZh91AY&SY8\u00eb', 'compressed with bzip2: unpack it first', 'bzip2 -dc a.x | hla … -i -'],
  ['BZh9\u0017rE8P\u0090', 'compressed with bzip2: unpack it first', 'bzip2 -dc a.x | hla … -i -'],
  ['\u00fd7zXZ\0\0\u0004', 'compressed with xz: unpack it first', 'xz -dc a.x | hla … -i -'],
  ['\u0004"M\u0018d@', 'compressed with lz4: unpack it first', 'lz4 -dc a.x | hla … -i -'],
  ['LZIP\u0001', 'compressed with lzip: unpack it first', 'lzip -dc a.x | hla … -i -'],
  ['\u001f\u009d\u0090', 'compressed with compress: unpack it first', 'gzip -dc a.x | hla … -i -'],
  ['\u001f\u008b\u0008', 'compressed twice: unpack it first', 'gzip -dc a.x | hla … -i -'],
  ['\u0028\u00b5\u002f\u00fd\u0004', 'compressed twice: unpack it first', 'zstd -dc a.x | hla … -i -'],
  ['\u0002!L\u0018', 'compressed with lz4: unpack it first', 'lz4 -dc a.x | hla … -i -'],
  [
    '\u00ff\u00fe\0\0i\0\0\0',
    'UTF-32 text: write it as UTF-8',
    'iconv -f UTF-32LE -t UTF-8 a.x | hla … -i -',
  ],
  [
    '\0\0\u00fe\u00ff\0\0\0i',
    'UTF-32 text: write it as UTF-8',
    'iconv -f UTF-32BE -t UTF-8 a.x | hla … -i -',
  ],
  [
    'i\0\0\0d\0\0\0,\0\0\0A\0\0\0',
    'UTF-32 text: write it as UTF-8',
    'iconv -f UTF-32LE -t UTF-8 a.x | hla … -i -',
  ],
  ["7z\u00bc\u00af'\u001c", 'a 7-Zip archive: unpack it first', undefined],
  ['Rar!\u001a\u0007\u0001\0', 'a RAR archive: unpack it first', undefined],
  [`${'a.csv'.padEnd(257, '\0')}ustar\x0000`, 'a tar archive: unpack it first', undefined],
  ['%PDF-1.7\n', 'a PDF document: export its table as CSV or text', undefined],
  ['\u0089PNG\r\n\u001a\n', 'a PNG picture: hla cannot read pictures: get the typings as text', undefined],
  [
    '\u00ff\u00d8\u00ff\u00e0',
    'a JPEG picture: hla cannot read pictures: get the typings as text',
    undefined,
  ],
  ['GIF89a\u0010\0', 'a GIF picture: hla cannot read pictures: get the typings as text', undefined],
  ['MM\0*', 'a TIFF picture: hla cannot read pictures: get the typings as text', undefined],
  ['II*\0', 'a TIFF picture: hla cannot read pictures: get the typings as text', undefined],
  ['SQLite format 3\0', 'an SQLite database: export its table as CSV', undefined],
  ['PAR1\u0015\u0004', 'a Parquet file: export its table as CSV', undefined],
  ['ARROW1\0\0', 'an Arrow file: export its table as CSV', undefined],
  ['\u0089HDF\r\n\u001a\n', 'an HDF5 file: export its table as CSV', undefined],
  ['X\n\0\0\0\u0003', 'a saved R object: write it as CSV, with write.csv', undefined],
  ['RDX3\nX\n\0\0\0\u0003', 'a saved R object: write it as CSV, with write.csv', undefined],
  ['BAM\u0001', 'an alignment (BAM or CRAM): type it first', undefined],
  ['CRAM\u0003', 'an alignment (BAM or CRAM): type it first', undefined],
  ['\u007fELF\u0002', 'a program: name the file with the typings', undefined],
  ['MZ\u0090\0\u0003', 'a program: name the file with the typings', undefined],
  ['\0asm\u0001', 'a program: name the file with the typings', undefined],
  ['\u00fe\u00ed\u00fa\u00ce', 'a program: name the file with the typings', undefined],
  ['\u00cf\u00fa\u00ed\u00fe', 'a program: name the file with the typings', undefined],
] as const

describe('refuseBinary', () => {
  test.for(BINARY)('%j is %s', ([head, said, hint]) => {
    expect(() => refuseBinary(bytes(head), 'a.x')).toThrow(
      expect.objectContaining({
        code: 'io',
        message: `a.x is ${said}`,
        ...(hint === undefined ? {} : { hint: [{ shell: hint }] }),
      }),
    )
  })

  test('is answered for standard input, too', () => {
    expect(errorOf(() => refuseBinary(bytes('\u00fd7zXZ\0\0'), 'stdin'))).toMatchObject({
      code: 'io',
      message: 'stdin is compressed with xz: unpack it first',
      hint: [{ shell: 'xz -dc | hla … -i -' }],
      offending: 'stdin',
    })
  })

  test.for(BINARY.map(([head]) => head))('%j below a header is no content of that kind', (head) => {
    expect(refuseBinary(bytes(`id,A_1,\u00e9\n${head}`), 'a.x')).toBeUndefined()
  })

  test('the program that runs this', () => {
    const head = readFileSync(process.execPath).subarray(0, 64)
    expect(() => refuseBinary(head, 'node')).toThrow('node is a program')
  })

  test.for([
    '',
    'A*01:01\n',
    'PAR1,A*01:01,A*02:01\n',
    // UTF-16
    '\u00ff\u00feA\0*\0',
    'A\0*\x000\x001\0',
    'PAR1\tA*01:01\n',
    'PAR1\r\nPAR2\r\n',
    'MZ1,A*01:01\n',
    'BZh9,A*01:01\n',
    'CRAM,A_1\n',
    'BAM\n',
    'LZIP\n',
    'X\n1\n',
    'GIF89a,x\n',
    '%PDF\n',
    'II*01:01\n',
    'SQLite format 3\n',
    'M\0Z\0,\0',
    '\u00ff\u00feM\0Z\0',
    `${'a'.repeat(257)}ustar x\n`,
  ])('%j is text', (head) => expect(refuseBinary(bytes(head), 'a.x')).toBeUndefined())
})

test.for([
  ['\u001f\u008b', 'gzip'],
  ['\u001f\u008b\u0008\0', 'gzip'],
  ['\u001f\u009d\u0090', undefined],
  ['\u00fd\u008b', undefined],
  ['(\u00b5/\u00fd', 'zstd'],
  [')\u00b5/\u00fd', undefined],
  ['(\u00b4/\u00fd', undefined],
  ['(\u00b5.\u00fd', undefined],
  ['(\u00b5/\u00fc', undefined],
  ['(\u00b5/', undefined],
  ['A*01:01', undefined],
  ['', undefined],
] as const)('%j is compressed as %s', ([head, packing]) =>
  expect(recognizePacking(bytes(head))).toBe(packing),
)

test.for([
  ['PK\u0003\u0004', 'zip'],
  ['PK\u0003\u0004\u0014\0\u0006', 'zip'],
  ['PK\u0003\u0005', undefined],
  ['PK\u0003', undefined],
  ['xPK\u0003\u0004', undefined],
  ['\u00d0\u00cf\u0011\u00e0', 'old'],
  ['\u00d0\u00cf\u0011\u00e0\u00a1\u00b1', 'old'],
  ['\u00d0\u00cf\u0011\u00e1', undefined],
  ['\u00d0\u00cf\u0011', undefined],
  ['PKD1,A*01:01\n', undefined],
  ['', undefined],
] as const)('%j is a workbook: %s', ([head, kind]) => {
  expect([isZip(bytes(head)), isWorkbook(bytes(head))]).toEqual([kind === 'zip', kind !== undefined])
  const error = errorOf(() => refuseWorkbook(bytes(head), 'a.x'))
  const said = {
    zip: {
      message: 'a.x is a spreadsheet workbook or a zip file, not text',
      hint: 'export the sheet as CSV, with the typing columns formatted as text; unpack a zip file',
    },
    old: {
      message: 'a.x is a workbook of the old kind (.xls), or one with a password, not text',
      hint: 'save it as .xlsx without a password, or export the sheet as CSV with the typing columns formatted as text',
    },
  }
  if (kind === undefined) expect(error).toBeUndefined()
  else expect(error).toMatchObject({ code: 'io', offending: 'a.x', ...said[kind] })
})

test('a workbook is not written, and the advice says what is', async () => {
  expect(await choosePacker('a.xlsx').catch((error: unknown) => error)).toMatchObject({
    code: 'usage',
    message: 'a.xlsx: hla writes text, not workbooks or zip files',
    hint: 'name it .csv or .tsv, with .gz to compress it',
    offending: 'a.xlsx',
  })
})
