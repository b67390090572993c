/** A request sent in pieces with node:http, which fetch cannot do.  [network] */
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Drive } from './drive.ts'

export interface RawReply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

type Headers = Readonly<Record<string, string>>

/** Starts a request with the owner's token; the caller ends it. */
export function beginRequest(
  drive: Pick<Drive, 'url' | 'token'>,
  method: string,
  path: string,
  headers: Headers,
): ClientRequest {
  const address = path.startsWith('http') ? path : `${drive.url}${path}`
  const all = { authorization: `Bearer ${drive.token}`, ...headers }
  return request(address, { method, headers: all, agent: false })
}

export async function replyTo(asked: ClientRequest): Promise<RawReply> {
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) }
}
