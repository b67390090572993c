/** A proxy in front of several servers: requests go to each in turn, with the original `Host`.  [network] */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { stopAtEnd } from './end-of-file.ts'

export interface RoundRobin {
  readonly url: string
  /** Number of requests per server. */
  readonly counts: readonly number[]
}

const closing: (() => void)[] = []
stopAtEnd(() => closing.splice(0).forEach((close) => close()))

/** `servers`: addresses such as `http://127.0.0.1:8090`. */
export async function roundRobin(servers: readonly string[]): Promise<RoundRobin> {
  const counts = servers.map(() => 0)
  let next = 0
  const proxy = createServer((asked, answer) => {
    const at = next
    next = (next + 1) % servers.length
    counts[at] = (counts[at] ?? 0) + 1
    const { hostname, port } = new URL(servers[at] ?? '')
    const passed = request({ hostname, port, path: asked.url, method: asked.method, headers: asked.headers })
    passed.on('response', (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      pipeline(reply, answer, () => undefined)
    })
    // the client sees a cut connection, as behind a proxy whose server is gone
    passed.on('error', () => answer.destroy())
    pipeline(asked, passed, () => undefined)
  })
  await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready))
  closing.push(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, counts }
}
