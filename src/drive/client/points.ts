/** Points in the history of a store, by which a client notices that the store has gone back.  [network] */
import type { DriveConnection } from './connection.ts'
import { asRecord, asText } from './resource.ts'

export interface StorePoint {
  /** Everything that the store has acknowledged is before this point. */
  readonly point: string
  /** False if the store was restored to a state before `since`. */
  readonly isInHistory: boolean
}

export async function fetchPoint({ send }: DriveConnection, since: string | undefined): Promise<StorePoint> {
  const { body } = await send({ method: 'GET', path: '/point', query: { since } })
  const { point, isInHistory } = asRecord(body)
  return { point: asText(point), isInHistory: isInHistory !== false }
}
