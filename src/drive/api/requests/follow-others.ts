/** What another server of a shared store has answered is seen by whoever asks this one next; while nobody can know, that is said.  [network] */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Sharing } from '../../persistence/store.ts'
import { once } from 'node:events'
import { type AddressInfo, type Socket, createServer } from 'node:net'

export interface FollowOptions {
  /** ms for which requests that change nothing are answered from what was last known; 0: they are refused as others are. */
  readonly readWhileAway: number
  /** Another server has changed something. */
  readonly onChange: () => void
}

/** ms between looks that nobody has asked for: an idle server knows how old its copy is. */
const OFTEN = 2000

const HEALTH: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** Asked by whoever looks after the service: answered whatever else can be. */
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
    /** The answer says what it is (RFC 9111, 5.5 in its first edition; programs that know neither see how old it is). */
    readStale({ method }: FastifyRequest, reply: FastifyReply): boolean {
      const age = performance.now() - known
      if (age > longest || !READING.has(method)) return false
      reply.header('warning', '110 - "Response is Stale"').header('age', Math.ceil(age / 1000))
      return true
    },
  }
}

/** The address. It closes with the service. */
export async function openInside(app: FastifyInstance, isEncrypted: boolean): Promise<string> {
  const sockets = new Set<Socket>()
  const inside = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // as a connection that came to the service itself, and was decrypted
    app.server.emit(isEncrypted ? 'secureConnection' : 'connection', socket)
  })
  inside.listen(0, '127.0.0.1')
  await once(inside, 'listening')
  app.server.once('close', () => {
    inside.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = inside.address() as AddressInfo // of a server that listens to a port
  return `http://127.0.0.1:${port}`
}
