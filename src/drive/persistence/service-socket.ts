/** The socket in a store's folder, on which the running service takes requests of administration.  [disk, network] */
import { chmodSync, closeSync, openSync, rmSync } from 'node:fs'
import { type IncomingMessage, type Server, request } from 'node:http'
import { createConnection } from 'node:net'
import { join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { HlaError } from '../../errors.ts'
import type { StoreFolder } from './folder.ts'

/** Access is limited by the permissions of the folder, which only its owner may open. */
export interface SocketServer {
  readonly close: () => Promise<void>
}

const NAME = 'service.sock'

/** Bytes of a socket path that every system accepts. */
const MAX_PATH_LENGTH = 100

/** Call it while holding the lock of the service: an existing socket file is then stale. @throws {HlaError} io */
export async function listenInFolder(folder: StoreFolder, server: Server): Promise<SocketServer> {
  const file = join(folder.path, NAME)
  const address = socketAddress(folder)
  rmSync(file, { force: true })
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
        server.closeAllConnections()
      }),
  }
}

export interface SentRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  /** JSON; undefined for none. */
  readonly body: string | undefined
}

export interface Answered {
  readonly status: number
  readonly text: string
}

/** @throws {HlaError} io — the service ended before it answered */
export type SendRequest = (asked: SentRequest) => Promise<Answered>

/** Connects to the service that holds the folder. Returns undefined if no service holds it. */
export async function connectInFolder(folder: StoreFolder): Promise<SendRequest | undefined> {
  if (!(await isServed(folder))) return undefined
  return (asked) =>
    sendTo(folder, asked).catch((error: unknown) => {
      throw new HlaError('io', `the service of ${folder.path} ended before it answered`, {
        offending: folder.path,
        hint: 'The request may have been carried out; try again.',
        cause: error,
      })
    })
}

async function sendTo(folder: StoreFolder, { method, url, body }: SentRequest): Promise<Answered> {
  const address = socketAddress(folder)
  const headers =
    body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request({ socketPath: address.path, agent: false, method, path: url, headers }, resolve)
      sent.once('error', reject)
      sent.end(body)
    })
    return { status: response.statusCode ?? 0, text: await text(response) }
  } finally {
    address.release()
  }
}

function isServed(folder: StoreFolder): Promise<boolean> {
  const address = socketAddress(folder)
  return new Promise<boolean>((resolve, reject) => {
    const socket = createConnection({ path: address.path })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const isNone = error.code === 'ENOENT' || error.code === 'ECONNREFUSED'
      if (isNone) resolve(false)
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
