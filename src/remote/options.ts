/** Address of a service, with retries and time limits. */
import type { OutageOptions } from './attempts.ts'
import { SERVICE_LIMITS } from './patience.ts'

export interface RemoteOptions {
  /** `https://ard.example.org`, with or without a path */
  readonly url: string
  /** Release it must serve, as for `-r`; `active` accepts any. */
  readonly release: string
  /** Attempts after the first. */
  readonly retries: number
  /** Minimum time to retry a service that has answered before; without it only `retries` counts. */
  readonly lasting?: OutageOptions
  /** Time limit for an answer, in ms. */
  readonly timeout: number
  /** Time limit for a connection, in ms. */
  readonly connectTimeout: number
  /** Maximum number of simultaneous connections. */
  readonly concurrency: number
  /** Time limit for the whole run, in ms; 0 means none. */
  readonly deadline: number
  readonly headers: Readonly<Record<string, string>>
}

export const DEFAULT_REMOTE: Omit<RemoteOptions, 'url'> = {
  release: 'active',
  ...SERVICE_LIMITS,
  concurrency: 8,
  deadline: 0,
  headers: {},
}
