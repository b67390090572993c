/** Access to published files in a folder, a zip file or at a web address. */

export interface FileAccess {
  /** Source as the user gave it, for messages. */
  readonly from: string
  /** Prefix of paths in messages. */
  readonly prefix: string
  /** True when each call is a network request. */
  readonly isRemote: boolean
  /** Bytes of the file; undefined when it does not exist. */
  read(path: string): Promise<Buffer | undefined>
  /** First `size` bytes, or all; undefined when the file does not exist. */
  readStart(path: string, size: number): Promise<Buffer | undefined>
  has(path: string): Promise<boolean>
  close(): void | Promise<void>
}

/** Maximum bytes of one source; the files of one release take a tenth of it. */
export const MAX_SOURCE_BYTES = 256 * 1024 * 1024

/**
 * Maximum bytes of one file, far above any published text: a wrong address or a hostile archive must not fill the
 * memory.
 */
export const MAX_FILE_BYTES = 256 * 1024 * 1024
