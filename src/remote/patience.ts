/** Default time limits and retries for services. */

export const SERVICE_LIMITS = {
  retries: 4,
  /** Time limit for an answer, in ms. */
  timeout: 30_000,
  /** Time limit for a connection, in ms. */
  connectTimeout: 5000,
} as const

/** Time in ms to retry a service that has answered before, from its first failure: a restart may take a minute. */
export const RESTART_MS = 120_000
