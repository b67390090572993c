/** The socket in a store's folder, through which administration commands reach the running service.  [disk, network] */
import { chmodSync, closeSync, openSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { join, relative } from 'node:path'
import { HlaError, isHlaError } from '../../errors.ts'
import type { StoreFolder } from './folder.ts'
import { decodeError, type SentError, encodeError } from './writer/writer-messages.ts'

/** One line of JSON each way per connection. Access is limited by the permissions of the folder, which only its owner may open. */
export interface SocketServer {
  readonly close: () => Promise<void>
}

type Work = (asked: unknown) => Promise<unknown>

const NAME = 'service.sock'

/** Bytes of a socket path that every system accepts. */
const MAX_PATH_LENGTH = 100
/** Characters of a line. Label definitions are the longest. */
const MAX_LINE_LENGTH = 16 * 1024 * 1024

/** Call it while holding the lock of the service: an existing socket file is then stale. @throws {HlaError} io */
export async function listenForAdministration(folder: StoreFolder, work: Work): Promise<SocketServer> {
  const file = join(folder.path, NAME)
  const address = socketAddress(folder)
  rmSync(file, { force: true })
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    socket.on('error', () => socket.destroy())
    answer(socket, work).catch(() => socket.destroy())
  })
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(address.path, resolve)
    })
    chmodSync(file, 0o600)
  } catch (error) {
    address.release()
    throw new HlaError('io', `cannot listen on ${file}`, { offending: file, cause: error })
  }
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          address.release()
          rmSync(file, { force: true })
          resolve()
        })
        // waiting clients see that the connection ended
        for (const socket of open) socket.destroy()
      }),
  }
}

/** Sends a request to the service that holds the folder. */
export type Ask = <Result>(asked: object) => Promise<Result>

/** Returns undefined if no service holds the folder. */
export async function connectAdministration(folder: StoreFolder): Promise<Ask | undefined> {
  const first = await connected(folder)
  if (first === undefined) return undefined
  first.destroy()
  return async <Result>(asked: object) => {
    const socket = await connected(folder)
    if (socket === undefined) throw gone(folder)
    socket.end(`${JSON.stringify(asked)}\n`)
    const line = await readLine(socket).catch(() => '')
    if (line === '') throw gone(folder)
    // JSON written by `answer`
    const reply = JSON.parse(line) as Reply
    if ('error' in reply) throw reviveError(reply.error)
    // result type given by the caller, not checked
    return reply.result as Result
  }
}

function gone({ path }: StoreFolder): HlaError {
  return new HlaError('io', `the service of ${path} ended before it answered`, {
    offending: path,
    hint: 'The request may have been carried out; try again.',
  })
}

type Reply = { readonly result?: unknown } | { readonly error: WireError }

type WireError = SentError & { readonly hla?: Pick<HlaError, 'code' | 'offending' | 'hint'> }

async function answer(socket: Socket, work: Work): Promise<void> {
  const line = await readLine(socket)
  // the client only probed for a service
  if (line === '') return void socket.end()
  const reply = await work(JSON.parse(line)).then(
    (result): Reply => ({ result }),
    (error: unknown): Reply => ({ error: wireError(error) }),
  )
  socket.end(`${JSON.stringify(reply)}\n`)
}

function wireError(error: unknown): WireError {
  const sent = encodeError(error)
  if (!isHlaError(error)) return sent
  const { code, offending, hint } = error
  return { ...sent, hla: { code, offending, hint } }
}

function reviveError({ hla, ...error }: WireError): Error {
  return hla === undefined ? decodeError(error) : new HlaError(hla.code, error.message, hla)
}

/** Reads up to the first newline or the end of the stream. */
async function readLine(socket: Socket): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  // the socket has no encoding set, so its chunks are bytes
  for await (const piece of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > MAX_LINE_LENGTH) throw new Error('a line is too long')
    pieces.push(piece)
    if (piece.includes(0x0a)) break
  }
  return Buffer.concat(pieces).toString('utf8').trimEnd()
}

function connected(folder: StoreFolder): Promise<Socket | undefined> {
  const address = socketAddress(folder)
  return new Promise<Socket | undefined>((resolve, reject) => {
    const socket = createConnection({ path: address.path, allowHalfOpen: true })
    socket.once('connect', () => resolve(socket))
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const isNone = error.code === 'ENOENT' || error.code === 'ECONNREFUSED'
      if (isNone) resolve(undefined)
      else reject(new HlaError('io', `cannot reach the service of ${folder.path}`, { cause: error }))
    })
  }).finally(() => address.release())
}

interface Address {
  readonly path: string
  readonly release: () => void
}

/** Systems limit a socket path to about 100 bytes. A longer one is shortened if possible. */
function socketAddress({ path }: StoreFolder): Address {
  const release = () => undefined
  const short = [join(path, NAME), relative(process.cwd(), join(path, NAME))].find(
    (one) => Buffer.byteLength(one) <= MAX_PATH_LENGTH,
  )
  if (short !== undefined) return { path: short, release }
  if (process.platform !== 'linux')
    throw new HlaError('io', `the path of the store is too long for a socket: ${path}`, { offending: path })
  const folder = openSync(path, 'r')
  return { path: `/proc/self/fd/${folder}/${NAME}`, release: () => closeSync(folder) }
}
