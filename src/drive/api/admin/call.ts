/** One request of an administrator, read as the table of these requests has it. */
import type { FastifyRequest } from 'fastify'
import {
  ADMIN_REQUESTS,
  type AdminRequest,
  type AdminRequestId,
  type Given,
  type Kind,
} from '../../contract/administration/admin-requests.ts'
import type { Caller } from '../../contract/caller.ts'
import { invalid, invalidParameter, required } from '../../contract/failure.ts'
import type { ListPage } from '../../domain/administration/lists.ts'
import { readLimits } from '../../domain/limits.ts'
import { isRecord, parseJson, readScalar, wrongType } from '../../protocol/bodies/body.ts'
import type { DriveContext } from '../requests/call.ts'

type FieldsIn<Id extends AdminRequestId, Where extends 'query' | 'body'> =
  (typeof ADMIN_REQUESTS)[Id] extends Readonly<
    Record<Where, infer Fields extends Readonly<Record<string, Kind>>>
  >
    ? Given<Fields>
    : object

export interface AdminCall<Id extends AdminRequestId> {
  readonly drive: DriveContext
  readonly caller: Caller
  /** Of the path, decoded. */
  readonly path: Readonly<Record<string, string>>
  readonly query: FieldsIn<Id, 'query'>
  readonly body: FieldsIn<Id, 'body'>
  /** Of a list. */
  readonly page: ListPage
}

/** What is answered; nothing: 204. */
export type AdminHandlers = {
  readonly [Id in AdminRequestId]: (call: AdminCall<Id>) => unknown
}

/** Rows of a page, unless it is asked for otherwise. */
const USUAL = 100

/** @throws 400 */
export function readAdminCall<Id extends AdminRequestId>(
  id: Id,
  drive: DriveContext,
  caller: Caller,
  request: FastifyRequest,
): AdminCall<Id> {
  const { query: fields = {}, body: members = {} }: AdminRequest = ADMIN_REQUESTS[id]
  const query = readQuery(request.query as Readonly<Record<string, unknown>>, fields) // as fastify parses it
  const { maxResults = USUAL, pageToken: after } = query as {
    readonly maxResults?: number
    readonly pageToken?: string
  }
  const most = Math.min(Math.max(1, maxResults), readLimits(drive.store.read)['page-items'])
  return {
    drive,
    caller,
    // the route has them
    path: request.params as Record<string, string>,
    // as the table says
    query: query as AdminCall<Id>['query'],
    body: readMembers(request.body as Uint8Array | undefined, members) as AdminCall<Id>['body'],
    page: { most, after },
  }
}

type Fields = Readonly<Record<string, Kind>>

/** Parameters of all requests, such as a token, are none of these. */
function readQuery(given: Readonly<Record<string, unknown>>, fields: Fields): Record<string, unknown> {
  const read: Record<string, unknown> = {}
  for (const [name, kind] of Object.entries(fields)) {
    const text = given[name]
    if (text === undefined) continue
    if (typeof text !== 'string') throw invalidParameter(name, `${name} is there twice.`)
    if (kind === 'flag' && text !== 'true' && text !== 'false')
      throw invalidParameter(name, `${name} must be true or false.`)
    read[name] = readValue(kind === 'flag' ? text === 'true' : text, kind, name)
  }
  return read
}

/** Names that are not known are refused: a change that is not made would pass for one that is. */
function readMembers(bytes: Uint8Array | undefined, fields: Fields): Record<string, unknown> {
  const given = parseJson(bytes)
  if (!isRecord(given)) throw wrongType('', 'an object')
  const known = new Map(Object.entries(fields))
  const read: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    const kind = known.get(name)
    if (kind === undefined) throw invalid(`There is no member ${name}.`, name)
    read[name] = readValue(value, kind, name)
  }
  for (const [name, kind] of known) if (kind.endsWith('!') && (read[name] ?? '') === '') throw required(name)
  return read
}

function readValue(value: unknown, kind: Kind, name: string): unknown {
  switch (kind) {
    case 'text':
    case 'text!':
      return readText(value, name)
    case 'flag':
      return readScalar(value, 'boolean', name)
    case 'count?':
      return value === null ? null : readCount(value, name)
    case 'count':
      return readCount(value, name)
    case 'texts':
    case 'texts!':
      if (!Array.isArray(value)) throw wrongType(name, 'an array')
      return value.map((one) => readText(one, name))
  }
}

/** Characters: of names, addresses, passwords. */
const LONGEST = 1024

/** It is shown in lists and on terminals, which control characters are no text for. */
function readText(value: unknown, name: string): string {
  const text = String(readScalar(value, 'string', name))
  if (text.length > LONGEST) throw invalid(`${name} is longer than ${LONGEST} characters.`, name)
  if (/\p{Cc}/u.test(text)) throw invalid(`${name} has a control character.`, name)
  return text
}

function readCount(value: unknown, name: string): number {
  const count = Number(readScalar(value, 'int64', name))
  if (count < 0) throw invalid(`${name} cannot be less than 0.`, name)
  return count
}
