/** Record of accesses to a file.  [network] */
import type { DriveConnection } from './connection.ts'
import { listPages } from './files.ts'
import { asList, asText } from './resource.ts'

export interface FileAccess {
  /** RFC 3339 time. */
  readonly date: string
  /** `open`, `download`, `share` or `change`. */
  readonly action: string
  /** Operation of the store, such as `files.get`. */
  readonly method: string
  /** E-mail address; empty for a caller without an account. */
  readonly user: string
  /** Program; empty for a caller without an account. */
  readonly client: string
  /** Name of the token; empty for none. */
  readonly token: string
  /** Link that let in a caller without an account; empty for none. */
  readonly link: string
  readonly times: number
}

export interface FileAccesses {
  /** Newest first. */
  readonly accesses: readonly FileAccess[]
  /** Lines that could not be read. */
  readonly damaged: number
  /** Accesses that were not recorded. */
  readonly lost: number
}

/** @throws {HlaError} not-found, io — not the owner; remote */
export async function listAccesses(connection: DriveConnection, file: string): Promise<FileAccesses> {
  const accesses: FileAccess[] = []
  let [damaged, lost] = [0, 0]
  const query = { file, maxResults: 1000 }
  for await (const page of listPages(connection, '/drive/admin/v1/accesses', query)) {
    accesses.push(...asList(page['items']).map(readAccess))
    damaged += Number(page['damaged'])
    lost += Number(page['lost'])
  }
  return { accesses, damaged, lost }
}

function readAccess(access: Readonly<Record<string, unknown>>): FileAccess {
  const text = (name: string) => asText(access[name])
  return {
    date: text('date'),
    action: text('action'),
    method: text('method'),
    user: text('user'),
    client: text('client'),
    token: text('token'),
    link: text('link'),
    times: Number(access['times']),
  }
}
