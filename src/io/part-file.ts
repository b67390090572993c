/** Part file: a result is written under a hidden name beside its destination until it is complete.  [disk] */
import {
  closeSync,
  existsSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { errorReason, HlaError } from '../errors.ts'
import { writeAll } from './stdout.ts'

export interface PartFile {
  readonly write: (bytes: Uint8Array) => void
  /** Waits until all bytes are on the disk. @throws {HlaError} io — another run writes the same file */
  readonly sync: () => void
  /** Renames the complete part to its final name. */
  readonly finish: () => void
  /** Closes the part and leaves it for a run that resumes. */
  readonly keep: () => void
  readonly remove: () => void
}

/** Part path of an output; for a link, beside the link's target, which is replaced. */
export function namePart(output: string): string {
  const target = partTarget(output)
  return join(dirname(target), `.${basename(target)}.part`)
}

/** Succeeds if the file is absent. `rmSync` would load another part of Node. */
function removeFile(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

function partTarget(output: string): string {
  return existsSync(output) ? realpathSync(output) : output
}

/** A device or a pipe takes bytes as they come; a rename would replace it. */
export function isDevice(output: string): boolean {
  if (OF_PROCESS.test(output)) return true
  const stats = statSync(output, { throwIfNoEntry: false })
  return stats !== undefined && !stats.isFile() && !stats.isDirectory()
}

/** A device file or this process's own descriptor. A named pipe, in contrast, belongs to a user. */
export function isOfSystem(output: string): boolean {
  if (OF_PROCESS.test(output)) return true
  const stats = statSync(output, { throwIfNoEntry: false })
  return stats?.isCharacterDevice() === true || stats?.isBlockDevice() === true
}

/** Open descriptors of this process: a file that the shell redirects to must not be replaced. */
const OF_PROCESS = /^\/(?:dev\/(?:stdout|stderr|fd\/\d+)|proc\/(?:self|\d+)\/fd\/\d+)$/

/** Checks the destination before the work: not a folder, and its folder exists. @throws {HlaError} io */
export function checkPlace(output: string): void {
  coded(output, () => statSync(dirname(output)))
  if (statSync(output, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new HlaError('io', `cannot write ${output}: it is a folder`, { offending: output })
}

/**
 * Opens the part. With `length`, keeps the first `length` bytes of an earlier part; otherwise starts anew.
 * @throws {HlaError} io
 */
export function openPart(output: string, length?: number, part = namePart(output)): PartFile {
  if (isDevice(output)) return openDevice(output)
  if (part === namePart(output)) checkPlace(output)
  if (length === undefined) coded(output, () => removeFile(part))
  // append mode: writes or truncation by another process show in the length
  const file = coded(output, () => openSync(part, length === undefined ? 'ax+' : 'a+'))
  if (length !== undefined) coded(output, () => ftruncateSync(file, length))
  const { ino } = fstatSync(file)
  let written = length ?? 0
  const ahead = flushAhead(part)
  const close = closing(file, ahead.end)
  const isOurs = () => statSync(part, { throwIfNoEntry: false })?.ino === ino
  const sync = () => {
    coded(output, () => fsyncSync(file))
    if (!isOurs() || fstatSync(file).size !== written)
      throw new HlaError('io', `cannot write ${output}: another run is writing it too`, { offending: output })
  }
  return {
    write(bytes) {
      writeAll(file, bytes, output)
      written += bytes.length
      ahead.wrote(bytes.length)
    },
    sync,
    finish() {
      sync()
      coded(output, () => renameSync(part, partTarget(output)))
      close()
    },
    keep: close,
    remove() {
      close()
      if (isOurs()) removeFile(part)
    },
  }
}

function openDevice(output: string): PartFile {
  // append mode: other processes may write to it too
  const file = coded(output, () => openSync(output, 'a'))
  const close = closing(file)
  return {
    write: (bytes) => writeAll(file, bytes, output),
    sync: () => undefined,
    finish: close,
    keep: close,
    remove: close,
  }
}

/** Closes the file at most once. */
function closing(file: number, alsoDo = () => {}): () => void {
  let isOpen = true
  return () => {
    if (isOpen) closeSync(file)
    if (isOpen) alsoDo()
    isOpen = false
  }
}

/** Converts system errors to HlaError. */
function coded<T>(output: string, run: () => T): T {
  try {
    return run()
  } catch (cause) {
    throw new HlaError('io', `cannot write ${output}: ${errorReason(cause)}`, { offending: output, cause })
  }
}

/** Writes a file to the disk while it grows, so that the final sync is short. */
interface FlushAhead {
  /** Counts `bytes` more written. */
  readonly wrote: (bytes: number) => void
  /** No more bytes follow. */
  readonly end: () => void
}

/** Bytes between flushes: little remains at the end, and the cost is small. */
const PIECE = 16 * 1024 * 1024

/**
 * Flushes through its own descriptor. Failures, including of opening, are ignored: synchronising the file
 * itself fails again and reports them. A file of less than one piece is not flushed.
 */
function flushAhead(path: string): FlushAhead {
  let file: number | undefined
  let [waiting, pending, isOver] = [0, 0, false]
  const closeUnused = () => {
    if (!isOver || pending > 0 || file === undefined) return
    closeSync(file)
  }
  return {
    wrote(bytes) {
      waiting += bytes
      if (waiting < PIECE) return
      waiting = 0
      file ??= openQuietly(path)
      if (file === undefined) return
      pending += 1
      fdatasync(file, () => {
        pending -= 1
        closeUnused()
      })
    },
    end() {
      isOver = true
      closeUnused()
    },
  }
}

/** undefined when the file is gone or unreadable; nothing is flushed ahead then. */
function openQuietly(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch {
    return undefined
  }
}
