/** A store connection with scripted answers that records its requests. */
import type { DriveConnection, DriveRequest } from '../../src/drive/client/connection.ts'
import { refusal } from '../../src/drive/client/failure.ts'

export interface ScriptedReply {
  readonly status?: number
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface ScriptedStore {
  readonly connection: DriveConnection
  readonly asked: readonly DriveRequest[]
}

const URL = 'https://store.example'

/** As in a connection, a status above 299 that the request does not accept is an error. */
export function scriptedStore(
  answer: (request: DriveRequest, at: number) => ScriptedReply | Promise<ScriptedReply>,
): ScriptedStore {
  const asked: DriveRequest[] = []
  return {
    asked,
    connection: {
      url: URL,
      async send(request) {
        const at = asked.push(request) - 1
        const { status = 200, headers = {}, body } = await answer(request, at)
        if (status > 299 && request.answers?.includes(status) !== true) throw refusal(URL, status, '')
        return { status, header: (name) => headers[name], retryAfter: undefined, body }
      },
      open: () => Promise.reject(new Error('nothing is opened')),
      spareIds: { list: [], next: 1 },
      passing: () => undefined,
      close: () => Promise.resolve(),
    },
  }
}
