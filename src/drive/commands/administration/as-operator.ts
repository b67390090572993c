/**
 * Sends requests of administration as the operator: to the running service, or to the store itself while none runs.
 * [disk]
 */
import { existsSync } from 'node:fs'
import { HlaError } from '../../../errors.ts'
import {
  ADMIN_REQUESTS,
  ADMIN_ROOT,
  type AdminRequest,
  OPERATOR_REQUESTS,
} from '../../contract/admin-requests.ts'
import { StorageFailure } from '../../contract/failure.ts'
import { COMMANDS } from '../../domain/commands.ts'
import { isFreeing } from '../../domain/upkeep/freeing.ts'
import { type StoreFolder, storeFolder } from '../../persistence/folder.ts'
import { type Lock, LockHeld, waitForService } from '../../persistence/lock.ts'
import { type SendRequest, connectInFolder } from '../../persistence/service-socket.ts'
import { openStore } from '../../persistence/store.ts'
import { tell } from '../../../io/stdout.ts'
import type { RemovalOptions, StoreOptions } from '../options/administrator-options.ts'
import { type Cell, printRows } from '../print.ts'
import { withUsageErrors } from '../usage-errors.ts'

const REQUESTS: Readonly<Record<RequestId, AdminRequest>> = { ...ADMIN_REQUESTS, ...OPERATOR_REQUESTS }
type RequestId = keyof typeof ADMIN_REQUESTS | keyof typeof OPERATOR_REQUESTS

interface Parts {
  /** Parameters of the path, in order. */
  readonly path?: readonly string[]
  readonly query?: Readonly<Record<string, string | boolean | undefined>>
  readonly body?: object
}

/** Sends a request by its id. The caller gives the type of the answer. @throws {StorageFailure} a refusal */
export type Ask = <Answer>(id: RequestId, parts?: Parts) => Promise<Answer>

/** @throws {HlaError} not-found — no store in the folder; usage — a refusal of the store */
export async function asOperator<Result>(path: string, work: (ask: Ask) => Promise<Result>): Promise<Result> {
  const folder = storeFolder(path)
  if (!existsSync(folder.database))
    throw new HlaError('not-found', `there is no store in ${folder.path}`, {
      offending: folder.path,
      hint: 'hla drive serve creates one when it is first run; --data is its folder.',
    })
  const { service, lock } = await reach(folder)
  if (lock === undefined) return withUsageErrors(work(makeAsk(service)))
  try {
    return await openAlone(path, (send) => withUsageErrors(work(makeAsk(send))))
  } finally {
    lock.release()
  }
}

export type RemovalId = `${'users' | 'accounts' | 'groups' | 'keys' | 'clients' | 'labels'}.delete`

export function removeAsOperator(
  id: RemovalId,
  name: string,
  { data, giveTo, deleteFiles }: RemovalOptions,
): Promise<void> {
  return asOperator(data, async (ask) => {
    await ask(id, { path: [name], query: { giveTo, deleteFiles } })
  })
}

/** Sends one request and prints its answer as a row. */
// `describe` gives the type of the answer
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function printAsOperator<Answer>(
  options: StoreOptions,
  describe: (answer: Answer) => Row,
  id: RequestId,
  parts?: Parts,
): Promise<void> {
  return asOperator(options.data, async (ask) => {
    printRows([describe(await ask<Answer>(id, parts))], options)
  })
}

/** Command that prints the items of a list as rows. */
// `describe` gives the type of the items
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function listAsOperator<Item>(
  id: RequestId,
  describe: (item: Item) => Row,
): (options: StoreOptions) => Promise<void> {
  return ({ data, ...printing }) =>
    asOperator(data, async (ask) => {
      printRows((await listAll<Item>(ask, id)).map(describe), printing)
    })
}

interface ListAnswer<Item> {
  readonly items: readonly Item[]
  readonly nextPageToken?: string
}

/** Items of all pages of a list. */
// the caller gives the type of the items
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export async function listAll<Item>(ask: Ask, id: RequestId, path: readonly string[] = []): Promise<Item[]> {
  const all: Item[] = []
  let pageToken: string | undefined
  do {
    const query = { maxResults: String(PAGE_ITEMS), pageToken }
    const page = await ask<ListAnswer<Item>>(id, { path, query })
    all.push(...page.items)
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
  return all
}

/** Items asked for at once. The store's limit may be lower. */
const PAGE_ITEMS = 1000

type Row = Readonly<Record<string, Cell>>

/** Time to wait for another command, or for a service that is starting or stopping, in ms. */
const REQUEST_TIMEOUT_MS = 10_000

type Access =
  | { readonly service: SendRequest; readonly lock?: undefined }
  | { readonly service?: undefined; readonly lock: Lock }

/**
 * Only one process opens the store: the service that holds it, or this command under its lock.
 * @throws {HlaError} io
 */
async function reach(folder: StoreFolder): Promise<Access> {
  const until = performance.now() + REQUEST_TIMEOUT_MS
  for (;;) {
    const service = await connectInFolder(folder)
    if (service !== undefined) return { service }
    try {
      return { lock: await waitForService(folder, RETRY_MS) }
    } catch (error) {
      if (!(error instanceof LockHeld) || performance.now() > until) throw error
    }
  }
}

/** Interval of checks for a service, in ms. */
const RETRY_MS = 200

/** Opens the store, of which the caller holds the lock, for the same requests in this process. */
async function openAlone<Result>(
  path: string,
  work: (send: SendRequest) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(path, {
    writer: COMMANDS,
    isService: false,
    frees: isFreeing,
    keepsReserve: true,
    onBroken: () => undefined,
    onWarning: (text) => tell(`hla: warning: ${text}\n`),
  })
  try {
    // loaded only if no service runs
    const { openOperatorApp } = await import('../../api/admin/routes.ts')
    const failures: Error[] = []
    const app = await openOperatorApp(
      { store, callers: { forget: () => undefined } },
      { onFailure: (error) => failures.push(error) },
    )
    return await work(async ({ method, url, body }) => {
      const { statusCode: status, body: text } = await app.inject({
        method: method as AdminRequest['verb'],
        url,
        ...(body === undefined ? {} : { payload: body }),
        headers: body === undefined ? {} : { 'content-type': 'application/json' },
      })
      const [error] = failures
      if (error !== undefined) throw error
      return { status, text }
    })
  } finally {
    await store.close()
  }
}

function makeAsk(send: SendRequest): Ask {
  return async <Answer>(id: RequestId, { path = [], query = {}, body }: Parts = {}) => {
    const { verb: method, path: pattern } = REQUESTS[id]
    const words = [...path]
    const filled = pattern.replaceAll(/:\w+/g, () => encodeURIComponent(words.shift() ?? ''))
    const search = new URLSearchParams(
      Object.entries(query).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as [string, string]],
      ),
    )
    const { status, text } = await send({
      method,
      url: `${ADMIN_ROOT}/${filled}?${search.toString()}`,
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    if (status >= 400) throw readRefusal(status, text)
    // answer type given by the caller, not checked
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }
}

interface RefusalBody {
  readonly error: {
    readonly message: string
    readonly errors?: readonly { readonly reason: string; readonly location?: string }[]
    readonly hla?: Pick<HlaError, 'code' | 'offending' | 'hint'>
  }
}

/** Error that the body of an answer tells of. */
function readRefusal(status: number, text: string): Error {
  // written by `openOperatorApp`
  const { message, errors = [], hla } = (JSON.parse(text) as RefusalBody).error
  if (hla !== undefined) return new HlaError(hla.code, message, hla)
  const [{ reason, location } = { reason: '' }] = errors
  // a bug, which the log of the service tells
  if (reason === 'internalError') return new Error(message)
  return new StorageFailure(status, reason, message, location === undefined ? {} : { location })
}
