/** Health, readiness and metrics. */
import type { FastifyInstance } from 'fastify'
import { processMetrics, processUse } from '../../../web/process-metrics.ts'
import { type RequestMetrics, head } from '../../../web/request-metrics.ts'
import { packageVersion } from '../../../package-root.ts'
import { largestChange } from '../../domain/accounts/quota.ts'
import { type ChannelCounts, channelCounts } from '../../domain/channels/notifications.ts'
import { isAdmin } from '../../domain/drives/drive-view.ts'
import { StorageFailure } from '../../contract/failure.ts'
import { readPosition } from '../../persistence/database/log-position.ts'
import type { Reach } from '../../persistence/reach.ts'
import type { DriveContext } from '../requests/call.ts'

export interface StoreHealth {
  readonly drive: DriveContext
  readonly metrics: RequestMetrics
  readonly isDraining: () => boolean
  readonly reach: () => Promise<Reach>
}

export function addHealth(app: FastifyInstance, health: StoreHealth): void {
  const { drive, isDraining, reach } = health
  const open = { config: { isOpen: true } }
  app.get('/healthz', open, (_request, reply) => reply.send({ status: 'ok' }))
  app.get('/readyz', open, async (_request, reply) => {
    if (isDraining()) return reply.code(503).send({ status: 'draining' })
    // throws if the database cannot be read; the count itself is not published
    largestChange(drive.store.read)
    const { database, contents, isFull } = await reach()
    // a full disk may have no room for changes of other servers, as if the log were out of reach
    if (database === false) return reply.code(503).send({ status: isFull ? 'disk full' : 'database away' })
    // names, searches, rights and small contents work without the contents' store; requests can empty a full disk
    const status = contents ? 'ready' : 'contents away'
    return reply.send({ status: isFull ? 'disk full' : status })
  })
  app.get('/metrics', async (request, reply) => {
    // the metrics cover all users
    if (request.caller === undefined || !isAdmin(drive.store.read, request.caller))
      throw new StorageFailure(403, 'forbidden', 'Metrics are for administrators.')
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(metricsText(health, await reach()))
  })
}

function metricsText({ drive: { store, deliverer }, metrics }: StoreHealth, reach: Reach): string {
  return [
    ...head('hla_drive_info', 'gauge', 'Version of hla that runs the store.'),
    `hla_drive_info{version="${packageVersion()}"} 1`,
    ...head('hla_drive_changes_total', 'counter', 'Changes written.'),
    `hla_drive_changes_total ${largestChange(store.read)}`,
    ...head('hla_drive_contents_up', 'gauge', 'Whether the contents can be reached.'),
    `hla_drive_contents_up ${Number(reach.contents)}`,
    ...diskMetrics(reach),
    ...sharingMetrics(store, reach),
    ...notificationMetrics(deliverer.counts(), channelCounts(store.read, Date.now())),
    ...metrics.totals(),
    ...metrics.histograms(),
    ...processMetrics([['', processUse()]]),
    '',
  ].join('\n')
}

function diskMetrics({ free, isFull }: Reach): string[] {
  const disks = Object.entries(free).filter(([, bytes]) => bytes !== undefined)
  return [
    ...head(
      'hla_drive_disk_full',
      'gauge',
      'Whether the disk is so full that only deletions and revocations are accepted.',
    ),
    `hla_drive_disk_full ${Number(isFull)}`,
    ...head(
      'hla_drive_disk_free_bytes',
      'gauge',
      'Free bytes on the disks of the database and of the contents.',
    ),
    ...disks.map(([of, bytes]) => `hla_drive_disk_free_bytes{of="${of}"} ${bytes}`),
  ]
}

function sharingMetrics({ sharing, read }: DriveContext['store'], { database }: Reach): string[] {
  if (sharing === undefined) return []
  return [
    ...head('hla_drive_database_up', 'gauge', 'Whether the database that servers share can be reached.'),
    `hla_drive_database_up ${Number(database === true)}`,
    ...head(
      'hla_drive_leader',
      'gauge',
      '1 if this server is the leader, which sends notifications and cleans up.',
    ),
    `hla_drive_leader ${Number(sharing.isLeader())}`,
    ...head(
      'hla_drive_log_entry',
      'counter',
      'Number of the last entry of the shared log that this server has applied.',
    ),
    `hla_drive_log_entry ${readPosition(read)?.number ?? 0}`,
  ]
}

function notificationMetrics(
  sent: Readonly<Record<string, number>>,
  { channels, waiting }: ChannelCounts,
): string[] {
  return [
    ...head('hla_drive_channels', 'gauge', 'Push channels that are open.'),
    `hla_drive_channels ${channels}`,
    ...head('hla_drive_notifications_waiting', 'gauge', 'Channel messages not yet accepted by the receiver.'),
    `hla_drive_notifications_waiting ${waiting}`,
    ...head('hla_drive_notifications_total', 'counter', 'Messages sent, by outcome.'),
    ...Object.entries(sent).map(([outcome, n]) => `hla_drive_notifications_total{outcome="${outcome}"} ${n}`),
  ]
}
