/** Options of a service, and their defaults. */
import { SERVICE_LIMIT } from '../engine/options.ts'
import type { LogOptions } from '../web/log.ts'
import type { Knowledge } from '../operations/knowledge.ts'
import type { Snapshot } from './metrics.ts'
import type { ThreadScript } from './threads/threads.ts'

export interface ServiceOptions {
  /** Maximum size of a body, and of a line of a batch, in bytes. */
  readonly maxBody: number
  /** Maximum size of an unpacked table, in bytes; 0 refuses tables. */
  readonly maxTable: number
  /** Maximum working time for a table, in ms; 0 means no limit. */
  readonly maxTableTime: number
  /** Maximum number of names in an input or answer; requests may lower it. */
  readonly maxAlleles: number
  /** Time to receive a request, in ms. */
  readonly requestTimeout: number
  /**
   * Time without traffic before a connection is closed, in ms; also applies to a client that does not read its answer.
   */
  readonly idleTimeout: number
  /** Trust `X-Forwarded-For`: a proxy in front names the client addresses. */
  readonly trustsProxy: boolean
  /** Maximum requests per second per address; 0 means no limit. */
  readonly rateLimit: number
  /** Allowed origins of web pages; `*` allows any. Empty sends no CORS headers. */
  readonly cors: readonly string[]
  /** Accepted bearer tokens; undefined requires none. */
  readonly tokens: readonly string[] | undefined
  readonly log: ServiceLog
  /** Reads the reference data again; undefined when there is nothing to reload. */
  readonly reopen: (() => Knowledge) | undefined
  /** Number of the process among those of one service, for the metrics. */
  readonly worker: number
  /** Gathers the counters of all processes; undefined for a single process. */
  readonly gather: (() => Promise<readonly Snapshot[]>) | undefined
  /** Script of the threads for tables and large questions; undefined does that work in the event loop. */
  readonly thread: ThreadScript | undefined
  /** Certificate and key for HTTPS. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined
}

export interface ServiceLog extends LogOptions {
  /** Log inputs too. Typings are patient data. */
  readonly inputs: boolean
}

export const DEFAULT_SERVICE: ServiceOptions = {
  maxBody: 1024 * 1024,
  maxTable: 32 * 1024 * 1024,
  maxTableTime: 60_000,
  maxAlleles: SERVICE_LIMIT,
  requestTimeout: 10_000,
  idleTimeout: 60_000,
  trustsProxy: false,
  rateLimit: 0,
  cors: [],
  tokens: undefined,
  log: { stream: undefined, access: false, inputs: false },
  reopen: undefined,
  worker: 0,
  gather: undefined,
  thread: undefined,
  tls: undefined,
}
