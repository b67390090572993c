/** First arguments that make a thread of this program a worker; alone, they do nothing. */

export const WORKER_WORD = '__table-worker'
export const WRITER_WORD = '__drive-writer'
