/** Where a file store is, who asks it, and how patiently. */
import type { Awaiting } from '../attempts.ts'
import { PATIENCE, RESTART } from '../patience.ts'

export interface DriveOptions {
  /** `https://files.example.org`, with or without a path */
  readonly url: string
  /** Bearer token, or where to get the one that is good now; undefined: nobody who is known asks. */
  readonly token: string | (() => Promise<string>) | undefined
  /** Attempts after the first. */
  readonly retries: number
  /** How long a store that has answered before is tried at least. */
  readonly lasting?: Awaiting
  /** A store that is not there at the moment is waited for. */
  readonly awaiting?: Awaiting
  /** For an answer: ms. */
  readonly timeout: number
  /** For a connection: ms. */
  readonly connectTimeout: number
}

/** Where `hla drive serve` listens unless told otherwise. */
export const DEFAULT_DRIVE_URL = 'http://127.0.0.1:8090'

export const DEFAULT_DRIVE: Omit<DriveOptions, 'url' | 'token'> = {
  ...PATIENCE,
  lasting: { time: RESTART },
}
