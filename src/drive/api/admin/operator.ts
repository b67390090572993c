/** Requests of the operator alone, and the app that takes all requests of administration as the operator. */
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { isHlaError } from '../../../errors.ts'
import { wholeBody } from '../../../web/whole-body.ts'
import type { OperatorRequestId } from '../../contract/admin-requests.ts'
import { notFound } from '../../contract/failure.ts'
import { listGroups, listMembers } from '../../domain/access/groups.ts'
import { type KeyFacts, listAccounts, listKeys } from '../../domain/accounts/accounts.ts'
import { type ClientFacts, listClients } from '../../domain/accounts/clients.ts'
import { digestToken, listTokens, newToken } from '../../domain/accounts/tokens.ts'
import { listUsers } from '../../domain/accounts/users.ts'
import { administerStore } from '../../domain/administration/administer.ts'
import { OPERATOR } from '../../domain/commands.ts'
import { type LabelDefinition, listDefinitions } from '../../domain/labels/labels.ts'
import { tidy } from '../../domain/upkeep/freeing.ts'
import { storeFacts } from '../../domain/upkeep/row-checks.ts'
import { answerError, answerFailures } from '../answers/committed.ts'
import { pathId } from '../requests/call.ts'
import { listAnswer } from './list-answer.ts'
import {
  type AdminContext,
  type Handlers,
  describeGroup,
  describeKey,
  describeToken,
  describeUser,
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
  async 'tokens.end'({ drive: { store }, caller, path }) {
    const name = pathId({ path }, 'id')
    const [token, other] = listTokens(store.read).filter(({ digest }) => digest.startsWith(name))
    if (token === undefined || other !== undefined || name.length < MIN_TOKEN_NAME)
      throw notFound('Token', name)
    await administerStore(store, caller, { command: 'revokeToken', input: { digest: token.digest } })
  },
  'accounts.list': ({ drive }) =>
    listWhole(listAccounts(drive.store.read), ({ email, name, keys, is_disabled }) => ({
      email,
      name,
      keys,
      isDisabled: is_disabled === 1,
    })),
  async 'accounts.insert'({ drive, caller, body }) {
    const { email, ...key } = body
    await administerStore(drive.store, caller, {
      command: 'addAccount',
      input: { email, ...readNewKey(key) },
    })
  },
  async 'accounts.delete'({ drive, caller, path, query }) {
    const { giveTo: heir, deleteFiles: withFiles } = query
    const input = { email: pathId({ path }, 'email'), heir, withFiles }
    await administerStore(drive.store, caller, { command: 'removeAccount', input })
  },
  async 'keys.insert'({ drive, caller, path, body }) {
    const input = { email: pathId({ path }, 'email'), ...readNewKey(body) }
    await administerStore(drive.store, caller, { command: 'addKey', input })
  },
  async 'keys.rotate'({ drive, caller, path, body }) {
    const input = { kid: pathId({ path }, 'id'), next: { kid: body.id, publicKey: body.publicKey } }
    return describeKey(await administerStore<KeyFacts>(drive.store, caller, { command: 'rotateKey', input }))
  },
  'clients.list': ({ drive }) => listWhole(listClients(drive.store.read), describeClient),
  async 'clients.insert'({ drive, caller, body: input }) {
    return describeClient(
      await administerStore<ClientFacts>(drive.store, caller, { command: 'addClient', input }),
    )
  },
  async 'clients.patch'({ drive, caller, path, body }) {
    const input = { id: pathId({ path }, 'id'), ...body }
    return describeClient(
      await administerStore<ClientFacts>(drive.store, caller, { command: 'changeClient', input }),
    )
  },
  /** This response alone holds the secret itself. */
  async 'clients.secret'({ drive, caller, path }) {
    const secret = newToken()
    const input = { id: pathId({ path }, 'id'), secret: digestToken(secret) }
    const changed = await administerStore<ClientFacts>(drive.store, caller, {
      command: 'changeClient',
      input,
    })
    return { ...describeClient(changed), secret }
  },
  async 'clients.delete'({ drive, caller, path }) {
    const input = { id: pathId({ path }, 'id') }
    await administerStore(drive.store, caller, { command: 'removeClient', input })
  },
  'labels.list': ({ drive }) => listWhole(listDefinitions(drive.store.read), describeLabel),
  async 'labels.update'({ drive, caller, path, body }) {
    const input = { id: pathId({ path }, 'id'), ...body }
    return describeLabel(
      await administerStore<LabelDefinition>(drive.store, caller, { command: 'putLabel', input }),
    )
  },
  async 'labels.delete'({ drive, caller, path }) {
    await administerStore(drive.store, caller, {
      command: 'removeLabel',
      input: { id: pathId({ path }, 'id') },
    })
  },
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

function describeClient({ id, name, is_disabled, redirects, secret }: ClientFacts) {
  return {
    id,
    name,
    isDisabled: is_disabled === 1,
    // the store keeps them as JSON
    redirects: JSON.parse(redirects) as readonly string[],
    hasSecret: secret !== null,
  }
}

function describeLabel({ id, revision, fields, isDisabled }: LabelDefinition) {
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
 * that nobody else can open.
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
