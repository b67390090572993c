/** Health, readiness and metrics, and the grants of access tokens. */
import type { FastifyInstance } from 'fastify'
import { processMetrics, processUse } from '../../../web/process-metrics.ts'
import { type RequestMetrics, head } from '../../../web/request-metrics.ts'
import { packageVersion } from '../../../package-root.ts'
import { largestChange } from '../../domain/accounts/quota.ts'
import { type ChannelCounts, channelCounts } from '../../domain/channels/notifications.ts'
import { isAdmin } from '../../domain/drives/drive-view.ts'
import { type Scope, StorageFailure } from '../../contract/failure.ts'
import { readPosition } from '../../persistence/database/log-position.ts'
import type { Reach } from '../../persistence/reach.ts'
import type { DriveContext } from '../requests/call.ts'
import { type AccountKey, findAccountKey } from '../../domain/accounts/accounts.ts'
import { keySource } from '../../domain/accounts/end-tokens.ts'
import { digestToken, findToken, readScopes } from '../../domain/accounts/tokens.ts'
import { findUser } from '../../domain/accounts/users.ts'
import type { Database } from '../../persistence/database/database.ts'

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

/** Owner and scopes of a new access token. */
interface Granted {
  readonly user: number
  readonly client: number
  readonly scopes: readonly Scope[]
  /** Scopes as the client wrote them: some libraries compare them. */
  readonly scope: string
  /** Refresh token or key that the token is given for. */
  readonly source: string
}

type TokenForm = Readonly<Record<string, string | undefined>>

const MAX_LIFE = 3600
/** Allowed clock difference in seconds. */
const TOLERANCE = 60

/** `urls`: accepted audiences of an assertion. @throws {GrantError} */
export async function grant(db: Database, form: TokenForm, urls: readonly string[]): Promise<Granted> {
  switch (form['grant_type']) {
    case 'urn:ietf:params:oauth:grant-type:jwt-bearer':
      return grantAssertion(db, form['assertion'] ?? '', urls)
    case 'refresh_token':
      return grantRefresh(db, form)
    case undefined:
      throw new GrantError('invalid_request', 'grant_type is missing')
    default:
      throw new GrantError(
        'unsupported_grant_type',
        'tokens are given for authorization_code, device_code, jwt-bearer and refresh_token',
      )
  }
}

function grantRefresh(db: Database, { refresh_token: token = '', scope }: TokenForm): Granted {
  const source = digestToken(token)
  const found = findToken(db, source, 'refresh')
  if (found === undefined || (found.expires ?? Infinity) <= Date.now())
    throw new GrantError('invalid_grant', 'there is no such refresh token, or it has expired')
  const { scopes, user, client } = found.caller
  const who = { user, client, source }
  // the store wrote these facts
  const { scope: said = scopes.join(' ') } = JSON.parse(found.facts) as { readonly scope?: string }
  if (scope === undefined || scope === '') return { ...who, scopes, scope: said }
  const asked = readScopes(scope)
  if (asked.length === 0 || asked.some((one) => !scopes.includes(one)))
    throw new GrantError('invalid_scope', 'the refresh token has no such scope')
  return { ...who, scopes: asked, scope }
}

async function grantAssertion(db: Database, assertion: string, urls: readonly string[]): Promise<Granted> {
  const claims = await verified(db, assertion, urls)
  const { key, kid, subject, scope } = claims
  const scopes = readScopes(scope)
  if (scopes.length === 0)
    throw new GrantError('invalid_scope', 'the assertion contains no scope of this service')
  const user = findAccountUser(db, key, subject)
  return { user, client: key.client, scopes, scope: scopes.join(' '), source: keySource(kid) }
}

/** @throws {GrantError} unauthorized_client — the account may not impersonate users */
function findAccountUser(db: Database, key: AccountKey, subject: string | undefined): number {
  if (subject === undefined || subject === key.email) return key.user
  const user = key.mayImpersonate ? findUser(db, subject) : undefined
  if (user !== undefined) return user.pk
  throw new GrantError('unauthorized_client', 'the account may not request tokens for that user')
}

interface Claims {
  readonly key: AccountKey
  readonly kid: string
  readonly subject: string | undefined
  readonly scope: string
}

async function verified(db: Database, assertion: string, urls: readonly string[]): Promise<Claims> {
  if (urls.length === 0)
    throw new GrantError(
      'invalid_grant',
      'the service does not know its address: the operator must set --public-url',
    )
  const { decodeProtectedHeader, errors, importSPKI, jwtVerify } = await import('jose')
  try {
    const { kid } = decodeProtectedHeader(assertion)
    // the header is untrusted input, whatever its type says
    const key = typeof kid === 'string' ? findAccountKey(db, kid) : undefined
    if (kid === undefined || key === undefined)
      throw new GrantError('invalid_grant', 'the key of the assertion is not known')
    const { payload } = await jwtVerify(assertion, await importSPKI(key.publicKey, 'RS256'), {
      algorithms: ['RS256'],
      audience: [...urls],
      issuer: key.email,
      requiredClaims: ['exp', 'iat'],
      clockTolerance: TOLERANCE,
    })
    const { exp = 0, sub, scope } = payload
    if (exp > Date.now() / 1000 + MAX_LIFE + TOLERANCE)
      throw new GrantError(
        'invalid_grant',
        'the assertion is valid for more than an hour; the limit is one hour',
      )
    if (sub !== undefined && typeof sub !== 'string')
      throw new GrantError('invalid_grant', 'the subject of the assertion is not an e-mail address')
    return { key, kid, subject: sub, scope: typeof scope === 'string' ? scope : '' }
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      throw new GrantError('invalid_grant', `the assertion is not valid: ${error.message}`)
    throw error
  }
}

type GrantFault =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'

export class GrantError extends Error {
  readonly code: GrantFault

  constructor(code: GrantFault, message: string) {
    super(message)
    this.code = code
  }
}
