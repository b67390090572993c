/** What a place that holds published files can do, whether it is a folder, a zip file or a web address. */

export interface FileAccess {
  /** As the user gave it, for messages. */
  readonly from: string
  /** What to put before a path to show where the file is. */
  readonly prefix: string
  /** Each question is a request over the network. */
  readonly isRemote: boolean
  /** The file's bytes; undefined when there is no such file. */
  read(path: string): Promise<Buffer | undefined>
  /** Its first bytes: `size` of them, or all there are; undefined when there is no such file. */
  readStart(path: string, size: number): Promise<Buffer | undefined>
  has(path: string): Promise<boolean>
  close(): void | Promise<void>
}

/** All files of one release together take a tenth of it. */
export const MAX_SOURCE_BYTES = 256 * 1024 * 1024

/** No published text file comes near it; keeps a wrong address or a hostile archive from filling the memory. */
export const MAX_FILE_BYTES = 256 * 1024 * 1024
