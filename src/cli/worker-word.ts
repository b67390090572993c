/** Internal first arguments: they start a worker thread or process, or answer a shell's completion request. */

export const COMPLETE_WORD = '__complete'
export const WRITER_WORD = '__drive-writer'
export const LISTER_WORD = '__drive-lister'
export const SERVICE_WORD = '__service-thread'
export const STORED_WORD = '__drive-tables'
export const RULE_WORD = '__drive-rule'
export const DIGEST_WORD = '__drive-digester'
