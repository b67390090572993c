/** Parts of requests as fastify and the service's body parser leave them, and the parsed request for a list. */
import { type Caller, StorageFailure } from '../../contract/failure.ts'
import { ByteBlocks } from '../../../byte-blocks.ts'
import type { FastifyRequest } from 'fastify'
import type { QueryTexts } from '../../protocol/parameters.ts'
import type { Method } from '../../contract/methods.ts'
import type { ParameterValues } from '../../contract/parameter.ts'
import type { ReadStore } from '../../persistence/database/open-database.ts'
import type { Links } from '../answers/json.ts'

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

export interface ListCall {
  readonly drive: { readonly store: ReadStore }
  readonly method: Method
  readonly caller: Caller
  /** Decoded path parameters. */
  readonly path: Readonly<Record<string, string>>
  readonly parameters: ParameterValues
  /** Query as sent, for page tokens and links. */
  readonly query: Readonly<Record<string, unknown>>
  readonly links: Links
  readonly request: Pick<FastifyRequest, 'url'>
}

/** Reads a body as a whole. @throws 413 */
export async function readAtMost(body: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const bytes = new ByteBlocks()
  for await (const piece of body) {
    bytes.add(piece)
    if (bytes.size > most)
      throw new StorageFailure(413, 'uploadTooLarge', 'The body of the request is too large.')
  }
  return bytes.joined()
}
