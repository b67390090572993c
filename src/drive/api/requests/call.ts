/** A parsed request to one operation, and the answer of the operation. */
import { assured } from '../../../errors.ts'
import type { ListCall } from './parts.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deliverer } from '../../delivery/deliverer.ts'
import { readMethodBody } from '../../protocol/bodies/body.ts'
import type { EntityTags } from '../../protocol/etags.ts'
import { type Selection, selectFields } from '../../protocol/answers/fields.ts'
import { type CommandInput, type CommandName, type CommandResult, command } from '../../domain/commands.ts'
import type { Bodies, FileBody } from '../../contract/bodies.ts'
import { realId } from '../../domain/items/file-row.ts'
import type { MethodId } from '../../contract/methods.ts'
import type { AccessRecord } from '../../persistence/access-record.ts'
import type { Store } from '../../persistence/store.ts'
import type { Authenticator } from './authenticate.ts'
import type { Conversions } from '../conversion/conversions.ts'
import type { Expiry } from '../operations/expiry.ts'
import type { LightLists } from '../lists/light-lists.ts'
import type { Listers } from '../lists/listers.ts'
import type { Arrivals } from '../upload/arrivals.ts'
import type { DriveOptions } from '../options.ts'
import { type Caller, type OwnConditions, badRequest } from '../../contract/failure.ts'
import { newSecret } from '../../protocol/ids.ts'

/** Services that all operations share. */
export interface DriveContext {
  readonly store: Store
  readonly options: DriveOptions
  /** Woken for new channels. */
  readonly deliverer: Deliverer
  readonly expiry: Expiry
  readonly callers: Authenticator
  /** Undefined if this process makes the lists. */
  readonly listers: Listers | undefined
  readonly lightLists: LightLists
  readonly arrivals: Arrivals
  readonly conversions: Conversions
  readonly accesses: AccessRecord
  /** Caller that an opened link makes of a request; undefined if the link opens another item or has ended. */
  readonly linkCaller: (request: FastifyRequest) => Caller | undefined
}

export interface Call extends ListCall {
  readonly drive: DriveContext
  readonly ifMatch: EntityTags | undefined
  readonly conditions: OwnConditions | undefined
  readonly body: Uint8Array | undefined
  readonly request: FastifyRequest
}

export type CallAnswer =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'resource'
      readonly etag: string | undefined
      /** Called only if the response has a body. */
      readonly make: (selection: Selection) => unknown
    }
  /** Contents, which the operation sends itself. */
  | { readonly kind: 'own'; readonly send: (reply: FastifyReply) => FastifyReply | Promise<FastifyReply> }

export const NOTHING: CallAnswer = { kind: 'nothing' }

export function resource(etag: string | undefined, make: (selection: Selection) => unknown): CallAnswer {
  return { kind: 'resource', etag, make }
}

/** Response with the selected fields of a resource. */
export function shown(body: unknown, etag?: string): CallAnswer {
  return resource(etag, (selection) => selectFields(body, selection))
}

/** The selection is for handlers that write the response early; undefined for an operation without a response. */
export type Handler = (call: Call, selection?: Selection) => CallAnswer | Promise<CallAnswer>
export type Handlers = Readonly<Partial<Record<MethodId, Handler>>>

/** Body of the operation's request. @throws 400 */
export function readCallBody<Name extends keyof Bodies>({ method, body }: Call, schema: Name): Bodies[Name] {
  return readMethodBody(method, schema, body)
}

/** Metadata of a file, with ids of its folders and its target instead of aliases. @throws 400 */
export function readFileBody(call: Call, bytes = call.body): FileBody {
  const { parents, shortcutDetails, ...others } = readMethodBody(call.method, 'File', bytes)
  const real = <Named extends { readonly id?: string }>(one: Named): Named =>
    one.id === undefined ? one : { ...one, id: realIdOf(call, one.id) }
  const { targetId } = shortcutDetails ?? {}
  return {
    ...others,
    ...(parents === undefined ? {} : { parents: parents.map(real) }),
    ...(targetId === undefined ? {} : { shortcutDetails: { targetId: realIdOf(call, targetId) } }),
  }
}

/** Id of a child or a parent, also for an alias. @throws 400 */
export function readReference(call: Call, schema: 'ChildReference' | 'ParentReference'): string {
  return realIdOf(call, readCallBody(call, schema).id ?? '')
}

function realIdOf({ drive, caller }: Call, id: string): string {
  return realId(drive.store.read, caller, id)
}

/** Runs a command for the caller. */
export function change<Name extends CommandName>(
  { drive, caller }: Call,
  name: Name,
  input: CommandInput<Name>,
): Promise<CommandResult<Name>> {
  return command(drive.store, name, caller, input)
}

/** Runs a command that leaves nothing to answer with. */
export async function changeOnly<Name extends CommandName>(
  call: Call,
  name: Name,
  input: CommandInput<Name>,
): Promise<CallAnswer> {
  await change(call, name, input)
  return NOTHING
}

/** Path parameter of the operation. */
export function pathId({ path }: Pick<Call, 'path'>, name: string): string {
  return assured(path[name], `the path has no ${name}`)
}

/** Header of a batch's part: a secret, and the base URL of the batch. */
export const INNER_REQUEST = 'x-hla-inner-request'

/** Secret of this process, so that clients cannot forge the header. */
const secret = newSecret()

export function innerMark(base: string): string {
  return `${secret} ${base}`
}

/** Checked in the operation, because a URL can be spelled in many ways. @throws 400 — the request is part of a batch */
export function refuseInBatch({ headers }: FastifyRequest): void {
  if (readForwarded(headers) === undefined) return
  throw badRequest('Uploads, downloads and batches cannot be part of a batch.')
}

function readForwarded(headers: FastifyRequest['headers']): string | undefined {
  const mark = headers[INNER_REQUEST]
  return typeof mark === 'string' && mark.startsWith(`${secret} `) ? mark : undefined
}

/** Base URL of a request; fastify has already applied the proxy's headers if the proxy is trusted. */
export function baseUrl({ protocol, host, headers }: FastifyRequest, { publicUrl }: DriveOptions): string {
  const mark = readForwarded(headers)
  if (mark !== undefined) return mark.slice(secret.length + 1)
  if (publicUrl !== undefined) return publicUrl
  if (!HOST.test(host)) throw badRequest('The header Host names no host.', 'Host')
  return `${protocol}://${host}`
}

/** Restricts the host, because every link repeats it. */
const HOST = /^[\w.:[\]-]+$/
