/** Options of the service and their defaults. */
import type { LogOptions } from '../../web/log.ts'
import type { RuleEngine } from '../domain/rules/rule-rows.ts'
import { readLimits } from '../domain/settings.ts'
import type { TableConverter } from './conversion/conversions.ts'
import type { ListerEntry } from './lists/listers.ts'
import type { Database } from '../persistence/database/database.ts'

/** An OpenID provider. */
export interface OpenIdOptions {
  readonly issuer: string
  readonly clientId: string
  /** Undefined: the provider knows this store by its address alone. */
  readonly clientSecret: string | undefined
  /** What people call it. */
  readonly name: string
  /** Who has no account gets one. */
  readonly createsUsers: boolean
}

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
  /** ms for which reads are answered while the database of a shared store is out of reach; 0: they are refused. */
  readonly readWhileAway: number
  /** Whether notifications may go to this machine, and there without TLS. */
  readonly notifiesLocally: boolean
  /** Starts the processes that make lists; undefined: they are made in this one. */
  readonly lister: ListerEntry | undefined
  /** Reads and writes tables; undefined: none is converted. */
  readonly tables: TableConverter | undefined
  /** Converts tables by rules of folders; undefined: nobody does. */
  readonly rules: RuleEngine | undefined
  /** Who says who somebody is, besides a password; undefined: nobody. */
  readonly openId: OpenIdOptions | undefined
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
    readWhileAway: 0,
    notifiesLocally: false,
    lister: undefined,
    tables: undefined,
    rules: undefined,
    openId: undefined,
    log: { stream: undefined, access: false },
    tls: undefined,
  }
}
