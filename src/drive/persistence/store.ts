/** Opens a store: who reads, who writes, and where contents lie.  [disk] */
import { type Caller, isStorageFailure } from '../contract/failure.ts'
import { restoreAside } from './contents/blob-files.ts'
import { type Blobs, openBlobs } from './contents/blobs.ts'
import { folderPlace } from './contents/places/folder-place.ts'
import type { ContentPlace } from './contents/places/place.ts'
import { acceptClock } from './database/clock.ts'
import type { Commands } from './database/database.ts'
import type { DigestEntry } from './contents/digest-threads.ts'
import { type DiskReserve, type OpenReserve, openReserve } from './disk-reserve.ts'
import type { Frees } from './writer/room.ts'
import { type StoreFolder, makeFolder, refuseBackup, storeFolder } from './folder.ts'
import { type Lock, waitForService } from './lock.ts'
import { type ReadStore, openForReading, openForWriting, readStore } from './database/open-database.ts'
import {
  type Writer,
  type WriterEntry,
  type WriterEvents,
  inlineWriter,
  startWriter,
} from './writer/writer.ts'
import { notWriting } from './writer/not-writing.ts'
import { HlaError } from '../../errors.ts'
import { SQLITE, sqliteCode } from './database/sqlite.ts'

export interface Store extends ReadStore {
  readonly folder: StoreFolder
  /** Another number after every commit of this process. */
  readonly commits: () => number
  /** Result: what the command is known to return. Resolves when the change is on disk. */
  readonly write: <Result>(command: string, caller: Caller, input: unknown) => Promise<Result>
  readonly writePreparing: Writer['write']
  readonly blobs: Blobs
  /** undefined: the disk of the database has no reserve. */
  readonly reserve: DiskReserve | undefined
  readonly place: ContentPlace
  /** undefined: this process alone serves it. */
  readonly sharing?: Sharing
  readonly close: () => Promise<void>
}

/** Among several servers of one store. */
export interface Sharing {
  /** Resolves when all that was acknowledged before, by any of them, can be read. @throws {StorageFailure} 503 */
  readonly current: () => Promise<void>
  /** What is done once for all of them is this one's to do. */
  readonly isLeader: () => boolean
  /** How many there are, this one included. */
  readonly servers: () => number
  /** As `lockContents`, for all of them. @throws {HlaError} io */
  readonly lockContents: () => Promise<Lock>
  /** Told when another one has changed something. */
  readonly onChange: (listener: () => void) => void
}

export interface StoreOptions extends WriterEvents {
  /** A thread, the commands to run in this one, or whoever else writes. */
  readonly writer: WriterEntry | Commands | (() => Writer)
  /** Threads for long contents; undefined: this one. */
  readonly digester?: DigestEntry
  /** Which commands run on a full disk; a thread of its own knows that itself. */
  readonly frees?: Frees | undefined
  /** Keeps room on the disk of the database. */
  readonly keepsReserve?: boolean | undefined
  /** Takes the lock of the folder; else its caller has it, or what is written goes to the service that does. */
  readonly isService: boolean
  /** Folder of the contents, where it is another one. */
  readonly contents?: string | undefined
  /** Of the contents of several servers. */
  readonly place?: ContentPlace | undefined
  /** That of a server of several, which has opened it before. */
  readonly reserve?: DiskReserve | undefined
  /** An operator says that the clock is right, however long nothing was written. */
  readonly acceptsClock?: boolean | undefined
}

/** ms that a service waits for a command to end. */
const PATIENCE = 1000

/** @throws {HlaError} io — another service has it, no rights, no space; data-differs — not a store of this version */
export async function openStore(path: string, options: StoreOptions): Promise<Store> {
  const folder = storeFolder(path, options.contents)
  let lock: Lock | undefined
  let reserve: OpenReserve | undefined
  refuseBackup(folder)
  try {
    makeFolder(folder)
    if (options.isService) lock = await waitForService(folder, PATIENCE)
    if (options.keepsReserve === true) reserve = openReserve(folder, options.onWarning)
    const store = await openWith(folder, { ...options, reserve: reserve ?? options.reserve }, lock)
    return { ...store, close: () => store.close().finally(() => reserve?.close()) }
  } catch (error) {
    reserve?.close()
    lock?.release()
    throw refusedOpening(error, folder.path)
  }
}

interface WithReserve extends StoreOptions {
  readonly reserve: DiskReserve | undefined
}

async function openWriter({ database }: StoreFolder, options: WithReserve): Promise<Writer> {
  const { writer } = options
  if (typeof writer === 'function') return writer()
  // a refusal is this thread's to tell
  const connection = await openForWriting(database)
  if (options.acceptsClock === true) acceptClock(connection)
  if (!isEntry(writer)) return inlineWriter(connection, writer, options)
  connection.close()
  return startWriter(writer, database, options, { reserve: options.reserve?.data })
}

function isEntry(writer: WriterEntry | Commands): writer is WriterEntry {
  return typeof writer['file'] === 'string'
}

async function openWith(folder: StoreFolder, options: WithReserve, lock: Lock | undefined): Promise<Store> {
  const state = { isBroken: false }
  const onBroken = (error: Error) => {
    state.isBroken = true
    options.onBroken(error)
  }
  const writer = await openWriter(folder, { ...options, onBroken })
  const { place = folderPlace(folder), digester, reserve } = options
  const read = await openForReading(folder.database)
  if (lock !== undefined) await restoreAside(folder, read)
  const blobs = openBlobs(folder, read, {
    onBroken,
    digester,
    place,
    isShared: options.place !== undefined,
    reserve,
  })
  const write: Writer['write'] = (asked, prepare) =>
    state.isBroken ? Promise.reject(notWriting()) : writer.write(asked, prepare)
  const writePreparing = place.contents.pathOf === undefined ? bringingHeads(write, blobs) : write
  return {
    folder,
    ...readStore(read),
    blobs,
    reserve,
    place,
    commits: writer.commits,
    // the caller's word
    write: <Result>(command: string, caller: Caller, input: unknown) =>
      writePreparing({ command, caller, input }, (result) => result as Result),
    writePreparing,
    async close() {
      await blobs.close()
      // who writes is the last to go, and leaves all of it in the database
      await writer.close(() => read.close())
      lock?.release()
    },
  }
}

/** Of one command: two that change the same file may each need another content. */
const MOST_HEADS = 5

/** A command that needs the first bytes of a content runs again when they are there. */
function bringingHeads(write: Writer['write'], blobs: Blobs): Writer['write'] {
  return async (asked, prepare) => {
    for (let brought = 0; ; brought++) {
      try {
        return await write(asked, prepare)
      } catch (error) {
        const head = isStorageFailure(error) ? error.details.head : undefined
        if (head === undefined || brought === MOST_HEADS) throw error
        await blobs.bring(head)
      }
    }
  }
}

const READ_ONLY = 'it cannot be written to'
const FULL = 'the disk is full'
const DAMAGED: ReadonlySet<number | string> = new Set([SQLITE.corrupt, SQLITE.notADatabase])

/** Of SQLite and of the system. */
const REASONS: ReadonlyMap<number | string, string> = new Map<number | string, string>([
  [SQLITE.busy, 'another process is writing to it'],
  [SQLITE.readOnly, READ_ONLY],
  [SQLITE.cannotOpen, 'its files cannot be opened'],
  [SQLITE.full, FULL],
  [SQLITE.io, 'the disk cannot be read or written'],
  [SQLITE.corrupt, 'its database is damaged'],
  [SQLITE.notADatabase, 'store.db is not a database'],
  ['EROFS', READ_ONLY],
  ['EACCES', READ_ONLY],
  ['EPERM', READ_ONLY],
  ['ENOSPC', FULL],
  ['EDQUOT', FULL],
  ['EEXIST', 'it is not a folder'],
  ['ENOTDIR', 'it is not a folder'],
])

function refusedOpening(error: unknown, folder: string): unknown {
  const code = sqliteCode(error) ?? systemCode(error)
  const reason = code === undefined ? undefined : REASONS.get(code)
  if (code === undefined || reason === undefined) return error
  const hint = DAMAGED.has(code) ? 'restore a backup' : undefined
  return new HlaError('io', `cannot open the store ${folder}: ${reason}`, {
    offending: folder,
    cause: error,
    hint,
  })
}

function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
