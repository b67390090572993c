/** One request for a list, read: what it is made from, here or in another process. Types only. */
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../contract/failure.ts'
import type { Method } from '../../contract/methods.ts'
import type { ParameterValues } from '../../contract/parameter.ts'
import type { ReadStore } from '../../persistence/database/open-database.ts'
import type { Links } from '../answers/json.ts'

/** What a list is made from, here or in another process. */
export interface ListCall {
  readonly drive: { readonly store: ReadStore }
  readonly method: Method
  readonly caller: Caller
  /** Of the path, decoded. */
  readonly path: Readonly<Record<string, string>>
  readonly parameters: ParameterValues
  /** As it was asked for, for page tokens and links. */
  readonly query: Readonly<Record<string, unknown>>
  readonly links: Links
  readonly request: Pick<FastifyRequest, 'url'>
}
