/** A store and its service in this process: for tests of requests and answers, which need no process of their own.  [disk, network] */
import { randomBytes, scryptSync } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { type DriveService, openDriveService } from '../../src/drive/api/service.ts'
import type { DriveOptions } from '../../src/drive/api/options.ts'
import { digestToken, newToken } from '../../src/drive/domain/accounts/tokens.ts'
import { COMMANDS, command, OPERATOR } from '../../src/drive/domain/commands.ts'
import type { Store } from '../../src/drive/persistence/store.ts'
import { type Asking, type Reply, ask } from './drive.ts'
import { openTestStore } from './store.ts'

export interface ServiceHere {
  readonly url: string
  /** Token of the owner, `owner@localhost`. */
  readonly token: string
  readonly store: Store
  readonly service: DriveService
  /** Requests `path` with the owner's token unless another is given. */
  readonly ask: (method: string, path: string, asking?: Asking) => Promise<Reply>
  readonly stop: () => Promise<void>
}

export async function serveHere(path: string, options: Partial<DriveOptions> = {}): Promise<ServiceHere> {
  const store = await openTestStore(path, { writer: COMMANDS })
  const token = newToken()
  await command(store, 'setUp', OPERATOR, { email: 'owner@localhost', digest: digestToken(token) })
  const service = await openDriveService(store, options)
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = service.app.server.address() as AddressInfo // a TCP server's address is never a string
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    token,
    store,
    service,
    ask: (method, at, asking = {}) => ask(`${url}${at}`, method, { token, ...asking }),
    async stop() {
      await service.app.close()
      await store.close()
    },
  }
}

/** Hash of a password that is checked in no time, unlike those that the store makes. */
export function quickHash(password: string): string {
  const salt = randomBytes(16)
  const hash = scryptSync(password, salt, 32, { N: 32, r: 8, p: 1 })
  return `$scrypt$ln=5,r=8,p=1$${salt.toString('base64url')}$${hash.toString('base64url')}`
}
