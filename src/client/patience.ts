/** How long a service is waited for, and how often it is asked again, unless somebody says otherwise. */

export const PATIENCE = {
  retries: 4,
  /** For an answer: ms. */
  timeout: 30_000,
  /** For a connection: ms. */
  connectTimeout: 5000,
} as const

/** ms for which a service that has answered is waited for: it may be started again meanwhile. */
export const RESTART = 60_000
