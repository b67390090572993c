/** The socket in the folder of a store, through which commands reach the service that holds the folder. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { type RequestListener, createServer } from 'node:http'
import { createServer as createListener } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { storeFolder } from '../../../src/drive/persistence/folder.ts'
import { connectInFolder, listenInFolder } from '../../../src/drive/persistence/service-socket.ts'
import { assured } from '../../../src/errors.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

function newFolder(name: string) {
  mkdirSync(temp(name), { recursive: true })
  return storeFolder(temp(name))
}

const echo: RequestListener = (request, response) => {
  void text(request).then((body) => {
    response.statusCode = 201
    response.end(`${request.method} ${request.url} ${request.headers['content-type']} ${body}`)
  })
}

describe.each([
  ['short', 'a'],
  // longer than a socket's path may be
  ['long', `${'b'.repeat(100)}/${'c'.repeat(100)}`],
])('in a folder of a %s path', (_, name) => {
  test('requests are answered while the service holds it', async () => {
    const folder = newFolder(name)
    const file = join(folder.path, 'service.sock')
    expect(await connectInFolder(folder)).toBeUndefined()
    // left by a service that was killed
    writeFileSync(file, '')
    const server = createServer(echo)
    const { close } = await listenInFolder(folder, server)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const send = assured(await connectInFolder(folder), 'nobody serves the folder')
    expect(await send({ method: 'POST', url: '/a?b=c', body: '{"d":"é"}' })).toEqual({
      status: 201,
      text: 'POST /a?b=c application/json {"d":"é"}',
    })
    expect(await send({ method: 'GET', url: '/', body: undefined })).toEqual({
      status: 201,
      text: 'GET / undefined ',
    })
    await close()
    expect(existsSync(file)).toBe(false)
    expect(await connectInFolder(folder)).toBeUndefined()
    await expect(send({ method: 'GET', url: '/', body: undefined })).rejects.toMatchObject(ended(folder.path))
  })
})

const FILES = '/proc/self/fd'

/** Files that this process has open. */
function openFiles(): string[] {
  const linkOf = (name: string) => {
    try {
      return [readlinkSync(join(FILES, name))]
    } catch {
      // of the list itself
      return []
    }
  }
  return readdirSync(FILES).flatMap(linkOf)
}

test.skipIf(!existsSync(FILES))('a folder of a long path is open only while it is used', async () => {
  const folder = newFolder(`${'o'.repeat(100)}/${'p'.repeat(100)}`)
  const path = realpathSync(folder.path)
  const timesOpen = () => openFiles().filter((file) => file === path).length
  expect(await connectInFolder(folder)).toBeUndefined()
  expect(timesOpen()).toBe(0)
  const { close } = await listenInFolder(folder, createServer(echo))
  expect(timesOpen()).toBe(1)
  const send = assured(await connectInFolder(folder), 'nobody serves the folder')
  await send({ method: 'GET', url: '/', body: undefined })
  const busy = createListener().listen(temp('busy.sock'))
  await expect(listenInFolder(folder, busy as never)).rejects.toMatchObject({ code: 'io' })
  expect(timesOpen()).toBe(1)
  busy.close()
  await close()
  await expect(send({ method: 'GET', url: '/', body: undefined })).rejects.toMatchObject({ code: 'io' })
  expect(timesOpen()).toBe(0)
})

const ended = (path: string) => ({
  code: 'io',
  message: `the service of ${path} ended before it answered`,
  offending: path,
  hint: 'The request may have been carried out; try again.',
})

test('a service that ends before it answers is told', async () => {
  const folder = newFolder('ends')
  const { close } = await listenInFolder(
    folder,
    createServer((request) => request.socket.destroy()),
  )
  const send = assured(await connectInFolder(folder), 'nobody serves the folder')
  await expect(send({ method: 'GET', url: '/', body: undefined })).rejects.toMatchObject(ended(folder.path))
  await close()
})

test('a folder that cannot be served or reached is told', async () => {
  const folder = newFolder('cannot')
  const file = join(folder.path, 'service.sock')
  const busy = createListener().listen(temp('other.sock'))
  await expect(listenInFolder(folder, busy as never)).rejects.toMatchObject({
    code: 'io',
    message: `cannot listen on ${file}`,
    offending: file,
  })
  busy.close()
  writeFileSync(temp('no folder'), '')
  await expect(connectInFolder(storeFolder(temp('no folder')))).rejects.toMatchObject({
    code: 'io',
    message: `cannot reach the service of ${temp('no folder')}`,
  })
})
