/** Address of a file store, the caller's token, retries and time limits. */
import type { OutageOptions } from '../../remote/attempts.ts'
import { SERVICE_LIMITS, RESTART_MS } from '../../remote/patience.ts'

export interface DriveOptions {
  /** `https://files.example.org`, with or without a path */
  readonly url: string
  /** Bearer token, or a function that returns a valid one; undefined for anonymous requests. */
  readonly token: string | (() => Promise<string>) | undefined
  /** Attempts after the first. */
  readonly retries: number
  /** Minimum time to retry a store that has answered before. */
  readonly lasting?: OutageOptions
  /** Minimum time to wait for a store that is unreachable. */
  readonly awaiting?: OutageOptions
  /** Time limit for an answer, in ms. */
  readonly timeout: number
  /** Time limit for a connection, in ms. */
  readonly connectTimeout: number
}

/** Default address of `hla drive serve`. */
export const DEFAULT_DRIVE_URL = 'http://127.0.0.1:8090'

export const DEFAULT_DRIVE: Omit<DriveOptions, 'url' | 'token'> = {
  ...SERVICE_LIMITS,
  lasting: { time: RESTART_MS },
}
