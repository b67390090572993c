/** Ends what the tests of a file leave behind: servers and proxies first, then the folders they write to. */
import { rm } from 'node:fs/promises'

const stops: (() => unknown)[] = []
const folders: string[] = []

/** Calls `stop` at the end of each file of this process. For modules, which several files share. */
export function stopAtEnd(stop: () => unknown): void {
  stops.push(stop)
}

/** Removes the folder at the end of this file. */
export function removeAtEnd(folder: string): void {
  folders.push(folder)
}

export async function endFile(): Promise<void> {
  await Promise.all(stops.map((stop) => stop()))
  // a server being killed may still write: unlike rmSync, each retry lists the folder again
  const removed = folders
    .splice(0)
    .map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  await Promise.all(removed)
}
