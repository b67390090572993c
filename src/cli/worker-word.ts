/** The first argument that makes a thread of this program a worker; alone, it does nothing. */

export const WORKER_WORD = '__table-worker'
