/** Admission of commands while the disk is full: those that free space, and all while the database file has free pages. */
import type { Connection } from '../database/connection.ts'
import type { DiskReserve } from '../disk-reserve.ts'
import { STORE_COMMANDS } from '../upkeep/sweep.ts'
import type { CommandRequest } from '../database/database.ts'

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
