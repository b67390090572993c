/** Whether a file of a store whose name does not say so is a document of typings, or what a typing program wrote.  [network] */
import type { DriveFile } from '../../../client/drive/resource.ts'
import { unpackedBeginning } from '../../../io/packing/packing.ts'
import { recognizeRecords } from '../../../table/input/records/recognize-records.ts'
import { storedSource } from '../files/drive-file-port.ts'
import type { FolderWatch } from './watching.ts'

/** Bytes that are looked at. */
const BEGINNING = 64 * 1024

/** @throws {HlaError} remote — the store does not answer */
export async function holdsTypings({ drive, path }: FolderWatch, file: DriveFile): Promise<boolean> {
  const source = storedSource(drive, file, `drive:${path}${file.title}`)
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of source.bytes()) {
    pieces.push(piece)
    size += piece.length
    if (size >= BEGINNING) break
  }
  return recognizeRecords(file.title, await unpackedBeginning(Buffer.concat(pieces)))
}
