/** A notification receiver inside the test; its answers can be set.  [network] */
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

export interface Taken {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Hooks {
  readonly url: string
  readonly port: number
  readonly taken: Taken[]
  /** States of a channel's messages in order of arrival: `update content,parents`. */
  readonly statesOf: (channel: string) => string[]
  readonly connections: () => number
}

export type Reply = number | { readonly status: number; readonly headers: Readonly<Record<string, string>> }

export async function startHooks(
  answer: (taken: Taken) => Reply | Promise<Reply> = () => 200,
  tls?: { readonly cert: string; readonly key: string },
): Promise<Hooks> {
  const taken: Taken[] = []
  let connections = 0
  const listener: RequestListener = (request, response) => {
    let body = ''
    request.on('data', (bytes: Buffer) => (body += bytes.toString()))
    request.on('end', async () => {
      const one = { path: request.url ?? '', headers: request.headers, body }
      taken.push(one)
      const reply = await answer(one)
      const { status, headers } = typeof reply === 'number' ? { status: reply, headers: {} } : reply
      response.writeHead(status, headers).end()
    })
  }
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener)
  server.on('connection', () => (connections += 1))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  // the server listens on a port
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    taken,
    connections: () => connections,
    statesOf: (channel) =>
      taken
        .filter(({ headers }) => headers['x-goog-channel-id'] === channel)
        .map(({ headers }) =>
          [headers['x-goog-resource-state'], headers['x-goog-changed']]
            .filter((part) => part !== undefined)
            .join(' '),
        ),
  }
}
