/**
 * Chunk size unit of resumable uploads, in bytes: every chunk but the last is a multiple. Shared by the store, its
 * clients and its page, which do not import each other.
 */
export const GRANULE = 256 * 1024
