/**
 * Keeps a server of a shared store current: each request sees all changes that other servers have acknowledged, or
 * fails if they cannot be known. [network]
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Sharing } from '../../persistence/store.ts'
import { once } from 'node:events'
import { type AddressInfo, type Socket, createServer } from 'node:net'

export interface FollowOptions {
  /** ms for which reads are answered from the last known state; 0 to refuse them like writes. */
  readonly readWhileAway: number
  /** Called after another server has changed something. */
  readonly onChange: () => void
}

/** ms between checks without a request, so that an idle server knows how old its copy is. */
const OFTEN = 2000

const HEALTH: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** True for health checks and metrics, which never depend on the other servers. */
export function isAboutHealth({ routeOptions }: FastifyRequest): boolean {
  return HEALTH.has(routeOptions.url ?? '')
}

export function followOthers(app: FastifyInstance, sharing: Sharing, options: FollowOptions): void {
  sharing.onChange(options.onChange)
  const following = makeFollowing(sharing, options.readWhileAway)
  if (options.readWhileAway > 0) {
    const timer = setInterval(() => following.current().catch(() => undefined), OFTEN)
    app.addHook('onClose', () => clearInterval(timer))
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 || isAboutHealth(request)) return done()
    following.current().then(
      () => done(),
      (error: Error) => (following.readStale(request, reply) ? done() : done(error)),
    )
  })
}

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD'])

function makeFollowing(sharing: Sharing, longest: number) {
  let known = -Infinity
  return {
    async current(): Promise<void> {
      const began = performance.now()
      await sharing.current()
      known = Math.max(known, began)
    },
    /** Marks a response as stale (RFC 9111, 5.5 in its first edition). Clients that ignore both headers cannot see its age. */
    readStale({ method }: FastifyRequest, reply: FastifyReply): boolean {
      const age = performance.now() - known
      if (age > longest || !READING.has(method)) return false
      reply.header('warning', '110 - "Response is Stale"').header('age', Math.ceil(age / 1000))
      return true
    },
  }
}

/** Opens an internal server that closes with the service. @returns its URL */
export async function openInternalServer(app: FastifyInstance, isEncrypted: boolean): Promise<string> {
  const sockets = new Set<Socket>()
  const inside = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // passes the connection on as if the service had accepted and decrypted it
    app.server.emit(isEncrypted ? 'secureConnection' : 'connection', socket)
  })
  inside.listen(0, '127.0.0.1')
  await once(inside, 'listening')
  app.server.once('close', () => {
    inside.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = inside.address() as AddressInfo // a server that listens on a port has this kind of address
  return `http://127.0.0.1:${port}`
}
