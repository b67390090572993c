/** The file a result is written to until it is complete: beside its place, under a hidden name.  [disk] */
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
  /** Waits until all of it is on the disk. @throws {HlaError} io — another run is writing it too */
  readonly sync: () => void
  /** Complete: it gets its name. */
  readonly finish: () => void
  /** Nothing more is written now; it stays for who goes on with it. */
  readonly keep: () => void
  readonly remove: () => void
}

/** What a link leads to is replaced, not the link. */
export function namePart(output: string): string {
  const target = partTarget(output)
  return join(dirname(target), `.${basename(target)}.part`)
}

/** Whether it is there or not. `rmSync` loads another part of Node. */
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

/** A device or a pipe takes bytes as they come; a file in its place would be the end of it. */
export function isDevice(output: string): boolean {
  if (OF_PROCESS.test(output)) return true
  const found = statSync(output, { throwIfNoEntry: false })
  return found !== undefined && !found.isFile() && !found.isDirectory()
}

/** It stands in a folder of the system; a named pipe stands in somebody's. */
export function isOfSystem(output: string): boolean {
  if (OF_PROCESS.test(output)) return true
  const found = statSync(output, { throwIfNoEntry: false })
  return found?.isCharacterDevice() === true || found?.isBlockDevice() === true
}

/** What this process has open, whatever that is: a redirection into a file is none of ours to replace. */
const OF_PROCESS = /^\/(?:dev\/(?:stdout|stderr|fd\/\d+)|proc\/(?:self|\d+)\/fd\/\d+)$/

/** Whether a file can stand there is said before the work, not after it: not in place of a folder, nor without one around it. @throws {HlaError} io */
export function checkPlace(output: string): void {
  coded(output, () => statSync(dirname(output)))
  if (statSync(output, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new HlaError('io', `cannot write ${output}: it is a folder`, { offending: output })
}

/** Continues the first `length` bytes of an earlier part; starts a new part without `length`. @throws {HlaError} io */
export function openPart(output: string, length?: number, part = namePart(output)): PartFile {
  if (isDevice(output)) return openDevice(output)
  if (part === namePart(output)) checkPlace(output)
  if (length === undefined) coded(output, () => removeFile(part))
  // always at the end: whoever else writes it, or cuts it, shows in its length
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
  // behind what others write into it
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

/** Once. */
function closing(file: number, alsoDo = () => {}): () => void {
  let isOpen = true
  return () => {
    if (isOpen) closeSync(file)
    if (isOpen) alsoDo()
    isOpen = false
  }
}

/** System errors as ours. */
function coded<T>(output: string, run: () => T): T {
  try {
    return run()
  } catch (cause) {
    throw new HlaError('io', `cannot write ${output}: ${errorReason(cause)}`, { offending: output, cause })
  }
}

/** Lets the system bring a file to the disk while it is still being written, so that its end is not waited for. */
interface FlushAhead {
  /** So many bytes more were written. */
  readonly wrote: (bytes: number) => void
  /** Nothing more will be. */
  readonly end: () => void
}

/** Often enough that little is left at the end, seldom enough to cost nothing. */
const PIECE = 16 * 1024 * 1024

/**
 * By a descriptor of its own: what fails here, be it to open the file, fails again where the file itself is synchronised,
 * and is reported there. A file of less than a piece is left alone.
 */
function flushAhead(path: string): FlushAhead {
  let file: number | undefined
  let [waiting, pending, isOver] = [0, 0, false]
  const closeUnused = () => {
    if (!isOver || pending > 0 || file === undefined) return
    closeSync(file)
    file = undefined
  }
  return {
    wrote(bytes) {
      waiting += bytes
      if (waiting < PIECE) return
      waiting = 0
      file ??= opened(path)
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

/** undefined: it is gone, or may not be read; nothing is flushed ahead then. */
function opened(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch {
    return undefined
  }
}
