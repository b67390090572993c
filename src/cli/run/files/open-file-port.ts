/** The file port of a command line: files here, and those of a store, which are named drive:/….  [disk, network] */
import { type FilePort, removeHere, sourceHere } from '../../../io/file-port.ts'
import { openSink } from '../../../io/sink.ts'
import type { DriveFlags } from '../../options/drive-connection-options.ts'

/** What the name of a file of a store begins with. */
const STORED = 'drive:'

/** `drive:/registry/donors.csv`; a file here of such a name is `./drive:…`. */
export function isStored(file: string): boolean {
  return file.startsWith(STORED)
}

/** The store is connected to when the first of its files is named. */
export function openFilePort(flags: DriveFlags): FilePort {
  let opened: Promise<FilePort> | undefined
  const store = () => (opened ??= openStore(flags))
  return {
    source: async (file) => (isStored(file) ? (await store()).source(pathIn(file)) : sourceHere(file)),
    sink: async (file, options) =>
      isStored(file) ? (await store()).sink(pathIn(file), options) : openSink(file, options),
    isRemote: isStored,
    beside: async (file) =>
      isStored(file) ? `${STORED}${await (await store()).beside(pathIn(file))}` : file,
    here: async (file) => (isStored(file) ? (await store()).here(pathIn(file)) : file),
    removeOwn: async (file, begin) =>
      isStored(file) ? (await store()).removeOwn(pathIn(file), begin) : removeHere(file, begin),
    close: async () => (await opened)?.close(),
  }
}

async function openStore(flags: DriveFlags): Promise<FilePort> {
  const { openDriveFilePort: openDriveDoor } = await import('./drive-file-port.ts')
  return openDriveDoor(flags)
}

function pathIn(file: string): string {
  return file.slice(STORED.length)
}
