/** HttpFace: HTTP routes of an operation under the service's contract. Types, and helpers for routes. */
import type { ErrorCode, HlaError } from '../errors.ts'
import type { Knowledge } from './knowledge.ts'
import type { Property } from './schema.ts'

export interface HttpRoute {
  readonly method: 'GET' | 'POST'
  /** Path; a part in braces is the operation's subject, under the contract's name. */
  readonly path: string
  /** Values for properties that the request omits. */
  readonly preset?: Readonly<Record<string, unknown>>
  /** Purpose of the request, in HTTP terms. */
  readonly summary: string
  /** Name and subject for the description, where another route has those of the operation. */
  readonly id?: string
  readonly example?: string
  /** Error for a subject that the operation accepts but this route does not. */
  readonly refuse?: (subject: string) => HlaError | undefined
  /** Body of this route, if it differs from the operation's. */
  readonly toBody?: (output: Readonly<Record<string, unknown>>) => unknown
  /** Additional properties of that body. */
  readonly more?: Readonly<Record<string, Property>>
}

/** Route with defaults filled in. */
export interface ListedRoute extends HttpRoute {
  readonly preset: Readonly<Record<string, unknown>>
}

/** Answer received over the network. */
export interface HttpReply {
  readonly status: number
  readonly body: unknown
}

export interface EmptyAnswer<I = never, O = never> {
  /** Reasons for an empty answer, reported in the notes. */
  readonly codes: readonly ErrorCode[]
  readonly output: (input: I, knowledge: Knowledge) => O
}

export interface HttpFace<I = never, O = never> extends Pick<
  HttpRoute,
  'method' | 'path' | 'preset' | 'summary'
> {
  /** Further routes to the same answers. */
  readonly also?: readonly HttpRoute[]
  /** Properties that the contract requires although the operation has a default. */
  readonly required?: readonly string[]
  /** Values that a client sends for omitted texts. */
  readonly fill?: Readonly<Record<string, string>>
  /** For clients: completes the input with the property that selects the route. */
  readonly settle?: (input: I) => unknown
  /** Status of an answer; default 200. */
  readonly statusOf?: (output: O) => number
  /** Errors of a typing have status 404: the contract of the route lacks 400. */
  readonly hasNoBadTyping?: boolean
  /** An empty result is an answer with an empty text here; elsewhere it is an error. */
  readonly empty?: EmptyAnswer<I, O>
  /** Body under the contract, if it differs from the output. */
  readonly toBody?: (output: O) => unknown
  /** Answer for clients that prefer text/plain; undefined for always JSON. */
  readonly plain?: (output: O) => string
  /** Properties of that body besides the output. */
  readonly more?: Readonly<Record<string, Property>>
  /** JSON Schema of a body of another form. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Output from the reply of a basic server, which knows the contract only; undefined when the reply is an error. */
  readonly fromReply?: (reply: HttpReply, input: I) => Readonly<Record<string, unknown>> | undefined
  /** Code for an error without one. */
  readonly failure?: ErrorCode
  /** Missing from basic services, which know the contract only. */
  readonly isBeyondContract?: boolean
  /** The answer contains ages, so it changes daily. */
  readonly isOfToday?: boolean
  /** The service adds facts about itself to this answer. */
  readonly describesService?: boolean
}

type Routed = Pick<HttpFace, 'also' | 'method' | 'path' | 'preset' | 'summary'>

/** All routes; the contract's main route first. */
export function listRoutes({ also = [], method, path, summary, preset = {} }: Routed): ListedRoute[] {
  return [{ method, path, summary, preset }, ...also.map((route) => ({ preset: {}, ...route }))]
}

/** `/mac/{allele_code}` -> `allele_code` */
export function pathParameter(path: string): string | undefined {
  return /\{(\w+)\}/.exec(path)?.[1]
}

/** True for a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
