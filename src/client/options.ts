/** Where a service is, and how patiently it is asked. */
import type { Awaiting } from './attempts.ts'
import { PATIENCE } from './patience.ts'

export interface RemoteOptions {
  /** `https://ard.example.org`, with or without a path */
  readonly url: string
  /** The release it must serve, as after `-r`; `active` is whichever it has. */
  readonly release: string
  /** Attempts after the first. */
  readonly retries: number
  /** How long a service that has answered before is tried at least; without it, `retries` alone count. */
  readonly lasting?: Awaiting
  /** For an answer: ms. */
  readonly timeout: number
  /** For a connection: ms. */
  readonly connectTimeout: number
  /** Connections at once. */
  readonly concurrency: number
  /** For the whole run: ms; 0 is none. */
  readonly deadline: number
  readonly headers: Readonly<Record<string, string>>
}

export const DEFAULT_REMOTE: Omit<RemoteOptions, 'url'> = {
  release: 'active',
  ...PATIENCE,
  concurrency: 8,
  deadline: 0,
  headers: {},
}
