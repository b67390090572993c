/** What the service and the processes that make its lists say to each other: plain data. */
import type { Caller } from '../../contract/caller.ts'
import type { MethodId } from '../../contract/methods.ts'
import type { ParameterValues } from '../../contract/parameter.ts'
import type { SentError } from '../../persistence/writer/writer-messages.ts'

export interface ListRequest {
  readonly method: MethodId
  readonly caller: Caller
  readonly path: Readonly<Record<string, string>>
  readonly parameters: ParameterValues
  readonly query: Readonly<Record<string, unknown>>
  /** Of the request, below `base`. */
  readonly url: string
  readonly base: string
}

export interface ListMade {
  readonly etag: string | undefined
  /** JSON. */
  readonly text: string
}

export type FromLister = 'ready' | { readonly made: ListMade } | { readonly error: SentError }
