/** Closes the idle connections of this process to services: one that is stopped waits five seconds for requests on them. */
import type { Dispatcher } from 'undici'

/** Node's own `fetch` keeps its connections in this property of the process. */
const POOL = Symbol.for('undici.globalDispatcher.1')

/** Requests that wait for an answer get it. */
export function closeConnections(): void {
  const { [POOL]: pool } = globalThis as { [POOL]?: Dispatcher & { constructor: new () => Dispatcher } }
  if (pool === undefined) return
  Object.assign(globalThis, { [POOL]: new pool.constructor() })
  void pool.close()
}
