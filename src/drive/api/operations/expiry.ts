/** Expiring grants: removes them before any request after their expiry is answered. */
import type { FastifyInstance } from 'fastify'
import { command, OPERATOR } from '../../domain/commands.ts'
import { nextExpiry } from '../../domain/permissions/permissions.ts'
import type { Store } from '../../persistence/store.ts'

export interface Expiry {
  /** Call when a grant is made; `at`, its expiry, is ms since 1970. */
  note(at: number): void
}

/** Longest timer delay in ms; Node fires longer ones at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Health checks and metrics depend on no grant. */
const NEVER_EXPIRE: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** A timer also removes expired grants without a request, because channels must be notified. */
export function expireRights(app: FastifyInstance, store: Store): Expiry {
  let next = nextExpiry(store.read) ?? Infinity
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  const run = async () => {
    await command(store, 'expireGrants', OPERATOR, undefined)
    next = nextExpiry(store.read) ?? Infinity
    running = undefined
    arm()
  }
  const arm = () => {
    clearTimeout(timer)
    if (next === Infinity) return
    const due = () => {
      // the next request reports the failure
      if (next <= Date.now()) (running ??= run()).catch(() => (running = undefined))
      else arm()
    }
    timer = setTimeout(due, Math.min(Math.max(next - Date.now(), 0), MAX_TIMER_MS)).unref()
  }
  app.addHook('onRequest', (request, _reply, done) => {
    if (next > Date.now() || NEVER_EXPIRE.has(request.routeOptions.url ?? '')) return done()
    running ??= run()
    running.then(
      () => done(),
      (error: Error) => {
        running = undefined
        done(error)
      },
    )
  })
  app.addHook('onClose', (_app, done) => {
    clearTimeout(timer)
    done()
  })
  arm()
  return {
    note(at) {
      next = Math.min(next, at)
      arm()
    },
  }
}
