/** Opens a store for administration: through the running service, or directly when none runs.  [disk] */
import { existsSync } from 'node:fs'
import { HlaError } from '../../../../errors.ts'
import {
  ADMINISTRATIVE,
  administerStore,
  type AdministrativeStep,
} from '../../../../drive/domain/administration/administer.ts'
import { COMMANDS } from '../../../../drive/domain/commands.ts'
import { isFreeing } from '../../../../drive/domain/upkeep/freeing.ts'
import { type StoreFolder, storeFolder } from '../../../../drive/persistence/folder.ts'
import { type Lock, LockHeld, waitForService } from '../../../../drive/persistence/lock.ts'
import { type Ask, connectAdministration } from '../../../../drive/persistence/service-socket.ts'
import { openStore, type Store } from '../../../../drive/persistence/store.ts'
import { serviceWriter } from '../../../../drive/persistence/writer/writer.ts'
import { tell } from '../../../../io/stdout.ts'
import { withUsageErrors } from '../usage-errors.ts'

/** @throws {HlaError} not-found — no store in the folder; usage — a refusal of the store */
export async function withStore<Result>(
  path: string,
  /** `service` sends requests to the running service; undefined when none runs. */
  work: (store: Store, service: Ask | undefined) => Promise<Result>,
): Promise<Result> {
  const found = storeFolder(path)
  const { database, path: folder } = found
  if (!existsSync(database))
    throw new HlaError('not-found', `there is no store in ${folder}`, {
      offending: folder,
      hint: 'hla drive serve creates one when it is first run; --data is its folder.',
    })
  const { service, lock } = await reach(found)
  const store = await openStore(path, {
    writer: service === undefined ? COMMANDS : () => serviceWriter(service),
    isService: false,
    frees: isFreeing,
    keepsReserve: service === undefined,
    onBroken: () => undefined,
    onWarning: (text) => tell(`hla: warning: ${text}\n`),
  }).catch((error: unknown) => {
    lock?.release()
    throw error
  })
  try {
    return await withUsageErrors(work(service === undefined ? recordingStore(store) : store, service))
  } finally {
    await store.close()
    lock?.release()
  }
}

/** Time to wait for another command, or for a service that is starting or stopping, in ms. */
const PATIENCE = 10_000

/**
 * Only one process may write: the service that holds the store, or this command under its lock.
 * @throws {HlaError} io
 */
async function reach(folder: StoreFolder): Promise<{ readonly service?: Ask; readonly lock?: Lock }> {
  const until = performance.now() + PATIENCE
  for (;;) {
    const service = await connectAdministration(folder)
    if (service !== undefined) return { service }
    try {
      return { lock: await waitForService(folder, AGAIN) }
    } catch (error) {
      if (!(error instanceof LockHeld) || performance.now() > until) throw error
    }
  }
}

/** Interval of checks for a service, in ms. */
const AGAIN = 200

/** Records administrative commands in the audit log, as the service does. */
function recordingStore(store: Store): Store {
  return {
    ...store,
    write: (command, caller, input) =>
      Object.hasOwn(ADMINISTRATIVE, command)
        ? // the input belongs to that command
          administerStore(store, caller, { command, input } as AdministrativeStep)
        : store.write(command, caller, input),
  }
}
