/** What tells the input of a conversion from any other file, without reading all of it.  [disk] */
import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { basename } from 'node:path'

export type InputIdentity = FileIdentity | StoredIdentity

/** Of a file of a store: the content that its id and its revision name. */
export interface StoredIdentity {
  readonly id: string
  readonly revision: string
  readonly md5: string
  readonly bytes: number
  /** How much of it was read. */
  readonly read: number
}

export interface FileIdentity {
  /** Of the file, without its folder: where all of it was moved, it is still the same. */
  readonly name: string
  readonly bytes: number
  /** As ISO 8601. */
  readonly modified: string
  /** sha256 of the first 64 KiB of the file as it is stored. */
  readonly head: string
  /** How much of it was read, and the sha256 of the last 64 KiB of that. */
  readonly read: number
  readonly last: string
}

const LOOKED_AT = 64 * 1024

/** `read`: how much of the file, as it is stored, was read. */
export function inputIdentity(file: string, read: number): FileIdentity {
  const { size, mtime } = statSync(file)
  const head = digest(file, 0, LOOKED_AT)
  const last = digest(file, Math.max(0, read - LOOKED_AT), read)
  return { name: basename(file), bytes: size, modified: mtime.toISOString(), head, read, last }
}

function digest(file: string, start: number, end: number): string {
  const bytes = Buffer.alloc(end - start)
  const handle = openSync(file, 'r')
  try {
    const size = readSync(handle, bytes, 0, bytes.length, start)
    return createHash('sha256').update(bytes.subarray(0, size)).digest('hex')
  } finally {
    closeSync(handle)
  }
}
