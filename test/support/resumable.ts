/** A resumable upload, one request at a time.  [network] */
import type { Asking, Drive, Reply } from './drive.ts'

/** Bytes; chunk sizes are multiples of it. */
export const GRANULE = 256 * 1024

export interface Resumable {
  readonly url: string
  /** `range`: value of Content-Range after `bytes `. */
  readonly send: (range: string, body?: Uint8Array, headers?: Record<string, string>) => Promise<Reply>
  readonly ask: (method: string, asking?: Asking) => Promise<Reply>
}

/** Requests go to the current address of `drive`, with the path of `location`. */
export function resumable(drive: Pick<Drive, 'ask'>, location: string): Resumable {
  const path = location.slice(new URL(location).origin.length)
  const ask = (method: string, asking: Asking = {}) =>
    drive.ask(method, path, { token: undefined, ...asking })
  return {
    url: location,
    ask,
    send: (range, body = new Uint8Array(), headers = {}) =>
      ask('PUT', { body, headers: { 'content-range': `bytes ${range}`, ...headers } }),
  }
}

export async function startResumable(
  drive: Pick<Drive, 'ask'>,
  asking: Asking = {},
  id?: string,
): Promise<Resumable> {
  const query = { uploadType: 'resumable', ...asking.query }
  const path = `/upload/drive/v2/files${id === undefined ? '' : `/${id}`}`
  const reply = await drive.ask(id === undefined ? 'POST' : 'PUT', path, { ...asking, query })
  const location = reply.headers.get('location')
  if (reply.status !== 200 || location === null) throw new Error(`${reply.status} ${reply.text}`)
  return resumable(drive, location)
}
