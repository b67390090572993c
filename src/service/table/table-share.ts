/** THE OWNER of one fact: what tables may take at a service. Documentation and the benchmark of the worst request read it here. */

/** Tables that are converted at a time, each in a thread of its own and held in memory. */
export const MOST_TABLES = 4

/** Tables of one caller among them: a token, else an address. */
export const MOST_OF_CALLER = 3

/** MiB of the heap of one thread: beyond it that conversion fails, not the process and not the others. */
export const TABLE_HEAP = 192

/** An answer is at most so many times as long as a table may be. */
export const ANSWER_TIMES = 16

/** Bytes for `count` tables of at most `maxTable` bytes, besides what the process takes for everything else. */
export function tableShare(maxTable: number, count = MOST_TABLES): number {
  return count * (TABLE_HEAP * 1024 ** 2 + maxTable)
}
