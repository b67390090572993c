/** One request to one operation, read; and what the operation answers. */
import type { ListCall } from './list-call.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deliverer } from '../../delivery/deliverer.ts'
import type { EntityTags } from '../../protocol/etags.ts'
import type { Selection } from '../../protocol/answers/fields.ts'
import type { Store } from '../../persistence/store.ts'
import type { Authenticator } from './authenticate.ts'
import type { Conversions } from '../conversion/conversions.ts'
import type { Expiry } from '../operations/expiry.ts'
import type { LightLists } from '../lists/light-lists.ts'
import type { Listers } from '../lists/listers.ts'
import type { UnderWay } from '../upload/under-way.ts'
import type { DriveOptions } from '../options.ts'
import { badRequest } from '../../contract/failure.ts'
import { newSecret } from '../../protocol/ids.ts'

/** What all operations have. */
export interface DriveContext {
  readonly store: Store
  readonly options: DriveOptions
  /** Told of new channels. */
  readonly deliverer: Deliverer
  readonly expiry: Expiry
  readonly callers: Authenticator
  /** Undefined: lists are made here. */
  readonly listers: Listers | undefined
  readonly lightLists: LightLists
  readonly underWay: UnderWay
  readonly conversions: Conversions
}

export interface Call extends ListCall {
  readonly drive: DriveContext
  readonly ifMatch: EntityTags | undefined
  /** The bytes of a body that the operation takes. */
  readonly body: Uint8Array | undefined
  readonly request: FastifyRequest
}

export type CallAnswer =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'resource'
      readonly etag: string | undefined
      /** Made only when it is sent. */
      readonly make: (selection: Selection) => unknown
    }
  /** Contents: the operation sends them itself. */
  | { readonly kind: 'own'; readonly send: (reply: FastifyReply) => FastifyReply | Promise<FastifyReply> }

export const NOTHING: CallAnswer = { kind: 'nothing' }

export function resource(etag: string | undefined, make: (selection: Selection) => unknown): CallAnswer {
  return { kind: 'resource', etag, make }
}

/** Who makes the answer before it is asked for takes the selection: undefined for an operation without a response. */
export type Handler = (call: Call, selection?: Selection) => CallAnswer | Promise<CallAnswer>

/** The parameter of the path that the operation's path says it has. */
export function idIn({ path }: Pick<Call, 'path'>, name: string): string {
  const id = path[name]
  if (id === undefined) throw new Error(`the path has no ${name}`)
  return id
}

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
