/** What Fastify's logger writes: lines of JSON that hold nothing of a request but its route, unless that was asked for. */
import type { FastifyServerOptions } from 'fastify'

export interface LogOptions {
  /** Where lines of JSON go; nowhere when undefined. */
  readonly stream: { write(line: string): void } | undefined
  /** A line for every request. */
  readonly access: boolean
}

export function loggerOf({ stream, access }: LogOptions): NonNullable<FastifyServerOptions['logger']> {
  if (stream === undefined) return false
  return {
    level: access ? 'info' : 'warn',
    stream,
    serializers: { err: safeError, req: () => ({}), res: () => ({}) },
  }
}

/** Where, not what: a message may repeat the input. */
function safeError(error: unknown): { type: string; message: string; stack: string } {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' }
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  return { type: error.name, message: '', stack: frames.join('\n') }
}
