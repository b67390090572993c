/** Reasons why answers broke off, recorded for the counters that run when the connection closes.  [network] */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * `client`: the client disconnected. `idle`, `slow`: no traffic, or the client read too slowly. `memory`, `time`,
 * `end`: a conversion exceeded a limit, or the service ended. `failed`: a bug.
 */
export type BreakReason = 'client' | 'idle' | 'slow' | 'memory' | 'time' | 'end' | 'failed'

/** Set before the connection is closed, or before the last part of the answer reports it. */
const reasons = new WeakMap<Socket | ServerResponse, BreakReason>()

export function noteBreak(of: Socket | ServerResponse, reason: BreakReason): void {
  reasons.set(of, reason)
}

/** Reason of an incomplete answer; undefined for a complete one. */
export function breakReason(response: ServerResponse): BreakReason | undefined {
  const noted = reasons.get(response)
  if (noted !== undefined || response.writableFinished) return noted
  return reasons.get(response.req.socket) ?? 'client'
}
