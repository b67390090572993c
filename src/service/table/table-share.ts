/** THE OWNER of one fact: what memory tables may take at a service. Documentation and the benchmark of the worst request read it here. */

/** Converted at a time, and so held in memory. */
export const MOST_TABLES = 4

/** MiB of the heap of the thread that converts them: beyond it a conversion fails, not the process. */
export const TABLE_HEAP = 256

/** Bytes for `count` tables of at most `maxTable` bytes, besides what the process takes for everything else. */
export function tableShare(maxTable: number, count = MOST_TABLES): number {
  return TABLE_HEAP * 1024 ** 2 + count * maxTable
}
