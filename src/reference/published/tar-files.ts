/**
 * Published files in a tar.gz file, such as GitHub makes of a tag. Read once; only files that a release needs are kept.
 * [disk]
 */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { HlaError, errorMessage } from '../../errors.ts'
import { type FileAccess, MAX_SOURCE_BYTES } from './file-access.ts'
import { commonTopFolder } from './zip-files.ts'

/** @throws {HlaError} bad-release-file — not a tar file, or too large; truncated-file — cut short */
export async function openTar(from: string, packed: Readable): Promise<FileAccess> {
  const files = await readMembers(from, packed)
  const top = commonTopFolder([...files.keys()])
  const read = (path: string) => files.get(top + path)
  return {
    from,
    prefix: `${from}:${top}`,
    isRemote: false,
    read: async (path) => read(path),
    readStart: async (path, size) => read(path)?.subarray(0, size),
    has: async (path) => files.has(top + path),
    close: () => undefined,
  }
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** Files to keep; a release also has gigabytes of alignments and sequences. */
const KEPT =
  /(?:^|\/)(?:wmda\/.+|allelelist\/.+|Allelelist[^/]*\.txt|Allele_status\.txt|Deleted_alleles\.txt|md5checksum\.txt|hla_nom[^/]*\.txt|rel_[^/]*\.txt)$/

/** By path. */
async function readMembers(from: string, packed: Readable): Promise<Map<string, Buffer>> {
  const { createTarDecoder } = await import('modern-tar')
  const unpacked = packed.pipe(createGunzip())
  const files = new Map<string, Buffer>()
  let kept = 0
  try {
    // strict: sums of headers are compared
    for await (const { header, body } of Readable.toWeb(unpacked).pipeThrough(
      createTarDecoder({ strict: true }),
    )) {
      if (header.type !== 'file' || !KEPT.test(header.name)) {
        await body.cancel()
        continue
      }
      kept += header.size
      if (kept > MAX_SOURCE_BYTES)
        throw new HlaError('bad-release-file', `${from} is too large`, { offending: from })
      files.set(header.name, await buffer(body))
    }
  } catch (error) {
    if (error instanceof HlaError) throw error
    const code = unpacked.errored === null ? 'bad-release-file' : 'truncated-file'
    throw new HlaError(code, `${from} cannot be unpacked: ${errorMessage(error)}`, {
      offending: from,
      cause: error,
    })
  } finally {
    packed.destroy()
  }
  return files
}
