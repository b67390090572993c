/**
 * Routes of administration, not in a batch; no response is cached. A port takes the requests of administrators; the app of
 * the operator takes all.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify'
import { ADMIN_ROOT, type AdminRequest, type OperatorRequestId } from '../../contract/admin-requests.ts'
import { mustAdminister } from '../../domain/administration/administer.ts'
import { forgetUsers } from '../../domain/access/principals.ts'
import { trackChanges, answerError, answerFailures } from '../answers/committed.ts'
import { refuseInBatch, pathId } from '../requests/call.ts'
import { OPERATOR } from '../../domain/commands.ts'
import {
  ADMINISTRATION,
  type AdminContext,
  type Handlers,
  REQUESTS,
  type RequestId,
  readAdminCall,
  describeKey,
  listAnswer,
  readRemoval,
  step,
} from './requests.ts'
import { isHlaError } from '../../../errors.ts'
import { wholeBody } from '../../../web/whole-body.ts'
import { listAccounts } from '../../domain/accounts/accounts.ts'
import { type ClientFacts, listClients } from '../../domain/accounts/clients.ts'
import { digestToken, newToken } from '../../domain/accounts/tokens.ts'
import { type LabelDefinition, listDefinitions } from '../../domain/labels/labels.ts'
import { tidy } from '../../domain/upkeep/freeing.ts'
import { storeFacts } from '../../domain/upkeep/row-checks.ts'

interface AdministrationOptions {
  /** Requests of the operator alone; undefined for an app with a port. */
  readonly own?: Handlers<OperatorRequestId>
  /** Maximum bytes of a body. */
  readonly bodyLimit?: number
}

export function addAdministration(
  app: FastifyInstance,
  drive: AdminContext,
  { own, bodyLimit = 65_536 }: AdministrationOptions = {},
): void {
  const handlers: Partial<Handlers<RequestId>> = { ...ADMINISTRATION, ...own }
  for (const name of Object.keys(handlers)) {
    const id = name as RequestId // keys of the table
    const { verb, path }: AdminRequest = REQUESTS[id]
    app.route({
      method: verb,
      url: `${ADMIN_ROOT}/${path}`,
      bodyLimit,
      handler: async (request, reply) => answer({ id, handlers, drive }, request, reply),
    })
  }
}

interface Route<Id extends RequestId> {
  readonly id: Id
  readonly handlers: Partial<Handlers<RequestId>>
  readonly drive: AdminContext
}

// the type parameter ties the call to the handler of the same request
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
async function answer<Id extends RequestId>(
  { id, handlers, drive }: Route<Id>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { caller } = request
  refuseInBatch(request)
  const handle = handlers[id]
  if (caller === undefined || handle === undefined) throw new Error(`${id} was reached without credentials`)
  const { verb, isForAll = false }: AdminRequest = REQUESTS[id]
  if (!isForAll && caller !== OPERATOR) mustAdminister(drive.store.read, caller)
  const isReading = verb === 'GET'
  const asked = readAdminCall(id, isReading ? drive : trackChanges(drive, request), caller, request)
  try {
    const made = await handle(asked)
    reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff')
    return made === undefined ? reply.code(204).send() : reply.send(made)
  } finally {
    if (!isReading) {
      drive.callers.forget()
      forgetUsers(drive.store.read)
    }
  }
}

const listWhole = <Row, Item>(items: readonly Row[], describe: (row: Row) => Item) =>
  listAnswer({ items, next: undefined }, describe)

const OWN: Handlers<OperatorRequestId> = {
  'accounts.list': ({ drive }) =>
    listWhole(listAccounts(drive.store.read), ({ email, name, keys, is_disabled }) => ({
      email,
      name,
      keys,
      isDisabled: is_disabled === 1,
    })),
  'accounts.insert'(call) {
    const { email, ...key } = call.body
    return step(call, 'addAccount', { email, ...readNewKey(key) })
  },
  'accounts.delete': (call) => step(call, 'removeAccount', readRemoval(call)),
  'keys.insert': (call) => step(call, 'addKey', { email: pathId(call, 'email'), ...readNewKey(call.body) }),
  async 'keys.rotate'(call) {
    const { id, publicKey } = call.body
    return describeKey(
      await step(call, 'rotateKey', { kid: pathId(call, 'id'), next: { kid: id, publicKey } }),
    )
  },
  'clients.list': ({ drive }) => listWhole(listClients(drive.store.read), describeClient),
  'clients.insert': async (call) => describeClient(await step(call, 'addClient', call.body)),
  'clients.patch': async (call) =>
    describeClient(await step(call, 'changeClient', { id: pathId(call, 'id'), ...call.body })),
  /** This response alone holds the secret itself. */
  async 'clients.secret'(call) {
    const secret = newToken()
    const changed = await step(call, 'changeClient', { id: pathId(call, 'id'), secret: digestToken(secret) })
    return { ...describeClient(changed), secret }
  },
  'clients.delete': (call) => step(call, 'removeClient', { id: pathId(call, 'id') }),
  'labels.list': ({ drive }) => listWhole(listDefinitions(drive.store.read), describeLabel),
  'labels.update': async (call) =>
    describeLabel(await step(call, 'putLabel', { id: pathId(call, 'id'), ...call.body })),
  'labels.delete': (call) => step(call, 'removeLabel', { id: pathId(call, 'id') }),
  'store.get': ({ drive }) => storeFacts(drive.store.read),
  'store.tidy': ({ drive, body }) =>
    tidy(drive.store, { grace: body.graceMs, isAlone: drive.accesses === undefined }),
}

interface GivenKey {
  readonly id: string
  readonly publicKey: string
  readonly impersonates?: boolean
}

function readNewKey({ id: kid, publicKey, impersonates: mayImpersonate = false }: GivenKey) {
  return { kid, publicKey, mayImpersonate }
}

export function describeClient({ id, name, is_disabled, redirects, secret }: ClientFacts) {
  return {
    id,
    name,
    isDisabled: is_disabled === 1,
    // the store keeps them as JSON
    redirects: JSON.parse(redirects) as readonly string[],
    hasSecret: secret !== null,
  }
}

export function describeLabel({ id, revision, fields, isDisabled }: LabelDefinition) {
  return { id, revision, fields, isDisabled }
}

/** Bytes of a body. Definitions of labels are the longest. */
const MAX_BODY_BYTES = 16 * 1024 * 1024

interface OperatorOptions {
  readonly logger?: FastifyServerOptions['logger']
  /** Called with the error of a request before it is answered. */
  readonly onFailure?: (error: Error) => void
}

/**
 * Opens the operator's app. It runs every request as the operator and checks no credentials: serve it only on a socket
 * that only the operator can open.
 */
export async function openOperatorApp(
  drive: AdminContext,
  { logger = false, onFailure }: OperatorOptions = {},
): Promise<FastifyInstance> {
  const { fastify, LogController } = await import('fastify')
  const app = fastify({
    logger,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: MAX_BODY_BYTES },
  })
  answerFailures(app, (error, request, reply) => {
    onFailure?.(error)
    if (!isHlaError(error)) return answerError(error, request, reply)
    const { code, message, offending, hint } = error
    return reply.code(500).send({ error: { code: 500, message, hla: { code, offending, hint } } })
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    wholeBody((bytes) => bytes),
  )
  app.decorateRequest('caller', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    request.caller = OPERATOR
    done()
  })
  addAdministration(app, drive, { own: OWN, bodyLimit: MAX_BODY_BYTES })
  return app
}
