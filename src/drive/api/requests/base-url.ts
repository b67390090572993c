/** The address of this service as the caller knows it. */
import type { FastifyRequest } from 'fastify'
import { badRequest } from '../../contract/failure.ts'
import { newSecret } from '../../protocol/ids.ts'
import type { DriveOptions } from '../options.ts'

/** Of a request that was part of a batch: the address the batch came to. */
export const INNER_REQUEST = 'x-hla-inner-request'

/** Known to this process alone, so that no client can forge the header. */
const secret = newSecret()

export function innerMark(base: string): string {
  return `${secret} ${base}`
}

/** Checked by the operation that was reached: an address can name it in many spellings. @throws 400 — the request is part of a batch */
export function mustNotBeInBatch({ headers }: FastifyRequest): void {
  if (readForwarded(headers) === undefined) return
  throw badRequest('Uploads, downloads and batches cannot be part of a batch.')
}

function readForwarded(headers: FastifyRequest['headers']): string | undefined {
  const mark = headers[INNER_REQUEST]
  return typeof mark === 'string' && mark.startsWith(`${secret} `) ? mark : undefined
}

/** Fastify has believed a proxy where it was told to. */
export function baseUrl({ protocol, host, headers }: FastifyRequest, { publicUrl }: DriveOptions): string {
  const mark = readForwarded(headers)
  if (mark !== undefined) return mark.slice(secret.length + 1)
  if (publicUrl !== undefined) return publicUrl
  if (!HOST.test(host)) throw badRequest('The header Host names no host.', 'Host')
  return `${protocol}://${host}`
}

/** It is repeated in every link. */
const HOST = /^[\w.:[\]-]+$/
