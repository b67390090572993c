/** HttpFace: how the service's contract asks an operation, and what it answers. Types, and what routes share. */
import type { ErrorCode, HlaError } from '../errors.ts'
import type { Knowledge } from './knowledge.ts'
import type { Property } from './schema.ts'

export interface HttpRoute {
  readonly method: 'GET' | 'POST'
  /** A part in braces is the operation's subject, whatever the contract calls it. */
  readonly path: string
  /** Properties that take these values unless the request says otherwise. */
  readonly preset?: Readonly<Record<string, unknown>>
  /** What the request is for, in words of HTTP. */
  readonly summary: string
  /** For the description, where those of the operation are another route's: a name and a subject. */
  readonly id?: string
  readonly example?: string
  /** What is wrong with a subject that the operation takes and this route does not. */
  readonly refuse?: (subject: string) => HlaError | undefined
  /** The body of this route, where it is not the operation's. */
  readonly toBody?: (output: Readonly<Record<string, unknown>>) => unknown
  /** What that body has besides. */
  readonly more?: Readonly<Record<string, Property>>
}

/** With what a route need not say. */
export interface ListedRoute extends HttpRoute {
  readonly preset: Readonly<Record<string, unknown>>
}

/** An answer as it comes over the network. */
export interface HttpReply {
  readonly status: number
  readonly body: unknown
}

export interface EmptyAnswer<I = never, O = never> {
  /** Why nothing is left: it is said in the notes. */
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
  /** What a client sends for texts that were not given. */
  readonly fill?: Readonly<Record<string, string>>
  /** The input with whatever decides between the routes: for clients. */
  readonly settle?: (input: I) => unknown
  /** Status of an answer; 200 without it. */
  readonly statusOf?: (output: O) => number
  /** Everything that is wrong with a typing is 404 here: the contract of the route knows no 400. */
  readonly hasNoBadTyping?: boolean
  /** A right input of which nothing is left is an answer here, with an empty text; elsewhere it is refused. */
  readonly empty?: EmptyAnswer<I, O>
  /** The contract's body, where it is not the output. */
  readonly toBody?: (output: O) => unknown
  /** The answer for who asks for text/plain rather than JSON; undefined: it is JSON all the same. */
  readonly plain?: (output: O) => string
  /** What that body has besides the output. */
  readonly more?: Readonly<Record<string, Property>>
  /** The JSON Schema of a body that is something else. */
  readonly body?: Readonly<Record<string, unknown>>
  /** The output in a reply of a server that knows the contract alone; undefined: the reply is an error. */
  readonly fromReply?: (reply: HttpReply, input: I) => Readonly<Record<string, unknown>> | undefined
  /** What an error is called that comes without a code. */
  readonly failure?: ErrorCode
  /** Services that know the contract alone do not have it. */
  readonly isBeyondContract?: boolean
  /** The answer tells of ages: tomorrow it is another. */
  readonly isOfToday?: boolean
  /** The service adds what it offers to this answer. */
  readonly describesService?: boolean
}

type Routed = Pick<HttpFace, 'also' | 'method' | 'path' | 'preset' | 'summary'>

/** All routes, the contract's first one first. */
export function listRoutes({ also = [], method, path, summary, preset = {} }: Routed): ListedRoute[] {
  return [{ method, path, summary, preset }, ...also.map((route) => ({ preset: {}, ...route }))]
}

/** `/mac/{allele_code}` -> `allele_code` */
export function pathParameter(path: string): string | undefined {
  return /\{(\w+)\}/.exec(path)?.[1]
}

/** A body that is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
