/** Links of a store, which open files without an account.  [network] */
import type { DriveConnection } from './connection.ts'
import { asList, asRecord, asText } from './resource.ts'

export interface DriveLink {
  readonly id: string
  /** Id of the file or folder. */
  readonly file: string
  readonly title: string
  readonly address: string
  /** RFC 3339 times; `expires` is empty for a link without an end. */
  readonly created: string
  readonly expires: string
  /** E-mail address. */
  readonly maker: string
  readonly hasPassword: boolean
  /** Downloads by a link of its own; undefined if they are not counted. */
  readonly downloads: number | undefined
  readonly mostDownloads: number | undefined
}

export interface NewDriveLink {
  readonly file: string
  readonly password?: string | undefined
  readonly mostDownloads?: number | undefined
  /** RFC 3339 time; undefined for the store's default. */
  readonly expires?: string | undefined
}

/** @throws {HlaError} not-found, io, remote */
export async function makeLink({ send }: DriveConnection, given: NewDriveLink): Promise<DriveLink> {
  // no retries: each request makes a link
  const { body } = await send({ method: 'POST', path: '/links', json: given, retries: 0 })
  return readLink(asRecord(body))
}

/** Links of the caller's files, or of all files for administrators. */
export async function listLinks({ send }: DriveConnection, all: boolean): Promise<DriveLink[]> {
  const { body } = await send({ method: 'GET', path: '/links', query: { all: all || undefined } })
  return asList(asRecord(body)['items']).map(readLink)
}

function readLink(link: Readonly<Record<string, unknown>>): DriveLink {
  const count = (name: string) => (typeof link[name] === 'number' ? link[name] : undefined)
  return {
    id: asText(link['id']),
    file: asText(link['file']),
    title: asText(link['title']),
    address: asText(link['address']),
    created: asText(link['created']),
    expires: asText(link['expires']),
    maker: asText(link['maker']),
    hasPassword: link['hasPassword'] === true,
    downloads: count('downloads'),
    mostDownloads: count('mostDownloads'),
  }
}
