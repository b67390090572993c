/** Answers that broke off: why, for whoever counts them when their connection is closed.  [network] */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * `client`: it went away. `idle`, `slow`: nothing moved, or too little of what it was to read. `memory`, `time`, `end`: a conversion
 * took too much, or the service ended. `failed`: a fault of ours.
 */
export type BreakReason = 'client' | 'idle' | 'slow' | 'memory' | 'time' | 'end' | 'failed'

/** Noted before the connection is closed, or before the last part of the answer says so. */
const reasons = new WeakMap<Socket | ServerResponse, BreakReason>()

export function noteBreak(of: Socket | ServerResponse, reason: BreakReason): void {
  reasons.set(of, reason)
}

/** undefined: it was sent to its end. */
export function breakReason(response: ServerResponse): BreakReason | undefined {
  const noted = reasons.get(response)
  if (noted !== undefined || response.writableFinished) return noted
  return reasons.get(response.req.socket) ?? 'client'
}
