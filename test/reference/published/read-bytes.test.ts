/** Bytes of one published file, from a path, a file URL or a web address. */
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { MAX_FILE_BYTES } from '../../../src/reference/published/file-access.ts'
import { openFolder } from '../../../src/reference/published/folder-files.ts'
import {
  isAddress,
  readPublishedBytes,
  readPublishedStart,
} from '../../../src/reference/published/read-bytes.ts'
import { errorOf } from '../../support/errors.ts'
import { serveFiles } from '../../support/file-server.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const startOf = (from: string) => readPublishedStart(from, 40)
const POINTER = 'version https://git-lfs.github.com/spec/v1\n'

test.for([
  ['http://a/b', true],
  ['https://a/b', true],
  ['HTTPS://a/b', true],
  ['file:///a/b', false],
  ['File:///a/b', false],
  ['a/b', false],
  ['/a/b', false],
  ['C:\\a', false],
  ['C://a', false],
  ['folder/http://a', false],
  ['http:/a', false],
] as const)('%s is a web address: %s', ([from, is]) => {
  expect(isAddress(from)).toBe(is)
})

test.for([
  ['ftp://a/b', 'ftp'],
  ['S3://a/b', 's3'],
  ['git+ssh://a', 'git+ssh'],
  ['x-1.2://a', 'x-1.2'],
] as const)('%s is refused as an address of %s', ([from, scheme]) => {
  expect(errorOf(() => isAddress(from))).toMatchObject({
    code: 'usage',
    message: `${from} is an address of ${scheme}; only http and https are supported`,
    offending: from,
    hint: 'download it with another program and give the folder or file',
  })
})

test('a file is read whole, or its first bytes, from each place', async () => {
  const server = await serveFiles(new Map([['a.txt', Buffer.from('abcdef')]]))
  writeFileSync(temp('a.txt'), 'abcdef')
  for (const from of [temp('a.txt'), pathToFileURL(temp('a.txt')).href, `${server.url}a.txt`]) {
    expect((await readPublishedBytes(from)).toString()).toBe('abcdef')
    const starts = await Promise.all([1, 6, 9].map((size) => readPublishedStart(from, size)))
    expect(starts.map(String)).toEqual(['a', 'abcdef', 'abcdef'])
  }
  await server.close()
})

test('a git-lfs pointer is refused by the place it was given as', async () => {
  writeFileSync(temp('pointer'), POINTER)
  const server = await serveFiles(new Map([['pointer', Buffer.from(POINTER)]]))
  for (const from of [temp('pointer'), pathToFileURL(temp('pointer')).href, `${server.url}pointer`])
    for (const read of [readPublishedBytes, startOf])
      await expect(read(from)).rejects.toMatchObject({
        code: 'lfs-pointer',
        message: `${from} is a git-lfs pointer, not the file`,
        offending: from,
      })
  await server.close()
})

test('a file that cannot be read is named as it was given, with the reason', async () => {
  mkdirSync(temp('folder'))
  for (const [name, reason] of [
    ['none', 'no such file or directory'],
    ['folder', 'it is a folder'],
  ] as const)
    for (const from of [temp(name), pathToFileURL(temp(name)).href])
      for (const read of [readPublishedBytes, startOf])
        await expect(read(from)).rejects.toMatchObject({
          code: 'not-found',
          message: `cannot read ${from}: ${reason}`,
          offending: from,
          cause: { code: name === 'none' ? 'ENOENT' : 'EISDIR' },
        })
})

test('a file larger than any is refused before it is read, but its first bytes are not', async () => {
  const large = temp('large')
  writeFileSync(large, 'ab')
  truncateSync(large, MAX_FILE_BYTES + 1)
  await expect(readPublishedBytes(large)).rejects.toMatchObject({
    code: 'bad-release-file',
    message: `${large} is too large (268435457 bytes)`,
    offending: large,
  })
  expect((await readPublishedStart(large, 2)).toString()).toBe('ab')
})

test('a folder has its files, and nothing below a file or for the name of a folder', async () => {
  const folder = temp('release')
  mkdirSync(join(folder, 'wmda'), { recursive: true })
  writeFileSync(join(folder, 'wmda/hla_nom.txt'), 'abc')
  const files = openFolder(folder)
  expect(files).toMatchObject({ from: folder, prefix: `${folder}/`, isRemote: false })
  expect(openFolder(`${folder}/`).prefix).toBe(`${folder}/`)
  const there = ['wmda/hla_nom.txt', 'wmda', 'wmda/none', 'wmda/hla_nom.txt/below']
  expect(await Promise.all(there.map((path) => files.has(path)))).toEqual([true, false, false, false])
  const whole = await Promise.all(there.map((path) => files.read(path)))
  expect(whole.map((bytes) => bytes?.toString())).toEqual(['abc', undefined, undefined, undefined])
  const starts = await Promise.all(there.map((path) => files.readStart(path, 2)))
  expect(starts.map((bytes) => bytes?.toString())).toEqual(['ab', undefined, undefined, undefined])
  await expect(files.has('wmda/\0')).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' })
})
