/**
 * Adds users to a running service, and sends requests as them; writes to the store as an administrator does.  [disk]
 */
import { ADMIN_ROOT } from '../../src/drive/contract/admin-requests.ts'
import { COMMANDS, command, OPERATOR } from '../../src/drive/domain/commands.ts'
import { findClient } from '../../src/drive/domain/accounts/clients.ts'
import { digestToken, newToken } from '../../src/drive/domain/accounts/tokens.ts'
import type { Scope } from '../../src/drive/contract/failure.ts'
import { storeFolder } from '../../src/drive/persistence/folder.ts'
import { connectInFolder } from '../../src/drive/persistence/service-socket.ts'
import { openStore, type Store } from '../../src/drive/persistence/store.ts'
import { afterAll, beforeAll } from 'vitest'
import { type Asking, type Drive, type Reply, startDrive } from './drive.ts'

export interface Person {
  readonly email: string
  /** The permission id. */
  readonly id: string
  readonly pk: number
  readonly token: string
  readonly ask: (method: string, path: string, asking?: Asking) => Promise<Reply>
}

export interface People {
  readonly add: (email: string, isAdmin?: boolean) => Promise<Person>
  readonly group: (email: string, ...members: readonly string[]) => Promise<string>
  readonly leave: (group: string, member: string) => Promise<void>
  /** `client`: program of the token; default `tests`. */
  readonly token: (user: number, scopes: readonly Scope[], client?: string) => Promise<string>
  readonly store: Store
  /** The same store, for commands about items: the service caches nothing that they change. */
  readonly items: Store
}

/**
 * Makes the service drop cached callers after another process wrote to its store: a refused operator request does
 * that.
 */
async function forgetCallers({ folder }: Pick<Drive, 'folder'>): Promise<void> {
  const send = await connectInFolder(storeFolder(folder))
  await send?.({ method: 'DELETE', url: `${ADMIN_ROOT}/keys/none`, body: undefined })
}

export async function peopleOf(drive: Pick<Drive, 'folder' | 'ask'>): Promise<People> {
  const opened = await openStore(drive.folder, {
    writer: COMMANDS,
    isService: false,
    onBroken: (error) => {
      throw error
    },
    onWarning: () => undefined,
  })
  const store: Store = {
    ...opened,
    write: <Result>(...asked: Parameters<Store['write']>) =>
      opened.write<Result>(...asked).finally(() => forgetCallers(drive)),
  }
  const token = async (user: number, scopes: readonly Scope[], client = 'tests') => {
    const { pk } =
      findClient(store.read, client) ?? (await command(store, 'addClient', OPERATOR, { id: client }))
    const text = newToken()
    const facts = { digest: digestToken(text), user, client: pk, scopes, kind: 'access' as const }
    await command(store, 'addToken', OPERATOR, facts)
    return text
  }
  return {
    store,
    items: opened,
    token,
    async add(email, isAdmin = false) {
      const { pk, id } = await command(store, 'addUser', OPERATOR, { email, isAdmin })
      const own = await token(pk, ['drive'])
      const ask: Person['ask'] = (method, path, asking = {}) =>
        drive.ask(method, path, { token: own, ...asking })
      return { email, id, pk, token: own, ask }
    },
    async group(email, ...members) {
      const { id } = await command(store, 'addGroup', OPERATOR, { email })
      await command(store, 'addMembers', OPERATOR, { group: email, members })
      return id
    },
    async leave(group, member) {
      await command(store, 'removeMembers', OPERATOR, { group, members: [member] })
    },
  }
}

/** Two users of a store, an administrator's token, and requests without an account, for one test file. */
export function useSharedStore() {
  const at = {} as { drive: Drive; people: People; ada: Person; bo: Person; admin: string } // set before the tests run
  beforeAll(async () => {
    at.drive = await startDrive()
    at.people = await peopleOf(at.drive)
    at.ada = await at.people.add('ada@lab.example')
    at.bo = await at.people.add('bo@lab.example')
    const { pk } = await at.people.add('admin@lab.example', true)
    at.admin = await at.people.token(pk, ['drive'], 'hla')
  }, 60_000)
  afterAll(async () => {
    await at.people.store.close()
    await at.drive.stop()
  })
  return Object.assign(at, {
    guest: (method: string, path: string, asking: Asking = {}) =>
      at.drive.ask(method, path, { token: undefined, ...asking }),
    /** Uploads a table of Ada's. @returns its id */
    stored: async (title: string, parent = 'root', body = 'ID,A\n'): Promise<string> => {
      const metadata = { title, mimeType: 'text/csv', parents: [{ id: parent }] }
      const { json } = await at.ada.ask('POST', '/drive/v2/files', { body: metadata })
      const headers = { 'content-type': 'text/csv' }
      await at.ada.ask('PUT', `/upload/drive/v2/files/${json.id}`, { body, headers })
      return json.id
    },
  })
}
