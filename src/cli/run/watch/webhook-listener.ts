/** A small server that the store notifies of changes, where it can reach it: else the change feed is read from time to time.  [network] */
import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Channel, openChannel, stopChannel } from '../../../client/drive/channels.ts'
import type { DriveConnection } from '../../../client/drive/connection.ts'
import { HlaError, isHlaError, errorReason } from '../../../errors.ts'
import type { WatchOptions } from '../../options/drive/drive-file-options.ts'
import { isHere } from '../../options/remote-options.ts'
import { tell } from '../../../io/stdout.ts'
import type { Ending } from './ending.ts'
import type { FolderWatch } from './watching.ts'

export interface WebhookListener {
  readonly close: () => Promise<void>
}

export interface ChangeFeed {
  readonly connection: DriveConnection
  /** Of the feed: what is behind it is told of. */
  readonly pageToken: () => string
  readonly wake: () => void
}

/** A store on this machine is asked for it unasked. Undefined: it does not. @throws {HlaError} usage, io — it was asked for */
export async function openWebhookListener(
  feed: ChangeFeed,
  { notify, notifyListen }: WatchOptions,
): Promise<WebhookListener | undefined> {
  if (notify === undefined && !isHere(feed.connection.url)) return undefined
  const token = randomBytes(16).toString('hex')
  const server = serverFor(token, feed.wake)
  const { hostname, port } = new URL(`http://${notify === undefined ? '127.0.0.1:0' : notifyListen}`)
  await listen(server, Number(port || 80), hostname)
  const address = notify ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  try {
    const stop = await keepChannel(feed, { address, token })
    return {
      async close() {
        server.close()
        server.closeAllConnections()
        await stop()
      },
    }
  } catch (error) {
    server.close()
    if (!isHlaError(error) || error.code === 'remote') throw error
    if (notify === undefined) return undefined
    throw new HlaError('usage', `the store cannot send notifications to ${notify}`, {
      hint: error.message,
      cause: error,
    })
  }
}

/** Whoever does not accept the token is told nothing. */
function serverFor(token: string, wake: () => void): Server {
  return createServer((request, response) => {
    const isOurs = request.method === 'POST' && request.headers['x-goog-channel-token'] === token
    request.resume()
    response.writeHead(isOurs ? 204 : 404).end()
    if (isOurs) wake()
  })
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((ready, failed) => {
    server.once('error', (error) =>
      failed(new HlaError('io', `cannot listen on ${host}:${port}: ${errorReason(error)}`, { cause: error })),
    )
    server.listen(port, host.replace(/^\[|\]$/g, ''), ready)
  })
}

/** Another channel takes the place of one before that ends. Gives what stops it. */
async function keepChannel(
  { connection, pageToken }: ChangeFeed,
  place: { readonly address: string; readonly token: string },
): Promise<() => Promise<void>> {
  const open = () =>
    openChannel(connection, { ...place, id: randomBytes(16).toString('hex'), pageToken: pageToken() })
  let timer: NodeJS.Timeout | undefined
  let channel: Channel = await open()
  const renew = async () => {
    const before = channel
    try {
      channel = await open()
      await stopChannel(connection, before)
    } catch (error) {
      // it is looked from time to time too, and tried again before long
      if (!isHlaError(error)) throw error
    }
    schedule()
  }
  const schedule = () => {
    const left = channel.expires - Date.now()
    timer = setTimeout(() => void renew(), Math.max(MINUTE, left * 0.75))
    timer.unref()
  }
  schedule()
  return async () => {
    clearTimeout(timer)
    try {
      await stopChannel(connection, channel)
    } catch (error) {
      // it ends by itself
      if (!isHlaError(error)) throw error
    }
  }
}

const MINUTE = 60_000

/** The webhook listener of a watch: opened when the watch has its place in the change feed. */
export interface OptionalListener {
  /** Whether there is one; the first time it is tried. */
  readonly open: (watching: FolderWatch, ending: Ending) => Promise<boolean>
  readonly close: () => Promise<void>
}

export function optionalListener(options: WatchOptions): OptionalListener {
  let listener: WebhookListener | undefined
  let isTried = false
  return {
    async open({ drive: { connection }, state, isQuiet, path }, { wake }) {
      if (isTried) return listener !== undefined
      const pageToken = () => state.now().pageToken ?? ''
      listener = await openWebhookListener({ connection, pageToken, wake }, options)
      isTried = true
      const how = listener === undefined ? `looking every ${options.interval / 1000} s` : 'told of changes'
      if (!isQuiet) tell(`hla: watching ${path}, ${how}\n`)
      return listener !== undefined
    },
    close: async () => listener?.close(),
  }
}
