/** The address of this service as the caller knows it. */
import type { FastifyRequest } from 'fastify'
import { badRequest } from '../model/failure.ts'
import { newSecret } from '../query/ids.ts'
import type { DriveOptions } from './options.ts'

/** Of a request that was part of a batch: the address the batch came to. */
export const INNER_REQUEST = 'x-hla-inner-request'

/** Nobody else knows it. */
const secret = newSecret()

export function innerMark(base: string): string {
  return `${secret} ${base}`
}

/** Fastify has believed a proxy where it was told to. */
export function baseUrl({ protocol, host, headers }: FastifyRequest, { publicUrl }: DriveOptions): string {
  const mark = headers[INNER_REQUEST]
  if (typeof mark === 'string' && mark.startsWith(`${secret} `)) return mark.slice(secret.length + 1)
  if (publicUrl !== undefined) return publicUrl
  if (!HOST.test(host)) throw badRequest('The header Host names no host.', 'Host')
  return `${protocol}://${host}`
}

/** It is repeated in every link. */
const HOST = /^[\w.:[\]-]+$/
