/** Pages of lists: page tokens, and the links that hold them. */
import type { ListCall } from '../requests/parts.ts'
import { userView } from '../../domain/access/principals.ts'
import { setting } from '../../domain/settings.ts'
import type { Value } from '../../persistence/database/database.ts'
import {
  type PagePosition,
  type PageScope,
  readPageToken,
  writePageToken,
} from '../../protocol/page-token.ts'
import { selectFields, isSelected, selectWithin } from '../../protocol/answers/fields.ts'
import { type CallAnswer, resource } from '../requests/call.ts'
import { isJsonText } from './json.ts'
import { etagOf } from '../../protocol/etags.ts'

/** Start of the page; undefined for the first page. @throws 400 */
export function readPosition(call: ListCall): PagePosition | undefined {
  const token = call.parameters.pageToken
  return token === undefined ? undefined : readPageToken(pagingKey(call), pageScope(call), token)
}

/** Key of the last row of the previous page, for lists in key order; 0 for the first page. @throws 400 */
export function readLastKey(call: ListCall): number {
  return Number(readPosition(call)?.[0] ?? 0)
}

interface NextPage {
  readonly nextPageToken?: string
  readonly nextLink?: string
}

/** Fields that name the page after the one that ends with these sort keys, or this key; none after the last page. */
export function nextMembers(call: ListCall, next: readonly Value[] | number | undefined): NextPage {
  if (next === undefined) return {}
  // sort keys are strings and numbers
  const position = (typeof next === 'number' ? [next] : next) as PagePosition
  const nextPageToken = writePageToken(pagingKey(call), pageScope(call), position)
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

interface ListFields extends NextPage {
  readonly kind: string
  readonly etag?: string
  readonly [name: string]: unknown
}

/** `items`: resources, or the text of their selected fields. Fields that the list's schema lacks are left out. */
export function listAnswer(call: ListCall, fields: ListFields, items: readonly object[]): CallAnswer {
  const envelope = { selfLink: requestUrl(call), ...fields }
  return resource(fields.etag, (selection) => {
    const members = selectFields(envelope, { ...selection, isWhole: false })
    if (!isSelected(selection, 'items')) return members
    const inner = selectWithin(selection, 'items')
    return { ...members, items: items.map((item) => (isJsonText(item) ? item : selectFields(item, inner))) }
  })
}

export function listEtag(parts: readonly (string | undefined)[]): string {
  return etagOf(parts.map((part) => `${part ?? ''}\n`).join(''))
}
