/**
 * THE OWNER of one fact: resource limits of tables in a service. Documentation and the worst-case benchmark read it
 * here.
 */
import { THREAD_HEAP } from '../threads/threads.ts'

/** Maximum simultaneous conversions, each in its own thread and held in memory. */
export const MAX_TABLES = 4

/** Maximum tables of a caller, converting or waiting. */
export const MAX_CALLER_TABLES = 3

/** Maximum tables that wait for a place, and how long one waits. */
export const MAX_WAITING_TABLES = 16
export const MAX_TABLE_WAIT_MS = 30_000

/** Maximum ratio of the size of an answer to that of a table. */
export const ANSWER_TIMES = 16

/** Bytes for `count` tables of at most `maxTable` bytes, in addition to the rest of the process. */
export function tableShare(maxTable: number, count = MAX_TABLES): number {
  return count * (THREAD_HEAP * 1024 ** 2 + maxTable)
}
