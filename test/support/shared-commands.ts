/** Administrator commands beside a running server, over the socket in its folder. */
import { command, OPERATOR } from '../../src/drive/domain/commands.ts'
import { digestToken } from '../../src/drive/domain/accounts/tokens.ts'
import { type Drive } from './drive.ts'
import { peopleOf } from './people.ts'

export async function revokeToken(drive: Drive, token: string): Promise<void> {
  const { store } = await peopleOf(drive)
  await command(store, 'revokeToken', OPERATOR, { digest: digestToken(token) })
  await store.close()
}
