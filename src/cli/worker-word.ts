/** First arguments that are not commands: they make a thread a worker, or answer a shell. */

export const WORKER_WORD = '__table-worker'
export const COMPLETE_WORD = '__complete'
export const WRITER_WORD = '__drive-writer'
export const DIGEST_WORD = '__drive-digester'
