/** Requests of the operator alone, and the app that takes all requests of administration as the operator. */
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { isHlaError } from '../../../errors.ts'
import { wholeBody } from '../../../web/whole-body.ts'
import type { OperatorRequestId } from '../../contract/admin-requests.ts'
import { notFound } from '../../contract/failure.ts'
import { listGroups, listMembers } from '../../domain/access/groups.ts'
import { listAccounts, listKeys } from '../../domain/accounts/accounts.ts'
import { type ClientFacts, listClients } from '../../domain/accounts/clients.ts'
import { digestToken, listTokens, newToken } from '../../domain/accounts/tokens.ts'
import { listUsers } from '../../domain/accounts/users.ts'
import { OPERATOR } from '../../domain/commands.ts'
import { type LabelDefinition, listDefinitions } from '../../domain/labels/labels.ts'
import { tidy } from '../../domain/upkeep/freeing.ts'
import { storeFacts } from '../../domain/upkeep/row-checks.ts'
import { answerError, answerFailures } from '../answers/committed.ts'
import { pathId } from '../requests/call.ts'
import {
  type AdminContext,
  type Handlers,
  describeGroup,
  describeKey,
  describeToken,
  describeUser,
  listAnswer,
  readRemoval,
  step,
} from './requests.ts'
import { addAdministration } from './routes.ts'

/** Minimum characters of a digest that name a token: as many as lists show. */
const MIN_TOKEN_NAME = 10

const listWhole = <Row, Item>(items: readonly Row[], describe: (row: Row) => Item) =>
  listAnswer({ items, next: undefined }, describe)

const OWN: Handlers<OperatorRequestId> = {
  'users.all': ({ drive }) => listWhole(listUsers(drive.store.read), describeUser),
  'groups.all': ({ drive: { store } }) =>
    listWhole(listGroups(store.read), (group) => ({
      ...describeGroup(group),
      users: listMembers(store.read, group),
    })),
  'tokens.all': ({ drive }) => listWhole(listTokens(drive.store.read), describeToken),
  'keys.all': ({ drive }) => listWhole(listKeys(drive.store.read), describeKey),
  'tokens.end'(call) {
    const name = pathId(call, 'id')
    const all = listTokens(call.drive.store.read)
    const [token, other] = all.filter(({ digest }) => digest.startsWith(name))
    if (token === undefined || other !== undefined || name.length < MIN_TOKEN_NAME)
      throw notFound('Token', name)
    return step(call, 'revokeToken', { digest: token.digest })
  },
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
const MAX_BODY = 16 * 1024 * 1024

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
    routerOptions: { maxParamLength: MAX_BODY },
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
  app.addHook('onRequest', async (request) => {
    request.caller = OPERATOR
    await drive.store.sharing?.current()
  })
  addAdministration(app, drive, { own: OWN, bodyLimit: MAX_BODY })
  return app
}
