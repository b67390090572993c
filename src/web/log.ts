/** Logger for Fastify: writes JSON lines with nothing of a request except its route, unless requested. */
import type { FastifyServerOptions } from 'fastify'

export interface LogOptions {
  /** Destination of the JSON lines; undefined for none. */
  readonly stream: { write(line: string): void } | undefined
  /** Write a line for every request. */
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

/** Error about damaged content of the store, with a message for the operator. */
export class LostContent extends Error {
  override readonly name = 'LostContent'
}

/** Message safe to log: system errors name hla's own files; any other message may repeat the input. */
function tellable(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  return error instanceof LostContent || 'syscall' in error ? error.message : tellable(error.cause)
}

/** Error with its stack, but without a message that may repeat the input. */
function safeError(error: unknown): { type: string; message: string; stack: string } {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' }
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  return { type: error.name, message: tellable(error) ?? '', stack: frames.join('\n') }
}
