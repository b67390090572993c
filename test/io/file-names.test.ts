/** What the name of a file says: a file of a store, a device, several files, or how it is compressed. */
import { existsSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fileSize, isJoinedName, isStored, joinedName, openLocalInput, removeLocalFile } from '../../src/io/file-port.ts' // prettier-ignore
import { fileIdentity } from '../../src/io/file-identity.ts'
import { choosePacker } from '../../src/io/packing/packing.ts'
import { checkPlace, isOfSystem } from '../../src/io/part-file.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()

test.for([
  ['drive:/registry/donors.csv', true],
  ['drive:x', true],
  ['./drive:/x', false],
  ['a.drive:', false],
  ['donors.csv', false],
] as const)('%s is in a store: %s', ([name, isIt]) => expect(isStored(name)).toBe(isIt))

test.for([
  [joinedName(12, 'a.csv'), true],
  [' 12 files (a.csv …)', false],
  ['x12 files (a.csv …)', false],
  [' files (a.csv …)', false],
  ['12 files (a.csv)', false],
  ['a.csv', false],
] as const)('%s stands for several files: %s', ([name, isIt]) => expect(isJoinedName(name)).toBe(isIt))

test.skipIf(process.platform === 'win32').for([
  ['/dev/stdout', true],
  ['/dev/stderr', true],
  ['/dev/fd/63', true],
  ['/proc/self/fd/1', true],
  ['/proc/4711/fd/12', true],
  ['/dev/null', true],
  ['/home/dev/stdout', false],
  ['/dev/stdout.csv', false],
  ['/dev/fd/', false],
  ['/proc/self/fd/1x', false],
] as const)('%s is of the system: %s', ([name, isIt]) => expect(isOfSystem(name)).toBe(isIt))

describe('an output', () => {
  test.for(['a.xlsx', 'A.XLS', 'a.ods', 'a.zip'])('%s is refused', async (name) => {
    await expect(choosePacker(name)).rejects.toThrow(`${name}: hla writes text, not workbooks or zip files`)
  })

  test.for([
    ['a.gz', true],
    ['a.csv.gz', true],
    ['a.csv', false],
    ['a.gz.csv', false],
    ['a.xlsx.csv', false],
    ['a.gzip', false],
  ] as const)('%s is compressed: %s', async ([name, isPacked]) => {
    expect((await choosePacker(name)) !== undefined).toBe(isPacked)
  })

  test('needs a folder, and is none', () => {
    mkdirSync(temp('folder'))
    expect(() => checkPlace(temp('folder'))).toThrow(`cannot write ${temp('folder')}: it is a folder`)
    expect(() => checkPlace(temp('none/a.csv'))).toThrow(`cannot write ${temp('none/a.csv')}`)
    expect(() => checkPlace(temp('a.csv'))).not.toThrow()
  })
})

test('an input has its size, and its bytes', async () => {
  for (const size of [0, 5, 256 * 1024, 256 * 1024 + 1]) {
    const [name, content] = [temp(`${size}.csv`), Buffer.alloc(size, 'abc')]
    writeFileSync(name, content)
    const input = openLocalInput(name)
    expect([input.name, input.title, input.size]).toEqual([name, name, size])
    const pieces: Uint8Array[] = []
    for await (const piece of input.bytes()) pieces.push(piece)
    expect(Buffer.concat(pieces).equals(content)).toBe(true)
  }
  expect([fileSize('-'), fileSize(temp('nothing')), fileSize(temp('.'))]).toEqual([undefined, undefined, undefined]) // prettier-ignore
})

test('a file is identified by its name, size and digest', async () => {
  writeFileSync(temp('abc'), 'abc')
  // FIPS 180-4, appendix B.1
  const sha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  expect(await fileIdentity(temp('abc'))).toEqual({ name: temp('abc'), bytes: 3, sha256 })
})

test('a small input lets other work run between its pieces, and leaves nothing open', async () => {
  const name = temp('small.csv')
  writeFileSync(name, 'id,A_1')
  let hasRun = false
  let pieces = 0
  for await (const piece of openLocalInput(name).bytes()) {
    pieces += piece.length
    setImmediate(() => {
      hasRun = true
    })
  }
  expect([pieces, hasRun]).toEqual([6, true])
  removeLocalFile(name, 'begin')
  if (process.platform !== 'linux') return
  const links = readdirSync('/proc/self/fd').map((file) => {
    const link = `/proc/self/fd/${file}`
    return existsSync(link) ? readlinkSync(link) : ''
  })
  expect(links).not.toContain(name)
})

test('a file of an earlier run is removed, and no other', () => {
  for (const [text, stays] of [['begin, more', false], ['begin', false], ['beg', true], ['other begin', true]] as const) {
    writeFileSync(temp('own'), text)
    removeLocalFile(temp('own'), 'begin')
    expect([text, existsSync(temp('own'))]).toEqual([text, stays])
  }
  expect(() => removeLocalFile(temp('missing'), 'begin')).not.toThrow()
}) // prettier-ignore
