/** A web server on the loopback address that serves files, as the published repository is served. */
import { createReadStream, existsSync, statSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

export interface FileServer {
  readonly url: string
  close(): Promise<void>
}

/** A proxy of the machine must not be asked for the loopback address. */
export async function serve(handler: Handler): Promise<FileServer> {
  process.env['NO_PROXY'] = '127.0.0.1'
  const server = createServer(handler)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // a TCP server's address is never a string
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections()
      return new Promise((closed) => server.close(() => closed()))
    },
  }
}

export function serveFolder(folder: string): Promise<FileServer> {
  return serve((request, response) => {
    const path = join(folder, new URL(request.url ?? '/', 'http://x').pathname)
    const found = existsSync(path) && statSync(path).isFile()
    if (found) response.setHeader('content-length', statSync(path).size)
    else response.statusCode = 404
    if (found && request.method !== 'HEAD') createReadStream(path).pipe(response)
    else response.end()
  })
}

/** Files kept in memory, by path without leading slash. */
export function serveFiles(files: ReadonlyMap<string, Buffer>): Promise<FileServer> {
  return serve((request, response) => {
    const bytes = files.get((request.url ?? '').slice(1))
    if (!bytes) response.statusCode = 404
    response.setHeader('content-length', bytes?.length ?? 0)
    response.end(request.method === 'HEAD' ? undefined : bytes)
  })
}
