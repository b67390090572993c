/** A file loaded in parts, on demand: one answer reads a fiftieth of a release.  [disk] */
import { fstatSync, openSync, readSync } from 'node:fs'
import { HlaError } from '../errors.ts'
import { currentRun } from './run.ts'

export interface LateFile {
  /** The whole file; parts not loaded yet are zeros. */
  readonly bytes: Uint8Array
  /** Loads bytes `from` to `to`; call before reading them. @throws {HlaError} truncated-file */
  readonly load: (from: number, to: number) => void
}

/** Bytes per part: one page of memory. */
const PART_BYTES = 4096

/** The file stays open until the run ends. */
export function openLate(path: string): LateFile {
  const file = openSync(path, 'r')
  currentRun().open.push(file)
  // zeroed memory costs no time until it is written
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
