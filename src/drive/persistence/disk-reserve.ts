/**
 * A file that reserves space on the disk of the database. When the disk is full, the space is released so that deletions
 * and revocations can be written, and other commands are refused.  [disk]
 */
import {
  closeSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  type StatsFs,
  statSync,
  writeSync,
} from 'node:fs'
import { randomFillSync } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { StoreFolder } from './folder.ts'
import type { Connection } from './database/connection.ts'
import { STORE_COMMANDS } from './upkeep/sweep.ts'
import type { CommandRequest } from './database/database.ts'

/** State shared by the threads of a process. */
export interface ReserveData {
  readonly database: string
  /** Bytes of the reserve. */
  readonly size: number
  /** One number: `ROOMY` or `FULL`. */
  readonly state: SharedArrayBuffer
}

export interface DiskReserve {
  readonly data: ReserveData
  /** True if the reserve has been released. */
  readonly isFull: () => boolean
  /**
   * Releases the reserve if little space is free.
   * @returns whether the write-ahead log must be checkpointed at once, while the database can still grow
   */
  readonly look: () => boolean
  readonly giveUp: () => void
  /** Makes the reserve again if there is space for it and some more. */
  readonly restore: () => void
}

const [ROOMY, FULL] = [0, 1]

/** Bytes of the largest reserve, and of the smallest useful one. */
const [MOST, LEAST] = [32 << 20, 4 << 20]
/** Share of the whole disk. */
const SHARE = 1 / 16
/** Free space, in sizes of the reserve, with which a checkpoint of the write-ahead log can wait. */
const PLENTY = 4
/** Free space, in sizes of the reserve, below which the disk counts as full. A command group writes less. */
const LITTLE = 1 / 4

export function diskReserve(data: ReserveData): DiskReserve {
  const { database, size } = data
  const folder = dirname(database)
  const state = new Int32Array(data.state)
  const file = join(folder, 'reserve')
  const isFull = () => Atomics.load(state, 0) === FULL
  const giveUp = () => {
    rmSync(file, { force: true })
    Atomics.store(state, 0, FULL)
  }
  return {
    data,
    isFull,
    giveUp,
    look() {
      const free = freeBytes(statfsSync(folder))
      if (!isFull() && free < size * LITTLE) giveUp()
      const waiting = statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0
      return free < size * PLENTY + waiting
    },
    restore() {
      const hasRoom = () => freeBytes(statfsSync(folder)) >= size * (1 + LITTLE)
      if (isWhole(file, size) || (hasRoom() && fill(file, size))) Atomics.store(state, 0, ROOMY)
      else giveUp()
    },
  }
}

/** Bytes that an unprivileged user may still write. */
export function freeBytes({ bavail, bsize }: StatsFs): number {
  return bavail * bsize
}

/** Detects a sparse file, left by a power failure, which reserves nothing. */
function isWhole(file: string, size: number): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found?.size !== size) return false
  return process.platform === 'win32' || found.blocks * 512 >= size
}

/** @returns whether the disk took all of it */
function fill(file: string, size: number): boolean {
  const made = `${file}.new`
  // random bytes, because file systems with compression store zeros in no space
  const piece = randomFillSync(Buffer.alloc(1 << 20))
  try {
    const handle = openSync(made, 'w', 0o600)
    try {
      for (let at = 0; at < size;) at += writeSync(handle, piece, 0, Math.min(piece.length, size - at))
    } finally {
      closeSync(handle)
    }
    renameSync(made, file)
    return true
  } catch {
    // the disk is full by now, or a quota is exhausted
    rmSync(made, { force: true })
    return false
  }
}

export interface OpenReserve extends DiskReserve {
  readonly close: () => void
}

/** ms between checks of the disk. */
const CHECK_MS = 1000

/** Call it before opening the database, which needs space too. @returns undefined if the disk is too small */
export function openReserve(
  { path, database }: StoreFolder,
  warn: (text: string) => void,
): OpenReserve | undefined {
  const disk = statfsSync(path)
  const size = Math.min(MOST, Math.floor((disk.blocks * disk.bsize * SHARE) / 4096) * 4096)
  if (size < LEAST) {
    warn(`the disk of ${path} is too small for a reserve: when it is full, nothing can be deleted`)
    return undefined
  }
  const reserve = diskReserve({ database, size, state: new SharedArrayBuffer(4) })
  let wasFull = false
  const report = () => {
    if (reserve.isFull() === wasFull) return
    wasFull = !wasFull
    const needed = Math.ceil((size * (1 + LITTLE)) / (1 << 20))
    warn(
      wasFull
        ? `the disk of ${path} is full: until ${needed} MiB are free, only deletions and revocations are accepted`
        : `the disk of ${path} has room again: changes are accepted`,
    )
  }
  const check = () => {
    if (reserve.isFull()) reserve.restore()
    else reserve.look()
    report()
  }
  reserve.restore()
  check()
  const timer = setInterval(check, CHECK_MS).unref()
  return { ...reserve, close: () => clearInterval(timer) }
}

/** Tells whether a command frees space or ends access, and writes little. */
export type FreesSpace = (asked: CommandRequest) => boolean

export interface Room {
  /** Call before a transaction begins. */
  readonly begin: () => void
  /** True if space was short then: commits go into the database file at once. */
  readonly isShort: () => boolean
  readonly admits: (asked: CommandRequest) => boolean
  /** Call when SQLite found no space. */
  readonly exhausted: () => void
}

export function openRoom(
  connection: Connection,
  reserve: DiskReserve | undefined,
  frees: FreesSpace = () => false,
): Room {
  if (reserve === undefined)
    return { begin: () => undefined, isShort: () => false, admits: () => true, exhausted: () => undefined }
  let hasFreePages: boolean | undefined
  let isShort = reserve.look()
  const countFreePages = () => {
    const { bytes } = connection.get<{ bytes: number }>(FREE_BYTES) ?? { bytes: 0 }
    return bytes >= reserve.data.size
  }
  return {
    begin() {
      hasFreePages = undefined
      isShort = reserve.look()
    },
    isShort: () => isShort,
    admits: (asked) =>
      !reserve.isFull() ||
      Object.hasOwn(STORE_COMMANDS, asked.command) ||
      frees(asked) ||
      (hasFreePages ??= countFreePages()),
    exhausted: reserve.giveUp,
  }
}

/** Pages of deleted rows. SQLite reuses them first and never returns them to the disk. */
const FREE_BYTES = 'SELECT freelist_count * page_size AS bytes FROM pragma_freelist_count, pragma_page_size'
