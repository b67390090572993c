/** Opens a store: reader, writer and place of the contents.  [disk] */
import { mkdirSync, rmSync } from 'node:fs'
import { type Caller, isStorageFailure } from '../contract/failure.ts'
import { type Blobs, openBlobs } from './contents/blobs.ts'
import { listLeftBehind } from './contents/left-behind.ts'
import { type Removals, openRemovals } from './contents/removals.ts'
import { keepClaiming, chooseBucket, openStorePlace } from './contents/places/store-place.ts'
import type { ContentPlace } from './contents/places/place.ts'
import { acceptClock } from './database/clock.ts'
import { beginEra } from './database/eras.ts'
import type { Commands, Database } from './database/database.ts'
import type { DigestEntry } from './contents/digest-threads.ts'
import { type DiskReserve, type OpenReserve, openReserve, type FreesSpace } from './disk-reserve.ts'
import { type StoreFolder, makeFolder, refuseBackup, storeFolder } from './folder.ts'
import { type Lock, openContentsLock, waitForService } from './lock.ts'
import { type ReadStore, openForReading, openForWriting, readStore } from './database/open-database.ts'
import {
  type Writer,
  type WriterEntry,
  type WriterEvents,
  inlineWriter,
  startWriter,
} from './writer/writer.ts'
import { notWriting } from './writer/not-writing.ts'
import { HlaError, errorMessage } from '../../errors.ts'
import { STORE_ITSELF } from './upkeep/sweep.ts'
import { SQLITE, sqliteCode } from './database/sqlite.ts'

export interface Store extends ReadStore {
  readonly folder: StoreFolder
  /** Resolves when the change is on disk. `Result` is given by the caller. */
  readonly write: <Result>(command: string, caller: Caller, input: unknown) => Promise<Result>
  readonly blobs: Blobs
  /** Undefined if the disk of the database has no reserve. */
  readonly reserve: DiskReserve | undefined
  readonly place: ContentPlace
  readonly close: () => Promise<void>
}

export interface StoreOptions extends WriterEvents {
  /** A thread, or the commands to run in this thread. */
  readonly writer: WriterEntry | Commands
  /** Threads for long contents. If undefined, this thread digests them. */
  readonly digester?: DigestEntry
  /** Commands allowed on a full disk. A writer thread has its own list. */
  readonly frees?: FreesSpace | undefined
  /** Reserves space on the disk of the database. */
  readonly keepsReserve?: boolean | undefined
  /** Takes the lock of the folder. Otherwise the caller holds it, or writes go to the service that does. */
  readonly isService: boolean
  /** `s3://bucket/prefix` for the contents of a new store. A store that has contents must have them there. */
  readonly contents?: string | undefined
  /** An operator confirms that the clock is right, however old the last change is. */
  readonly acceptsClock?: boolean | undefined
}

/** ms that a service waits for a running command to end. */
const COMMAND_TIMEOUT_MS = 1000

/** @throws {HlaError} io — another service has it, no rights, no space; data-differs — not a store of this version */
export async function openStore(path: string, options: StoreOptions): Promise<Store> {
  const folder = storeFolder(path)
  let lock: Lock | undefined
  let reserve: OpenReserve | undefined
  refuseBackup(folder)
  try {
    makeFolder(folder)
    if (options.isService) lock = await waitForService(folder, COMMAND_TIMEOUT_MS)
    if (options.keepsReserve === true) reserve = openReserve(folder, options.onWarning)
    const store = await openWith(folder, { ...options, reserve }, lock)
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
  // opened here first, so that a refusal is thrown in this thread
  const connection = await openForWriting(database)
  if (options.acceptsClock === true) acceptClock(connection)
  if (options.contents !== undefined) chooseBucket(connection, options.contents)
  beginEra(connection)
  if (!isEntry(writer)) return inlineWriter(connection, writer, options)
  connection.close()
  return startWriter(writer, database, options, options.reserve?.data)
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
  const writer = await openWriter(folder, { ...options, onBroken, onRemovals: () => removals.run() })
  const read = await openForReading(folder.database)
  const held = await openContents(folder, { ...options, onBroken, read, writer })
  const { place, blobs, removals } = held
  let stopClaiming: (() => void) | undefined
  const close = async () => {
    stopClaiming?.()
    await held.close()
    // the writer ends last and checkpoints the log into the database
    await writer.close(() => read.close())
  }
  try {
    if (options.isService)
      stopClaiming = await keepClaiming({ ...options, onBroken, name: place.name, claim: place.claim })
  } catch (error) {
    await close()
    throw error
  }
  const writeUnlessBroken: Writer['write'] = (asked) =>
    state.isBroken ? Promise.reject(notWriting()) : writer.write(asked)
  const write =
    place.contents.pathOf === undefined ? bringingHeads(writeUnlessBroken, blobs) : writeUnlessBroken
  held.removeLeftBehind()
  return {
    folder,
    ...readStore(read),
    blobs,
    reserve: options.reserve,
    place,
    // result type given by the caller
    write: <Result>(command: string, caller: Caller, input: unknown) =>
      write({ command, caller, input }) as Promise<Result>,
    close: () => close().finally(() => lock?.release()),
  }
}

interface ContentsOptions extends Omit<WithReserve, 'writer'> {
  readonly read: Database
  readonly writer: Writer
}

interface HeldContents {
  readonly place: ContentPlace
  readonly blobs: Blobs
  readonly removals: Removals
  /** Removes what the last process left: unfinished arrivals, and contents whose last row has gone. */
  readonly removeLeftBehind: () => void
  readonly close: () => Promise<void>
}

async function openContents(folder: StoreFolder, options: ContentsOptions): Promise<HeldContents> {
  const { read, writer, digester, reserve, onBroken, onWarning } = options
  const place = openStorePlace(folder, read)
  const removals = openRemovals(folder, {
    read,
    contents: place.contents,
    lock: await openContentsLock(folder),
    // result type given by the caller
    write: <Result>(command: string, input: unknown) =>
      writer.write({ command, caller: STORE_ITSELF, input }) as Promise<Result>,
    warn: (error) => onWarning(`a content was not removed yet: ${errorMessage(error)}`),
  })
  const blobs = openBlobs(folder, read, { onBroken, digester, place, reserve, removals })
  // what an interrupted request left; a clean-up would also remove what a slow bucket has not taken yet
  if (options.isService && place.contents.pathOf === undefined) emptySpool(folder)
  // listed before the first request, so that what arrives from now on is not among it
  const remove = options.isService ? listLeftBehind(folder) : undefined
  let removing: Promise<void> | undefined
  return {
    place,
    blobs,
    removals,
    removeLeftBehind: () => {
      removing = remove?.(read, removals).catch((error: unknown) => {
        onWarning(`not cleaned up: ${errorMessage(error)}`)
      })
      removals.run()
    },
    close: async () => {
      await removing
      await removals.close()
      await blobs.close()
      await place.close()
    },
  }
}

function emptySpool({ spool }: StoreFolder): void {
  rmSync(spool, { recursive: true, force: true })
  mkdirSync(spool, { mode: 0o700 })
}

/** Maximum heads fetched for one command. Concurrent changes of the same file may each need another content. */
const MAX_HEADS = 5

/** Runs a command again after fetching the content head it needs. */
function bringingHeads(write: Writer['write'], blobs: Blobs): Writer['write'] {
  return async (asked) => {
    for (let brought = 0; ; brought++) {
      try {
        return await write(asked)
      } catch (error) {
        const head = isStorageFailure(error) ? error.details.head : undefined
        if (head === undefined || brought === MAX_HEADS) throw error
        await blobs.bring(head)
      }
    }
  }
}

const READ_ONLY = 'it cannot be written to'
const FULL = 'the disk is full'
const DAMAGED: ReadonlySet<number | string> = new Set([SQLITE.corrupt, SQLITE.notADatabase])

/** Reasons by error code of SQLite or the system. */
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
