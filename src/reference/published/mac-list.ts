/** Published list of multiple allele codes: text, zip or gz, from a file or a web address. [disk, network] */
import { promisify } from 'node:util'
import { constants, gunzip, inflateRaw } from 'node:zlib'
import { HlaError, errorMessage } from '../../errors.ts'
import { MAX_FILE_BYTES } from './file-access.ts'
import { readNumerDate } from '../sources/numer.ts'
import { readPublishedBytes, readPublishedStart } from './read-bytes.ts'
import { readFirstMember } from './zip-files.ts'

/** NMDP's list; codes are added every working day. */
export const DEFAULT_MAC_URL = 'https://hml.nmdp.org/mac/files/numer.v3.zip'

/**
 * Text of the list. Compression is recognised by the first bytes, not by the name.
 * @throws {HlaError} not-found, remote, truncated-file, lfs-pointer, bad-release-file
 */
export async function readMacList(from: string): Promise<Buffer> {
  const bytes = await readPublishedBytes(from)
  if (startsWith(bytes, ZIP)) return readFirstMember(from, bytes)
  return startsWith(bytes, GZIP) ? unpack(from, bytes) : bytes
}

/**
 * Date of the list at `from`; of a web address, or a large file, only the beginning is read.
 * @throws {HlaError} not-found, remote, lfs-pointer, bad-release-file
 */
export async function readMacListDate(from: string): Promise<string> {
  const bytes = await readPublishedStart(from, START_BYTES)
  const start = await unpackStart(bytes)
  // unusual compression: the whole list is read
  return readNumerDate((start ?? (await readMacList(from))).toString('latin1'))
}

/** Bytes that contain the date's line with ample margin, compressed or not. */
const START_BYTES = 16 * 1024

/** Text as far as the first bytes give it; undefined when the beginning alone cannot be unpacked. */
async function unpackStart(bytes: Buffer): Promise<Buffer | undefined> {
  const asFarAsItGoes = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_FILE_BYTES }
  try {
    if (startsWith(bytes, GZIP)) return await promisify(gunzip)(bytes, asFarAsItGoes)
    if (!startsWith(bytes, ZIP)) return bytes
    return isDeflated(bytes)
      ? await promisify(inflateRaw)(bytes.subarray(zipDataStart(bytes)), asFarAsItGoes)
      : undefined
  } catch {
    return undefined
  }
}

/** True when the first member of a zip file is deflated. */
function isDeflated(bytes: Buffer): boolean {
  return bytes.length > 30 && bytes.readUInt16LE(8) === 8
}

/** Offset of the first member's data: a header of 30 bytes, a name and an extra field of declared lengths. */
function zipDataStart(bytes: Buffer): number {
  return 30 + bytes.readUInt16LE(26) + bytes.readUInt16LE(28)
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
