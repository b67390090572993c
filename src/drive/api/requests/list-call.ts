/** Parsed request for a list, for this or another process. Types only. */
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../contract/failure.ts'
import type { Method } from '../../contract/methods.ts'
import type { ParameterValues } from '../../contract/parameter.ts'
import type { ReadStore } from '../../persistence/database/open-database.ts'
import type { Links } from '../answers/json.ts'

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
