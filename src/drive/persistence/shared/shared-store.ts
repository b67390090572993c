/**
 * Opens a store that several servers share. This server's copy is created, or brought to the end of the log, before the
 * first answer.  [disk, network]
 */
import { randomUUID } from 'node:crypto'
import { errorMessage } from '../../../errors.ts'
import type { StorageFailure } from '../../contract/failure.ts'
import { isBucket } from '../contents/bucket/bucket-address.ts'
import { keepClaiming } from '../contents/places/store-place.ts'
import { openPlace } from '../contents/places/open-place.ts'
import type { ContentPlace } from '../contents/places/place.ts'
import { readPosition, readProof } from '../database/log-position.ts'
import { openForReading, withConnection } from '../database/open-database.ts'
import { isDamage } from '../database/sqlite.ts'
import { sumText } from '../database/state-digest.ts'
import { openReserve } from '../disk-reserve.ts'
import { type StoreFolder, makeFolders, storeFolder } from '../folder.ts'
import { type Lock, lockService } from '../lock.ts'
import { type Store, type StoreOptions, openStore } from '../store.ts'
import { type WriterEntry, startWriter } from '../writer/writer.ts'
import { type CommitLog, databaseAway, openCommitLog } from './commit-log.ts'
import { holdSharedContents, withClient } from './postgres.ts'
import { seekLeadership } from './leadership.ts'
import { catchUp, prepareCopy } from './prepare-copy.ts'
import { CopyDiffers } from './server-copy.ts'
import { getSnapshot } from './snapshots.ts'
import { copyChecker, runCopyTasks } from './copy-tasks.ts'
import { encodeEntry } from './commit-entry.ts'

export interface SharedOptions extends Omit<StoreOptions, 'writer'> {
  /** `postgres://…` */
  readonly url: string
  /** Folder that all servers of the store see, or `s3://bucket/prefix`. */
  readonly contents: string
  readonly writer: WriterEntry
}

/** @throws {HlaError} io — the database is out of reach, another server has the folder; data-differs — the folder holds another store */
export async function openSharedStore(path: string, options: SharedOptions): Promise<Store> {
  const { url, contents } = options
  const contentsFolder = isBucket(contents) ? undefined : contents
  const folder = storeFolder(path, contentsFolder)
  const server = randomUUID()
  makeFolders(folder)
  // taken before the copy is touched
  const lock = await lockService(folder)
  const reserve = options.keepsReserve === true ? openReserve(folder, options.onWarning) : undefined
  const log = openCommitLog({ url, server })
  let place: ContentPlace | undefined
  try {
    place = openPlace(contents)
    const warn = options.onWarning
    await withClient(url, (client) => prepareCopy(client, folder, warn))
    await catchUp(log, folder, contents).catch(async (error: unknown) => {
      if (!(error instanceof CopyDiffers) && !isDamage(error)) throw error
      warn(`${errorMessage(error)}: it is being rebuilt`)
      await withClient(url, (client) => getSnapshot(client, folder.database, warn))
      await followAnew(log, folder, contents, warn)
    })
    const own = { contents: contentsFolder, isService: false, keepsReserve: false }
    const store = await opened(path, { ...options, ...own, reserve, folder, log, lock, server, place })
    return { ...store, close: () => store.close().finally(() => reserve?.close()) }
  } catch (error) {
    reserve?.close()
    await place?.close()
    await log.close()
    lock.release()
    throw error
  }
}

/**
 * Follows the log with a rebuilt copy, which is right even if the sum of an entry differs. The server that wrote that
 * sum has a wrong copy. It learns so from an entry with this copy's sum.
 */
async function followAnew(
  log: CommitLog,
  folder: StoreFolder,
  contents: string,
  warn: (text: string) => void,
): Promise<void> {
  let differs = false
  await catchUp(log, folder, contents, (reason) => {
    differs = true
    warn(reason)
  })
  if (!differs) return
  const [number, digest] = await withConnection(
    openForReading(folder.database),
    (copy) => [readPosition(copy)?.number ?? 0, readProof(copy)] as const,
  )
  if (digest === undefined) throw new Error('a copy that was just made has no digest')
  // returns false if another server was faster; the next entry of this one then carries the sum
  await log.appendNext(number + 1, encodeEntry([], sumText(digest.rows)))
  await catchUp(log, folder, contents, warn)
}

/** `openSharedStore` holds the lock and the reserve, not the store. */
interface Opening extends Omit<SharedOptions, 'contents'> {
  readonly contents: string | undefined
  readonly folder: StoreFolder
  readonly log: CommitLog
  readonly lock: Lock
  readonly server: string
  readonly place: ContentPlace
}

async function opened(path: string, opening: Opening): Promise<Store> {
  const { folder, log, lock, server, url } = opening
  const listeners: (() => void)[] = []
  let seen = 0n
  let isClosing = false
  const onFollowed = () => {
    // the writer follows until it ends, but listeners would read a closing database
    if (isClosing || writer.follows() === seen) return
    seen = writer.follows()
    for (const listener of listeners) listener()
  }
  const events = { ...opening, onFollowed }
  const extras = { shared: { url, server }, reserve: opening.reserve?.data }
  const writer = await startWriter(opening.writer, folder.database, events, extras)
  const store = await openStore(path, { ...opening, writer: () => writer })
  const stopClaiming = await keepClaiming(claimOf(store, opening)).catch(async (error: unknown) => {
    // the process ends only when everything is closed
    await store.close()
    throw error
  })
  const leadership = seekLeadership(url, copyChecker(opening))
  const stopTasks = runCopyTasks(opening, leadership)
  return {
    ...store,
    sharing: {
      current: coalesce(async () => {
        const own = writer.reached()
        const last = await log.last().catch((error: unknown) => {
          throw databaseAway(error)
        })
        if (last < own) throw wasRestored(own, last, opening.onBroken)
        await writer.followed(last)
        // the message about it may still be on its way
        onFollowed()
      }),
      isLeader: leadership.isLeader,
      servers: leadership.servers,
      lockContents: () => holdSharedContents(url),
      onChange: (listener) => void listeners.push(listener),
    },
    async close() {
      isClosing = true
      stopTasks()
      stopClaiming()
      await leadership.close()
      await store.close()
      await opening.place.close()
      await log.close()
      lock.release()
    },
  }
}

function claimOf({ read }: Store, opening: Opening) {
  const { place } = opening
  const owner = readPosition(read)?.store
  if (owner === undefined) throw new Error('the copy does not name the store it was made from')
  return { ...opening, name: place.name, claim: () => place.claim(owner) }
}

/** The log lacks entries of this server. The next start rebuilds its copy. */
function wasRestored(own: number, last: number, onBroken: SharedOptions['onBroken']): StorageFailure {
  const reason = `the log ends at ${last}, and this copy is at ${own}: the database was restored`
  onBroken(new Error(reason))
  return databaseAway(new Error(reason))
}

/** Coalesces concurrent calls. A caller never gets a result from before its call. */
function coalesce(ask: () => Promise<void>): () => Promise<void> {
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
