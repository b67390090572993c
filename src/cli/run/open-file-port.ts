/**
 * File port of the command line: local files, and files of a store, named drive:/…. It can return the first bytes of a
 * file before it is read.  [disk, network]
 */
import {
  type FilePort,
  isStored,
  removeLocalFile,
  openLocalInput,
  STORED,
  type ByteInput,
} from '../../io/file-port.ts'
import { FIRST_ZSTD_BLOCK, recognizePacking } from '../../io/packing/packing.ts'
import { openSink } from '../../io/sink.ts'
import type { DriveFlags } from '../../drive/commands/options/connection-options.ts'

/** Connects to the store when the first of its files is opened. */
export function openFilePort(flags: DriveFlags): FilePort {
  let opened: ReturnType<typeof open> | undefined
  const open = async () =>
    (await import('../../drive/commands/files/drive-file-port.ts')).openDriveFilePort(flags)
  const store = () => (opened ??= open())
  return {
    source: async (file) => (isStored(file) ? (await store()).source(pathIn(file)) : openLocalInput(file)),
    sink: async (file, options) =>
      isStored(file) ? (await store()).sink(pathIn(file), options) : openSink(file, options),
    isRemote: isStored,
    beside: async (file) =>
      isStored(file) ? `${STORED}${await (await store()).beside(pathIn(file))}` : file,
    removeOwn: async (file, begin) =>
      isStored(file) ? (await store()).removeOwn(pathIn(file), begin) : removeLocalFile(file, begin),
    close: async () => (await opened)?.close(),
  }
}

function pathIn(file: string): string {
  return file.slice(STORED.length)
}

export interface SamplingFilePort extends FilePort {
  /** First bytes as stored; empty for an unreadable file, whose error is reported when it is read. */
  readonly beginning: (file: string) => Promise<{ readonly name: string; readonly sample: Buffer }>
}

/** Maximum size of the sample, in bytes, when they arrive without waiting. */
const SAMPLE_BYTES = 64 * 1024

export function samplingFilePort(files: FilePort): SamplingFilePort {
  const inputs = new Map<string, ByteInput>()
  return {
    ...files,
    source: (file) => inputs.get(file) ?? files.source(file),
    async beginning(file) {
      const source = await files.source(file)
      const chunks = source.bytes()[Symbol.asyncIterator]()
      const sample = await readBeginning(chunks)
      const canBeReadAgain = file !== '-' && source.size !== undefined && !files.isRemote(file)
      if (canBeReadAgain || sample === undefined) await chunks.return?.()
      else inputs.set(file, { ...source, bytes: () => continueFrom(sample, chunks) })
      return { name: source.title, sample: sample ?? Buffer.alloc(0) }
    },
  }
}

/**
 * Reads at least one line: waiting for more would block interactive input. Returns undefined when the file is
 * unreadable.
 */
async function readBeginning(chunks: AsyncIterator<Buffer>): Promise<Buffer | undefined> {
  let sample = Buffer.alloc(0)
  try {
    const isEnough = () =>
      recognizePacking(sample) === 'zstd'
        ? sample.length >= FIRST_ZSTD_BLOCK
        : sample.length >= SAMPLE_BYTES || sample.includes('\n')
    while (!isEnough()) {
      const next = await chunks.next()
      if (next.done === true) break
      sample = Buffer.concat([sample, next.value])
    }
    return sample
  } catch {
    return undefined
  }
}

async function* continueFrom(sample: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (sample.length > 0) yield sample
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value
}
