/** The address of this service as the caller knows it. */
import type { FastifyRequest } from 'fastify'
import type { DriveOptions } from './options.ts'

/** Fastify has believed a proxy where it was told to. */
export function baseUrl({ protocol, host }: FastifyRequest, { publicUrl }: DriveOptions): string {
  return publicUrl ?? `${protocol}://${host}`
}
