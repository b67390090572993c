/** The step of resumable uploads, in bytes: each chunk but the last is a multiple of it. For the store, its clients and its page, which import nothing of each other. */
export const GRANULE = 256 * 1024
