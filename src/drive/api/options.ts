/** Options of the service and their defaults. */
import type { LogOptions } from '../../web/log.ts'
import { readLimits } from '../domain/limits.ts'
import type { ListerEntry } from './lists/listers.ts'
import type { Database } from '../persistence/database/database.ts'

export interface DriveOptions {
  /** `https://drive.example.org`: the address in links; undefined: the one each request came to. */
  readonly publicUrl: string | undefined
  /** Believe `X-Forwarded-Proto` and `-Host`: there is a proxy in front. */
  readonly trustsProxy: boolean
  /** Whether a token may stand in the query, where logs and histories keep it. */
  readonly tokenInQuery: boolean
  /** Longest JSON body: bytes. */
  readonly maxBody: number
  /** Largest content: bytes. */
  readonly maxUpload: number
  /** Headers of a request: bytes. */
  readonly maxHeaders: number
  /** A request's headers must have arrived by then: ms. */
  readonly headersTimeout: number
  /** A connection on which nothing moves is closed: ms. */
  readonly idleTimeout: number
  /** Requests of one user: most a second, and at once; 0: no limit. */
  readonly rateLimit: number
  /** Whether notifications may go to this machine, and there without TLS. */
  readonly notifiesLocally: boolean
  /** Starts the processes that make lists; undefined: they are made in this one. */
  readonly lister: ListerEntry | undefined
  readonly log: LogOptions
  /** For HTTPS. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined
}

/** The limits of requests are those of the store. */
export function defaultOptions(store: Database): DriveOptions {
  const limits = readLimits(store)
  return {
    publicUrl: undefined,
    trustsProxy: false,
    tokenInQuery: true,
    maxBody: limits['body-bytes'],
    maxHeaders: limits['header-bytes'],
    maxUpload: 5 * 1024 ** 4,
    headersTimeout: limits['header-seconds'] * 1000,
    idleTimeout: 60_000,
    rateLimit: 0,
    notifiesLocally: false,
    lister: undefined,
    log: { stream: undefined, access: false },
    tls: undefined,
  }
}
