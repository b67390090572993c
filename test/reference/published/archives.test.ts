/** Files in zip and tar.gz archives, and the list of codes in either. */
import { execFileSync } from 'node:child_process'
import { createReadStream, readFileSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { MAX_FILE_BYTES } from '../../../src/reference/published/file-access.ts'
import { DEFAULT_MAC_URL, readMacList, readMacListDate } from '../../../src/reference/published/mac-list.ts'
import { isGzip, openTar } from '../../../src/reference/published/tar-files.ts'
import { commonTopFolder, openZip, readFirstMember } from '../../../src/reference/published/zip-files.ts'
import { writeFiles } from '../../support/published-release.ts'
import { tempFolder } from '../../support/temp.ts'
import { zipOf } from '../../support/zip.ts'

const temp = tempFolder()
const bytesOf = (paths: readonly string[]) =>
  new Map(paths.map((path) => [path, Buffer.from(`text of ${path}`)]))

test.for([
  [[], ''],
  [['a.txt'], ''],
  [['x/a.txt'], 'x/'],
  [['x/y/a.txt', 'x/y/b.txt'], 'x/y/'],
  [['x/y/a.txt', 'x/b.txt'], 'x/'],
  [['x/a.txt', 'xy/b.txt'], ''],
  [['x/a.txt', 'b.txt'], ''],
  [['x/y/z/a.txt', 'x/y/w/b.txt'], 'x/y/'],
  [['/a.txt', '/b.txt'], '/'],
] as const)('the folder around %j is "%s"', ([paths, top]) => {
  expect(commonTopFolder(paths)).toBe(top)
})

test.for([false, true])('a zip file is read below its folder, packed: %s', async (isPacked) => {
  const zip = zipOf([
    ['top/', Buffer.of()],
    ['__MACOSX/top/._a.txt', Buffer.from('fork')],
    ...bytesOf(['top/wmda/a.txt', 'top/b.txt']),
  ], isPacked)
  writeFileSync(temp('a.zip'), zip)
  for (const files of [await openZip(temp('a.zip')), await openZip(temp('a.zip'), zip)]) {
    expect(files).toMatchObject({ from: temp('a.zip'), prefix: `${temp('a.zip')}:top/`, isRemote: false })
    expect((await files.read('wmda/a.txt'))?.toString()).toBe('text of top/wmda/a.txt')
    expect((await files.readStart('b.txt', 4))?.toString()).toBe('text')
    expect([await files.read('c.txt'), await files.readStart('c.txt', 4)]).toEqual([undefined, undefined])
    expect(await Promise.all(['b.txt', 'wmda', 'top/b.txt'].map((path) => files.has(path)))).toEqual([true, false, false])
    await files.close()
  }
  await expect(openZip('elsewhere.zip', Buffer.from('no zip'))).rejects.toMatchObject({
    code: 'bad-release-file',
    message: expect.stringMatching(/^elsewhere\.zip cannot be read as zip: .+/),
    cause: expect.any(Error),
  })
}) // prettier-ignore

test('of a zip file of one file the first is read', async () => {
  const zip = zipOf([['folder/', Buffer.of()], ...bytesOf(['folder/one.txt', 'two.txt'])])
  expect((await readFirstMember('m.zip', zip)).toString()).toBe('text of folder/one.txt')
  await expect(readFirstMember('m.zip', zipOf([['folder/', Buffer.of()]]))).rejects.toMatchObject({
    code: 'bad-release-file',
    message: 'm.zip is an empty zip file',
  })
})

test('a member of a zip file that is damaged or larger than any is refused', async () => {
  const damaged = zipOf(bytesOf(['one.txt']))
  damaged.write('T', damaged.indexOf('text of'))
  await expect(readFirstMember('m.zip', damaged)).rejects.toMatchObject({
    code: 'bad-release-file',
    message: 'one.txt in m.zip is damaged: its checksum does not match',
    offending: 'm.zip',
    hint: 'fetch it again',
  })
  for (const [size, message] of [
    [MAX_FILE_BYTES + 1, 'one.txt in m.zip is too large (268435457 bytes)'],
    [MAX_FILE_BYTES, expect.stringMatching(/^one\.txt in m\.zip cannot be read as zip: /)],
  ] as const) {
    const large = zipOf(bytesOf(['one.txt']), true)
    large.writeUInt32LE(size, large.lastIndexOf('PK\u0001\u0002') + 24)
    await expect(readFirstMember('m.zip', large)).rejects.toMatchObject({ code: 'bad-release-file', message })
  }
}) // prettier-ignore

const KEPT = [
  'Allele_status.txt',
  'Allelelist.3650.txt',
  'Allelelist.txt',
  'Allelelist_history.txt',
  'Deleted_alleles.txt',
  'allelelist/any.txt',
  'hla_nom.txt',
  'hla_nom_g.txt',
  'md5checksum.txt',
  'rel_dna_ser.txt',
  'wmda/any.dat',
  'wmda/pre2026/any.dat',
]
const LEFT_OUT = [
  'A_gen.fasta',
  'Allele_status.txt.old',
  'Allelelist.csv',
  'alignments/wmda.txt',
  'my_Deleted_alleles.txt',
  'xhla_nom.txt',
  'old_md5checksum.txt',
  'xwmda/any.dat',
]

test('of a tar.gz file the files of a release are kept', async () => {
  const folder = writeFiles(temp('tar'), new Map([...bytesOf([...KEPT, ...LEFT_OUT])].map(([path, bytes]) => [`top/${path}`, bytes])))
  execFileSync('tar', ['-czf', temp('a.tar.gz'), 'top'], { cwd: folder })
  const files = await openTar('a.tar.gz', createReadStream(temp('a.tar.gz')))
  expect(files).toMatchObject({ from: 'a.tar.gz', prefix: 'a.tar.gz:top/', isRemote: false })
  const paths = [...KEPT, ...LEFT_OUT]
  const kept = await Promise.all(paths.map(async (path) => ((await files.has(path)) ? path : '')))
  expect(kept.filter(Boolean)).toEqual(KEPT)
  expect((await files.read('wmda/any.dat'))?.toString()).toBe('text of wmda/any.dat')
  expect((await files.readStart('wmda/any.dat', 4))?.toString()).toBe('text')
  expect([await files.read('A_gen.fasta'), await files.readStart('A_gen.fasta', 4)]).toEqual([undefined, undefined])
  await files.close()
  const packed = readFileSync(temp('a.tar.gz'))
  for (const [bytes, code] of [[packed.subarray(0, -20), 'truncated-file'], [gzipSync('x'.repeat(2000)), 'bad-release-file']] as const)
    await expect(openTar('b.tar.gz', Readable.from([bytes]))).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/^b\.tar\.gz cannot be unpacked: .+/),
      offending: 'b.tar.gz',
      cause: expect.any(Error),
    })
}) // prettier-ignore

test('a gzip file is known by its first two bytes', () => {
  const starts = [[0x1f, 0x8b], [0x1f, 0x8c], [0x1e, 0x8b], [0x8b, 0x1f], [0x1f], []]
  expect(starts.map((start) => isGzip(Uint8Array.from(start)))).toEqual([true, false, false, false, false, false])
}) // prettier-ignore

test('the list of codes that cannot be unpacked is named', async () => {
  const text = 'LAST UPDATED: 07/11/20\nCODE\tSUBTYPE\n\nAB\t01/02\n'
  const cut = gzipSync(text).subarray(0, 40)
  writeFileSync(temp('cut.gz'), cut)
  await expect(readMacList(temp('cut.gz'))).rejects.toMatchObject({
    code: 'truncated-file',
    message: `${temp('cut.gz')} cannot be unpacked: unexpected end of file`,
    offending: temp('cut.gz'),
    cause: expect.any(Error),
  })
  expect(await readMacListDate(temp('cut.gz'))).toBe('2020-07-11')
  // neither kind
  for (const start of ['P', 'PX', '\u001f']) {
    writeFileSync(temp('plain'), start + text)
    expect((await readMacList(temp('plain'))).toString()).toBe(start + text)
  }
  expect(DEFAULT_MAC_URL).toBe('https://hml.nmdp.org/mac/files/numer.v3.zip')
})

test('the date of a packed list is read where the name and the extra field of its file end', async () => {
  const text = Buffer.from('LAST UPDATED: 07/11/20\nCODE\tSUBTYPE\n\nAB\t01/02\n')
  const zip = zipOf(new Map([['n'.repeat(300), text]]), true)
  const start = 30 + 300
  const extra = Buffer.concat([zip.subarray(0, start), Buffer.alloc(260, 1), zip.subarray(start)])
  extra.writeUInt16LE(260, 28)
  for (const bytes of [zip, extra, extra.subarray(0, start + 260 + 40)]) {
    writeFileSync(temp('dated.zip'), bytes)
    expect(await readMacListDate(temp('dated.zip'))).toBe('2020-07-11')
  }
  for (const length of [2, 10, 30]) {
    writeFileSync(temp('dated.zip'), zip.subarray(0, length))
    await expect(readMacListDate(temp('dated.zip'))).rejects.toMatchObject({
      code: 'bad-release-file',
      message: expect.stringContaining(`${temp('dated.zip')} cannot be read as zip: `),
    })
  }
})
