/** Opens a store for administration, beside a service that may be at work.  [disk] */
import { existsSync } from 'node:fs'
import { HlaError } from '../../errors.ts'
import { COMMANDS } from '../../storage/library/commands.ts'
import { storeFolder } from '../../storage/store/folder.ts'
import { openStore, type Store } from '../../storage/store/store.ts'
import { tell } from '../io/stdout.ts'
import { orRefused } from './refused.ts'

/** @throws {HlaError} not-found — there is no store; usage — what the store refuses */
export async function withStore<Result>(
  path: string,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const { database, path: folder } = storeFolder(path)
  if (!existsSync(database))
    throw new HlaError('not-found', `there is no store in ${folder}`, {
      offending: folder,
      hint: 'hla drive serve creates one when it is first run; --data is its folder.',
    })
  const store = await openStore(path, {
    writer: COMMANDS,
    isService: false,
    onBroken: () => undefined,
    onWarning: (text) => tell(`hla: warning: ${text}\n`),
  })
  try {
    return await orRefused(work(store))
  } finally {
    await store.close()
  }
}
