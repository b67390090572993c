/** What tells the input of a conversion from any other file, without reading all of it.  [disk] */
import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { FileIdentity } from '../../table/run/checkpoint.ts'

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
