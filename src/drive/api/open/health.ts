/** Health, readiness and metrics. */
import { largestChange } from '../../domain/changes/change-log.ts'
import type { FastifyInstance } from 'fastify'
import { processMetrics, processUse } from '../../../web/process-metrics.ts'
import { type RequestMetrics, head } from '../../../web/request-metrics.ts'
import { packageVersion } from '../../../package-root.ts'
import { type ChannelCounts, channelCounts } from '../../domain/channels/notifications.ts'
import { isAdmin } from '../../domain/drives/drive-view.ts'
import { StorageFailure } from '../../contract/failure.ts'
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
    const { contents, isFull } = await reach()
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
