/** Opens a store that several servers share: this server's copy of it is made, or brought up to the log, before anything is answered.  [disk, network] */
import { randomUUID } from 'node:crypto'
import { errorMessage } from '../../../errors.ts'
import { makeFolder, type StoreFolder, storeFolder } from '../folder.ts'
import { type Lock, lockService } from '../lock.ts'
import { openStore, type Store, type StoreOptions } from '../store.ts'
import { startWriter, type WriterEntry } from '../writer/writer.ts'
import { type CommitLog, databaseAway, openCommitLog } from './commit-log.ts'
import { type Leadership, seekLeadership } from './leadership.ts'
import { inTransaction, withClient } from './postgres.ts'
import { catchUp, prepareCopy } from './prepare-copy.ts'
import { CopyDiffers } from './replica.ts'
import { getSnapshot, keepSnapshots } from './snapshots.ts'

export interface SharedOptions extends Omit<StoreOptions, 'writer'> {
  /** `postgres://…` */
  readonly url: string
  /** Folder that all servers of the store see. */
  readonly contents: string
  readonly writer: WriterEntry
}

/** @throws {HlaError} io — the database is out of reach, another server has the folder; data-differs — the folder holds another store */
export async function openSharedStore(path: string, options: SharedOptions): Promise<Store> {
  const { url, contents } = options
  const folder = storeFolder(path, contents)
  const server = randomUUID()
  makeFolder(folder)
  // before anything of the copy is touched
  const lock = await lockService(folder)
  const log = openCommitLog({ url, server })
  try {
    await withClient(url, (client) => prepareCopy(client, folder))
    await catchUp(log, folder, contents).catch(async (error: unknown) => {
      if (!(error instanceof CopyDiffers)) throw error
      options.onWarning(`${error.message}: it is made anew`)
      await withClient(url, (client) => getSnapshot(client, folder.database))
      await catchUp(log, folder, contents)
    })
    return await opened(path, { ...options, folder, log, lock, server })
  } catch (error) {
    await log.close()
    lock.release()
    throw error
  }
}

interface Opening extends SharedOptions {
  readonly folder: StoreFolder
  readonly log: CommitLog
  readonly lock: Lock
  readonly server: string
}

async function opened(path: string, opening: Opening): Promise<Store> {
  const { folder, log, lock, server, url } = opening
  const listeners: (() => void)[] = []
  const onFollowed = () => {
    for (const listener of listeners) listener()
  }
  const events = { ...opening, onFollowed }
  const writer = await startWriter(opening.writer, folder.database, events, { url, server })
  const store = await openStore(path, { ...opening, isService: false, writer: () => writer })
  const leadership = seekLeadership(url)
  const stopSnapshots = snapshotRegularly(url, folder, leadership, opening.onWarning)
  return {
    ...store,
    sharing: {
      current: together(async () => writer.followed(await lastOf(log))),
      isLeader: leadership.isLeader,
      onChange: (listener) => void listeners.push(listener),
    },
    async close() {
      stopSnapshots()
      await leadership.close()
      await store.close()
      await log.close()
      lock.release()
    },
  }
}

async function lastOf(log: CommitLog): Promise<number> {
  try {
    return await log.last()
  } catch (error) {
    throw databaseAway(error)
  }
}

/** ms */
const OFTEN = 60_000

/** @returns what ends it */
function snapshotRegularly(
  url: string,
  { database }: StoreFolder,
  { isLeader }: Leadership,
  warn: (text: string) => void,
): () => void {
  let isBusy = false
  const timer = setInterval(() => {
    if (isBusy || !isLeader()) return
    isBusy = true
    withClient(url, (client) => inTransaction(client, () => keepSnapshots(client, database)))
      .catch((error: unknown) => warn(`no snapshot was made: ${errorMessage(error)}`))
      .finally(() => (isBusy = false))
  }, OFTEN)
  return () => clearInterval(timer)
}

/** Of many who ask at the same time one asks for all: never with an answer that is older than the question. */
function together(ask: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const start = (): Promise<void> => {
    running = ask().finally(() => (running = undefined))
    return running
  }
  return () => {
    if (running === undefined) return start()
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return start()
      })
    return next
  }
}
