/** What can be set about a service, and what is set when nobody says anything. */
import { SERVICE_LIMIT } from '../engine/options.ts'
import type { LogOptions } from '../web/log.ts'
import type { Knowledge } from '../operations/knowledge.ts'
import type { Snapshot } from './metrics.ts'
import type { TableThreadEntry } from './table/table-threads.ts'

export interface ServiceOptions {
  /** Longest body, and longest line of a batch: bytes. */
  readonly maxBody: number
  /** Longest table, unpacked: bytes; 0 takes none. */
  readonly maxTable: number
  /** Longest time that a table is worked on: ms; 0 is no limit. */
  readonly maxTableTime: number
  /** Most names in one input or answer; requests may ask for less. */
  readonly maxAlleles: number
  /** A request that has not arrived by then is refused: ms. */
  readonly requestTimeout: number
  /** A connection on which nothing moves is closed, also while an answer waits for its reader: ms. */
  readonly idleTimeout: number
  /** Believe `X-Forwarded-For`: there is a proxy in front, and addresses are those it names. */
  readonly trustsProxy: boolean
  /** Most requests a second of one address; 0 is no limit. */
  readonly rateLimit: number
  /** Origins that pages may ask from; `*` is any. None: no such headers. */
  readonly cors: readonly string[]
  /** Bearer tokens, one of which every request must bring; none asked for when undefined. */
  readonly tokens: readonly string[] | undefined
  readonly log: ServiceLog
  /** Reads the reference data again; without it there is nothing to reload. */
  readonly reopen: (() => Knowledge) | undefined
  /** Tells the processes of one service apart in the metrics. */
  readonly worker: number
  /** The counts of all of them; without it there is but one. */
  readonly gather: (() => Promise<readonly Snapshot[]>) | undefined
  /** Converts tables beside the loop; without it they are converted in it. */
  readonly tableThread: TableThreadEntry | undefined
  /** For HTTPS. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined
}

export interface ServiceLog extends LogOptions {
  /** Write what was asked too: typings are patients' data. */
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
  tableThread: undefined,
  tls: undefined,
}
