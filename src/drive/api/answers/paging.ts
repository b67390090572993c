/** Pages of lists: page tokens, and the links that hold them. */
import type { ListCall } from '../requests/list-call.ts'
import { userView } from '../../domain/access/principals.ts'
import { setting } from '../../domain/settings.ts'
import type { Value } from '../../persistence/database/database.ts'
import {
  type PagePosition,
  type PageScope,
  readPageToken,
  writePageToken,
} from '../../protocol/page-token.ts'
import { type Selection, selectFields, isSelected, selectWithin } from '../../protocol/answers/fields.ts'
import { type CallAnswer, resource } from '../requests/call.ts'
import { createHash } from 'node:crypto'

/** Start of the page; undefined for the first page. @throws 400 */
export function readPosition(call: ListCall): PagePosition | undefined {
  const token = call.parameters.pageToken
  return token === undefined ? undefined : readPageToken(pagingKey(call), pageScope(call), token)
}

/** Key of the last row of the previous page, for lists in key order; 0 for the first page. @throws 400 */
export function readLastKey(call: ListCall): number {
  return Number(readPosition(call)?.[0] ?? 0)
}

/** Fields that name the next page; none on the last page. */
export function nextMembers(call: ListCall, next: readonly Value[] | undefined): Record<string, string> {
  if (next === undefined) return {}
  // sort keys are strings and numbers
  const nextPageToken = writePageToken(pagingKey(call), pageScope(call), next as PagePosition)
  return { nextPageToken, nextLink: requestUrl(call, { pageToken: nextPageToken }) }
}

/** URL of this request, without a token in its query. */
export function requestUrl(
  { links, query, request }: ListCall,
  more: Readonly<Record<string, string>> = {},
): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, ...more })) {
    if (name === 'access_token' || name === 'oauth_token') continue
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one))
  }
  const text = search.toString()
  return `${links.base}${request.url.split('?', 1)[0]}${text === '' ? '' : `?${text}`}`
}

function pagingKey({ drive }: ListCall): Uint8Array {
  return Buffer.from(setting(drive.store.read, 'page-key'), 'base64url')
}

function pageScope({ drive, caller, method, path, parameters }: ListCall): PageScope {
  const user = userView(drive.store.read, caller.user)
  return {
    method,
    user: user?.id ?? '',
    path: method.pathParameters.map((name) => path[name] ?? ''),
    values: parameters,
  }
}

interface ListParts {
  readonly etag: string | undefined
  /** All fields except the items. */
  readonly envelope: Readonly<Record<string, unknown>>
  /** `selection` applies to one item. */
  readonly items: (selection: Selection) => readonly unknown[]
}

export function listAnswer({ etag, envelope, items }: ListParts): CallAnswer {
  return resource(etag, (selection) => ({
    ...selectFields(envelope, { ...selection, isWhole: false }),
    ...(isSelected(selection, 'items') ? { items: items(selectWithin(selection, 'items')) } : {}),
  }))
}

export function listEtag(parts: readonly (string | undefined)[]): string {
  const hash = createHash('sha1')
  for (const part of parts) hash.update(`${part ?? ''}\n`)
  return `"${hash.digest('base64url')}"`
}
