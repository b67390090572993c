/** What machines ask: alive, ready, counts. */
import type { FastifyInstance } from 'fastify'
import { processMetrics, processUse } from '../../../web/process-metrics.ts'
import { head, type RequestMetrics } from '../../../web/request-metrics.ts'
import { packageVersion } from '../../../package-root.ts'
import { largestChange } from '../../domain/accounts/about.ts'
import { type ChannelCounts, channelCounts } from '../../domain/channels/deliveries.ts'
import { isAdmin } from '../../domain/drives/drive-admin.ts'
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
    // a database that cannot be read throws; how much there is in it is nobody's who asks
    largestChange(drive.store.read)
    const { database, contents, isFull } = await reach()
    // a full disk may have no room for what other servers wrote, which is as if the log were away
    if (database === false) return reply.code(503).send({ status: isFull ? 'disk full' : 'database away' })
    // names, searches, rights and small contents need no others; a full disk is emptied by requests
    const status = contents ? 'ready' : 'contents away'
    return reply.send({ status: isFull ? 'disk full' : status })
  })
  app.get('/metrics', async (request, reply) => {
    // counts of everybody
    if (request.caller === undefined || !isAdmin(drive.store.read, request.caller)) throw notForUsers()
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(metricsText(health, await reach()))
  })
}

function notForUsers(): StorageFailure {
  return new StorageFailure(403, 'forbidden', 'Metrics are for administrators.')
}

function metricsText({ drive: { store, deliverer }, metrics }: StoreHealth, reach: Reach): string {
  return [
    ...head('hla_drive_info', 'gauge', 'What answers.'),
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
    ...head('hla_drive_disk_full', 'gauge', 'Whether only deletions and revocations have room.'),
    `hla_drive_disk_full ${Number(isFull)}`,
    ...head('hla_drive_disk_free_bytes', 'gauge', 'Free on the disk of the database, and of the contents.'),
    ...disks.map(([of, bytes]) => `hla_drive_disk_free_bytes{of="${of}"} ${bytes}`),
  ]
}

/** Of a store of several servers. */
function sharingMetrics({ sharing, read }: DriveContext['store'], { database }: Reach): string[] {
  if (sharing === undefined) return []
  return [
    ...head('hla_drive_database_up', 'gauge', 'Whether the database that servers share can be reached.'),
    `hla_drive_database_up ${Number(database === true)}`,
    ...head('hla_drive_leader', 'gauge', 'Whether this server sends notifications and cleans up for all.'),
    `hla_drive_leader ${Number(sharing.isLeader())}`,
    ...head('hla_drive_log_entry', 'counter', 'Last entry of the shared log that this server has.'),
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
    ...head('hla_drive_notifications_waiting', 'gauge', 'Messages of channels that have not been taken.'),
    `hla_drive_notifications_waiting ${waiting}`,
    ...head('hla_drive_notifications_total', 'counter', 'Messages sent, by what became of them.'),
    ...Object.entries(sent).map(([outcome, n]) => `hla_drive_notifications_total{outcome="${outcome}"} ${n}`),
  ]
}
