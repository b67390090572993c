/** What Fastify's logger writes: lines of JSON that hold nothing of a request but its route, unless that was asked for. */
import type { FastifyServerOptions } from 'fastify'

export interface LogOptions {
  /** Where lines of JSON go; nowhere when undefined. */
  readonly stream: { write(line: string): void } | undefined
  /** A line for every request. */
  readonly access: boolean
}

export function makeLogger({ stream, access }: LogOptions): NonNullable<FastifyServerOptions['logger']> {
  if (stream === undefined) return false
  return {
    level: access ? 'info' : 'warn',
    stream,
    serializers: { err: safeError, req: () => ({}), res: () => ({}) },
  }
}

/** Says what of the store is damaged, in words that are for its operator. */
export class LostContent extends Error {
  override readonly name = 'LostContent'
}

/** What the system says names files of ours; nothing else is sure not to repeat the input. */
function tellable(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  return error instanceof LostContent || 'syscall' in error ? error.message : tellable(error.cause)
}

/** Where, not what: a message may repeat the input. */
function safeError(error: unknown): { type: string; message: string; stack: string } {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' }
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  return { type: error.name, message: tellable(error) ?? '', stack: frames.join('\n') }
}
