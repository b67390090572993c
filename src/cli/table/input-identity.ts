/** What tells the input of a conversion from any other file, without reading all of it.  [disk] */
import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { InputIdentity } from '../../batch/checkpoint.ts'

const LOOKED_AT = 64 * 1024

/** `read`: how much of the file, as it is stored, was read. */
export function inputIdentity(file: string, read: number): InputIdentity {
  const { size, mtime } = statSync(file)
  const head = digest(file, 0, LOOKED_AT)
  return { name: basename(file), bytes: size, modified: mtime.toISOString(), head, ...readUpTo(file, read) }
}

/** What changes of it while the file is read. */
export function readUpTo(file: string, read: number): Pick<InputIdentity, 'read' | 'last'> {
  return { read, last: digest(file, Math.max(0, read - LOOKED_AT), read) }
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
