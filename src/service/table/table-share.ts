/**
 * THE OWNER of one fact: resource limits of tables in a service. Documentation and the worst-case benchmark read it
 * here.
 */

/** Maximum simultaneous conversions, each in its own thread and held in memory. */
export const MAX_TABLES = 4

/** Maximum simultaneous conversions per client, identified by token, else address. */
export const MAX_CALLER_TABLES = 3

/** Heap limit of one thread in MiB: beyond it only that conversion fails. */
export const TABLE_HEAP = 192

/** Maximum ratio of the size of an answer to that of a table. */
export const ANSWER_TIMES = 16

/** Bytes for `count` tables of at most `maxTable` bytes, in addition to the rest of the process. */
export function tableShare(maxTable: number, count = MAX_TABLES): number {
  return count * (TABLE_HEAP * 1024 ** 2 + maxTable)
}
