/** Options of the service and their defaults. */
import type { LogOptions } from '../../web/log.ts'
import type { RuleEngine } from '../domain/rules/rule-rows.ts'
import { readLimits } from '../domain/settings.ts'
import type { TableConverter } from './conversion/conversions.ts'
import type { ListerEntry } from './lists/listers.ts'
import type { Database } from '../persistence/database/database.ts'

export interface OpenIdOptions {
  readonly issuer: string
  readonly clientId: string
  /** Undefined for a public client at the provider. */
  readonly clientSecret: string | undefined
  /** Display name. */
  readonly name: string
  /** Creates accounts for unknown users. */
  readonly createsUsers: boolean
}

export interface DriveOptions {
  /** Base URL of links, such as `https://drive.example.org`; undefined to take each request's own address. */
  readonly publicUrl: string | undefined
  /** Trusts `X-Forwarded-Proto` and `-Host`: set it behind a proxy. */
  readonly trustsProxy: boolean
  /** Accepts a token in the query, which ends up in logs and histories. */
  readonly tokenInQuery: boolean
  /** Maximum bytes of a JSON body. */
  readonly maxBody: number
  /** Maximum bytes of a content. */
  readonly maxUpload: number
  /** Maximum bytes of a request's headers. */
  readonly maxHeaders: number
  /** ms within which a request's headers must arrive. */
  readonly headersTimeout: number
  /** ms after which an idle connection is closed. */
  readonly idleTimeout: number
  /** Maximum requests of one user, per second and as a burst; 0 for no limit. */
  readonly rateLimit: number
  /** Allows notifications to this machine, without TLS. */
  readonly notifiesLocally: boolean
  /** Starts the processes that make lists; undefined to make lists in this process. */
  readonly lister: ListerEntry | undefined
  /** Converts tables; undefined to disable conversions. */
  readonly tables: TableConverter | undefined
  /** Converts tables by rules of folders; undefined to disable them. */
  readonly rules: RuleEngine | undefined
  /** OpenID provider for signing in besides passwords; undefined for none. */
  readonly openId: OpenIdOptions | undefined
  readonly log: LogOptions
  readonly tls: { readonly cert: string; readonly key: string } | undefined
}

/** Request limits come from the store. */
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
    tables: undefined,
    rules: undefined,
    openId: undefined,
    log: { stream: undefined, access: false },
    tls: undefined,
  }
}
