/** How a file of a file store is named where files here can be named too. Pure. */

/** What the name of a file of a store begins with. */
export const STORED = 'drive:'

/** `drive:/registry/donors.csv`; a file here of such a name is `./drive:…`. */
export function isStored(file: string): boolean {
  return file.startsWith(STORED)
}
