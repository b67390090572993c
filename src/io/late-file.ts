/** A file of which those parts are read that are asked for: one answer reads a fiftieth of a release.  [disk] */
import { fstatSync, openSync, readSync } from 'node:fs'
import { HlaError } from '../errors.ts'

export interface LateFile {
  /** All of the file: zeros, where nothing was loaded. */
  readonly bytes: Uint8Array
  /** To be asked before bytes are read. @throws {HlaError} truncated-file */
  readonly load: (from: number, to: number) => void
}

/** Bytes that are read at once; a page of memory. */
const PART_BYTES = 4096

/** The file stays open as long as the process runs. */
export function openLate(path: string): LateFile {
  const file = openSync(path, 'r')
  // memory that nobody writes to takes no time
  const bytes = new Uint8Array(fstatSync(file).size)
  const isLoaded = new Uint8Array(Math.ceil(bytes.length / PART_BYTES))
  function read(from: number, to: number): void {
    for (let at = from; at < to;) {
      const count = readSync(file, bytes, at, to - at, at)
      if (count === 0) throw new HlaError('truncated-file', `${path} ends too soon`, { offending: path })
      at += count
    }
  }
  return {
    bytes,
    load(from, to) {
      const end = Math.ceil(to / PART_BYTES)
      for (let part = Math.floor(from / PART_BYTES); part < end; part += 1) {
        if (isLoaded[part] !== 0) continue
        const first = part
        while (part + 1 < end && isLoaded[part + 1] === 0) part += 1
        read(first * PART_BYTES, Math.min((part + 1) * PART_BYTES, bytes.length))
        isLoaded.fill(1, first, part + 1)
      }
    },
  }
}
