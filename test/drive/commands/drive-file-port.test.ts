/** Files of a store as inputs and outputs of a command: what is read, where it is written, and what is taken back. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type DriveRequest, openConnection } from '../../../src/drive/client/connection.ts'
import { DEFAULT_DRIVE } from '../../../src/drive/client/options.ts'
import { driveFilePort } from '../../../src/drive/commands/files/drive-file-port.ts'
import { serveHere, type ServiceHere } from '../../support/service-here.ts'
import { bytesOf } from '../../support/store.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let drive: ServiceHere
let port: ReturnType<typeof driveFilePort>
/** Ranges of bytes that the port requested in this test; undefined for a whole content. */
const ranges: (string | undefined)[] = []
/** Ids of the folders, one in the other. */
let outer = ''
let inner = ''
beforeAll(async () => {
  drive = await serveHere(temp('store'))
  const { url, token } = drive
  const retries = 0
  const real = await openConnection({ ...DEFAULT_DRIVE, url, token, retries })
  const connection = {
    ...real,
    open: (request: DriveRequest) => {
      ranges.push(request.headers?.['range'])
      return real.open(request)
    },
  }
  port = driveFilePort({ connection, retries })
  outer = await folder('registry', 'root')
  inner = await folder('2026', outer)
})
afterAll(async () => {
  await port.close()
  await drive.stop()
})
beforeEach(() => void (ranges.length = 0))

const insert = async (body: object) =>
  (await drive.ask('POST', '/drive/v2/files', { body })).json.id as string
const folder = (title: string, parent: string) =>
  insert({ title, mimeType: 'application/vnd.google-apps.folder', parents: [{ id: parent }] })
const facts = async (id: string) => (await drive.ask('GET', `/drive/v2/files/${id}`)).json
const idsIn = async (parent: string, title: string): Promise<string[]> => {
  const q = `'${parent}' in parents and title = '${title}' and trashed = false`
  const { items } = (await drive.ask('GET', '/drive/v2/files', { query: { q } })).json
  return items.map(({ id }: { id: string }) => id)
}
async function write(path: string, text: string): Promise<void> {
  const sink = await port.sink(path, {})
  sink.write(text)
  await sink.complete()
  await sink.finish()
}
const read = async (path: string) => {
  const { name, title, size, bytes } = await port.source(path)
  return { name, title, size, text: Buffer.from(await bytesOf(bytes())).toString() }
}

describe('an output', () => {
  test('is a new file in the folder that its path names, or a new revision of the file there', async () => {
    await write('/registry/2026/a.csv', 'one')
    const [id = '', ...others] = await idsIn(inner, 'a.csv')
    expect([others, await facts(id)]).toMatchObject([[], { mimeType: 'text/csv', fileSize: '3' }])
    await write('/registry/2026/a.csv', 'three')
    expect(await idsIn(inner, 'a.csv')).toEqual([id])
    expect((await drive.ask('GET', `/drive/v2/files/${id}/revisions`)).json.items).toHaveLength(2)
    await write(id, 'second')
    expect(await facts(id)).toMatchObject({ title: 'a.csv', fileSize: '6' })
    await write(`${outer}/b.txt`, 'x')
    const [made = ''] = await idsIn(outer, 'b.txt')
    expect(await facts(made)).toMatchObject({ mimeType: 'text/plain', fileSize: '1' })
  })

  test.for(['/registry/2026/', '/registry/2026', '/'])('is no folder: %s', async (path) => {
    await expect(port.sink(path, {})).rejects.toMatchObject({
      code: 'usage',
      message: `drive:${path} is a folder`,
      offending: path,
    })
  })

  test('needs its folder', async () => {
    await expect(port.sink('/registry/1999/a.csv', {})).rejects.toMatchObject({
      code: 'not-found',
    })
  })
})

test('an input has the name of its path, the title of its file and its bytes, and is looked up once', async () => {
  await write('/registry/in.csv', 'A*01:01')
  const [id = ''] = await idsIn(outer, 'in.csv')
  const facts = { title: 'in.csv', size: 7, text: 'A*01:01' }
  expect(await read('/registry/in.csv')).toEqual({ name: 'drive:/registry/in.csv', ...facts })
  expect(await read(id)).toEqual({ name: `drive:${id}`, ...facts })
  expect(await port.source(id)).toBe(await port.source(id))
})

test('a document of text is read as it is exported', async () => {
  const headers = { 'content-type': 'text/plain' }
  const query = { uploadType: 'media', convert: true }
  const { id } = (await drive.ask('POST', '/upload/drive/v2/files', { body: 'words', headers, query })).json
  await drive.ask('PATCH', `/drive/v2/files/${id}`, { body: { title: 't' } })
  expect(await read(id)).toEqual({ name: `drive:${id}`, title: 't', size: undefined, text: '\uFEFFwords' })
})

test('a file beside one that is named by its id is in the same folder', async () => {
  const id = await insert({ title: 'b.csv', parents: [{ id: inner }] })
  expect(await port.beside('/registry/2026/b.csv')).toBe('/registry/2026/b.csv')
  expect(await port.beside(id)).toBe(`${inner}/b.csv`)
  expect(await port.beside(`${inner}/c.csv`)).toBe(`${inner}/c.csv`)
})

test('a file is taken back only if it begins as it was written', async () => {
  const path = '/registry/own.txt'
  const count = async () => (await idsIn(outer, 'own.txt')).length
  await write(path, 'made by hla\nA')
  for (const begin of ['made by her', 'made by hla\nAB', 'ade']) await port.removeOwn(path, begin)
  expect(await count()).toBe(1)
  await port.removeOwn(path, 'made by hla\nA')
  expect(await count()).toBe(0)
  await port.removeOwn(path, 'made')
  await write(path, 'made by hla\nA')
  await port.removeOwn(path, 'made by')
  expect(await count()).toBe(0)
})

describe('of a long file', () => {
  const HEAD = 1024 * 1024
  test('only the beginning is asked for, and the rest when it is read', async () => {
    await write('/registry/long.csv', 'x'.repeat(HEAD + 10))
    const { bytes } = await port.source('/registry/long.csv')
    const reading = bytes()[Symbol.asyncIterator]()
    let read = 0
    while (read < HEAD) read += (await reading.next()).value?.length ?? HEAD
    expect([read, ranges]).toEqual([HEAD, [`bytes=0-${HEAD - 1}`]])
    expect((await reading.next()).value?.toString()).toBe('x'.repeat(10))
    expect([(await reading.next()).done, ranges[1]]).toEqual([true, `bytes=${HEAD}-${HEAD + 9}`])
  })

  test('that fits into the beginning all is asked for at once', async () => {
    await write('/registry/fitting.csv', 'x'.repeat(HEAD))
    expect((await read('/registry/fitting.csv')).text).toHaveLength(HEAD)
    expect(ranges).toEqual([undefined])
  })

  test('no more is read to take it back than its beginning has', async () => {
    const path = '/registry/taken.txt'
    await write(path, `made by hla\n${'x'.repeat(10_000)}`)
    await port.removeOwn(path, 'made by her')
    expect(ranges).toEqual(['bytes=0-10'])
    await port.removeOwn(path, 'y'.repeat(20_000))
    expect([ranges.length, (await idsIn(outer, 'taken.txt')).length]).toEqual([1, 1])
    await port.removeOwn(path, 'made by hla\n')
    expect([ranges.slice(1), await idsIn(outer, 'taken.txt')]).toEqual([['bytes=0-11'], []])
  })
})

test('what has no content is no input, and is not taken back', async () => {
  const mimeType = 'application/vnd.google-apps.shortcut'
  const parents = [{ id: outer }]
  const id = await insert({ title: 'short', mimeType, parents, shortcutDetails: { targetId: inner } })
  const message = 'drive:/registry/short is an item without content, such as a shortcut'
  await expect(port.source('/registry/short')).rejects.toMatchObject({ code: 'usage', message })
  await port.removeOwn('/registry/short', 'x')
  expect([await idsIn(outer, 'short'), ranges]).toEqual([[id], []])
})
