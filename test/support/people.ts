/** More users of a running service, and requests of theirs: made beside it, as an administrator does.  [disk] */
import { COMMANDS, command, OPERATOR } from '../../src/drive/domain/commands.ts'
import { findClient } from '../../src/drive/domain/accounts/clients.ts'
import { digestToken, newToken } from '../../src/drive/domain/accounts/tokens.ts'
import type { Scope } from '../../src/drive/contract/caller.ts'
import { openStore, type Store } from '../../src/drive/persistence/store.ts'
import { storeFolder } from '../../src/drive/persistence/folder.ts'
import { connectAdministration } from '../../src/drive/persistence/service-socket.ts'
import { serviceWriter } from '../../src/drive/persistence/writer/writer.ts'
import type { Asking, Drive, Reply } from './drive.ts'

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
  /** `client`: of the tests, unless named. */
  readonly token: (user: number, scopes: readonly Scope[], client?: string) => Promise<string>
  readonly store: Store
}

export async function peopleOf(drive: Drive): Promise<People> {
  const fail = (error: Error) => {
    throw error
  }
  // a copy of a shared store is changed by its server alone
  const service = drive.isShared && (await connectAdministration(storeFolder(drive.folder)))
  const store = await openStore(drive.folder, {
    writer: service ? () => serviceWriter(service) : COMMANDS,
    isService: false,
    onBroken: fail,
    onWarning: () => undefined,
  })
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
