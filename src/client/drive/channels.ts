/** Push channels: the store tells that something has changed, and where it says so. [network] */
import type { DriveConnection } from './connection.ts'
import { ALL_DRIVES } from './files.ts'
import { asRecord, asText } from './resource.ts'

export interface Channel {
  readonly id: string
  readonly resourceId: string
  /** ms since 1970: it ends then. */
  readonly expires: number
}

export interface ChannelOptions {
  readonly id: string
  /** https; another one where the store allows it. */
  readonly address: string
  /** Comes with each message. */
  readonly token: string
  /** Of the feed: what is behind it already is told at once. */
  readonly pageToken: string
}

/** Seconds: a channel that nobody renews is over after that. */
const LIFE = 3600

/** @throws {HlaError} io — the store sends nothing there */
export async function openChannel(
  { send }: DriveConnection,
  { pageToken, ...wish }: ChannelOptions,
): Promise<Channel> {
  const query = { pageToken, includeItemsFromAllDrives: true, ...ALL_DRIVES }
  const json = { ...wish, type: 'web_hook', params: { ttl: String(LIFE) } }
  const { body } = await send({ method: 'POST', path: '/drive/v2/changes/watch', query, json, retries: 0 })
  const { id, resourceId, expiration } = asRecord(body)
  return { id: asText(id), resourceId: asText(resourceId), expires: Number(expiration) }
}

/** One that is over is as good as stopped. */
export async function stopChannel({ send }: DriveConnection, { id, resourceId }: Channel): Promise<void> {
  const json = { id, resourceId }
  await send({ method: 'POST', path: '/drive/v2/channels/stop', json, answers: [404], retries: 0 })
}
