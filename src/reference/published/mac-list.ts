/** The published list of multiple allele codes: text, zip or gz, from a file or a web address. [disk, network] */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { HlaError, errorMessage } from '../../errors.ts'
import { MAX_FILE_BYTES } from './file-access.ts'
import { readPublishedBytes } from './read-bytes.ts'
import { readFirstMember } from './zip-files.ts'

/** The list of NMDP, which adds codes every working day. */
export const DEFAULT_MAC_URL = 'https://hml.nmdp.org/mac/files/numer.v3.zip'

/**
 * The list's text. What it is packed in is told by its first bytes, not by its name.
 * @throws {HlaError} not-found, remote, truncated-file, lfs-pointer, bad-release-file
 */
export async function readMacList(from: string): Promise<Buffer> {
  const bytes = await readPublishedBytes(from)
  if (startsWith(bytes, ZIP)) return readFirstMember(from, bytes)
  return startsWith(bytes, GZIP) ? unpack(from, bytes) : bytes
}

const ZIP = [0x50, 0x4b]
const GZIP = [0x1f, 0x8b]

async function unpack(from: string, bytes: Buffer): Promise<Buffer> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: MAX_FILE_BYTES })
  } catch (error) {
    throw new HlaError('truncated-file', `${from} cannot be unpacked: ${errorMessage(error)}`, {
      offending: from,
      cause: error,
    })
  }
}

function startsWith(bytes: Buffer, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte)
}
