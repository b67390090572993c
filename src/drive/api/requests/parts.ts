/** Parts of requests as fastify and the service's body parser leave them, whose types say less. */
import type { FastifyRequest } from 'fastify'
import type { QueryTexts } from '../../protocol/parameters.ts'

export function queryOf({ query }: Pick<FastifyRequest, 'query'>): QueryTexts {
  return query as QueryTexts
}

/** Parameters that the path of the route names. */
export function pathOf({ params }: Pick<FastifyRequest, 'params'>): Readonly<Record<string, string>> {
  return params as Readonly<Record<string, string>>
}

/** Bytes of the body; undefined without one. */
export function bodyOf({ body }: Pick<FastifyRequest, 'body'>): Uint8Array | undefined {
  return body as Uint8Array | undefined
}
