/** Opens a store for administration: what is written goes through the service that holds the store, if one does.  [disk] */
import { existsSync } from 'node:fs'
import { HlaError } from '../../../../errors.ts'
import {
  ADMINISTRATIVE,
  administerStore,
  type AdministrativeStep,
} from '../../../../drive/domain/administration/administer.ts'
import { COMMANDS } from '../../../../drive/domain/commands.ts'
import { isFreeing } from '../../../../drive/domain/upkeep/freeing.ts'
import { storeFolder } from '../../../../drive/persistence/folder.ts'
import { type Ask, connectAdministration } from '../../../../drive/persistence/service-socket.ts'
import { openStore, type Store } from '../../../../drive/persistence/store.ts'
import { serviceWriter } from '../../../../drive/persistence/writer/writer.ts'
import { tell } from '../../../../io/stdout.ts'
import { orRefused } from '../refused.ts'

/** @throws {HlaError} not-found — there is no store; usage — what the store refuses */
export async function withStore<Result>(
  path: string,
  /** `service`: asks the service that holds it; undefined: none does. */
  work: (store: Store, service: Ask | undefined) => Promise<Result>,
): Promise<Result> {
  const found = storeFolder(path)
  const { database, path: folder } = found
  if (!existsSync(database))
    throw new HlaError('not-found', `there is no store in ${folder}`, {
      offending: folder,
      hint: 'hla drive serve creates one when it is first run; --data is its folder.',
    })
  const service = await connectAdministration(found)
  const store = await openStore(path, {
    writer: service === undefined ? COMMANDS : () => serviceWriter(service),
    isService: false,
    frees: isFreeing,
    keepsReserve: service === undefined,
    onBroken: () => undefined,
    onWarning: (text) => tell(`hla: warning: ${text}\n`),
  })
  try {
    return await orRefused(work(service === undefined ? recordingStore(store) : store, service))
  } finally {
    await store.close()
  }
}

/** What administers is written down, as the service does of what it is asked. */
function recordingStore(store: Store): Store {
  return {
    ...store,
    write: (command, caller, input) =>
      Object.hasOwn(ADMINISTRATIVE, command)
        ? // the input is that of the command
          administerStore(store, caller, { command, input } as AdministrativeStep)
        : store.write(command, caller, input),
  }
}
