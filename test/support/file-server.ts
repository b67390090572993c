/** A local web server with the layout of the published repository. */
import { createReadStream, existsSync, statSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

export interface FileServer {
  readonly url: string
  close(): Promise<void>
}

/** NO_PROXY keeps requests to the loopback address away from the machine's proxy. */
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

/** Serves files from memory, by path without leading slash. */
export function serveFiles(files: ReadonlyMap<string, Buffer>): Promise<FileServer> {
  return serve((request, response) => {
    const bytes = files.get((request.url ?? '').slice(1))
    if (!bytes) response.statusCode = 404
    response.setHeader('content-length', bytes?.length ?? 0)
    response.end(request.method === 'HEAD' ? undefined : bytes)
  })
}
