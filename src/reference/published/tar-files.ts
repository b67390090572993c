/**
 * Published files in a tar.gz file, such as GitHub makes of a tag. Read once; only files that a release needs are kept.
 * [disk]
 */
import type { Readable } from 'node:stream'
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

const BLOCK = 512
/** Files to keep; a release also has gigabytes of alignments and sequences. */
const KEPT =
  /(?:^|\/)(?:wmda\/.+|allelelist\/.+|Allelelist[^/]*\.txt|Allele_status\.txt|Deleted_alleles\.txt|md5checksum\.txt|hla_nom[^/]*\.txt|rel_[^/]*\.txt)$/

interface Member {
  readonly name: string
  readonly size: number
  /** `0` a file, `5` a folder, `x` and `L` the long name of the next member. */
  readonly kind: string
}

async function readMembers(from: string, packed: Readable): Promise<Map<string, Buffer>> {
  const reader = tarReader(from)
  try {
    // without an encoding the stream yields buffers
    for await (const chunk of packed.pipe(createGunzip())) reader.take(chunk as Buffer)
  } catch (error) {
    if (error instanceof HlaError) throw error
    throw new HlaError('truncated-file', `${from} cannot be unpacked: ${errorMessage(error)}`, {
      offending: from,
      cause: error,
    })
  } finally {
    packed.destroy()
  }
  if (reader.isInside()) throw new HlaError('truncated-file', `${from} is cut short`, { offending: from })
  return reader.files
}

interface TarReader {
  /** Kept files by path. */
  readonly files: Map<string, Buffer>
  take(chunk: Buffer): void
  isInside(): boolean
}

function tarReader(from: string): TarReader {
  const files = new Map<string, Buffer>()
  let rest: Buffer = Buffer.alloc(0)
  let kept = 0
  let longName: string | undefined
  let current: { readonly member: Member; readonly parts: Buffer[]; left: number } | undefined

  function begin(): void {
    const member = readMember(from, rest.subarray(0, BLOCK))
    rest = rest.subarray(BLOCK)
    if (member === undefined) return
    const named = member.kind === '0' && longName !== undefined ? { ...member, name: longName } : member
    current = { member: named, parts: [], left: Math.ceil(member.size / BLOCK) * BLOCK }
  }

  /** True when the member is complete. */
  function fill({ member, parts, left }: NonNullable<typeof current>): boolean {
    const piece = rest.subarray(0, left)
    rest = rest.subarray(piece.length)
    if (isKept(member) && piece.length > 0) {
      kept += piece.length
      if (kept > MAX_SOURCE_BYTES) throw bad(from, 'is too large')
      parts.push(piece)
    }
    return piece.length === left
  }

  function end({ member, parts }: NonNullable<typeof current>): void {
    const content = Buffer.concat(parts).subarray(0, member.size)
    if (member.kind === 'x') longName = paxPath(content.toString('utf8')) ?? longName
    else if (member.kind === 'L') longName = content.toString('utf8').replace(/\0+$/, '')
    else longName = undefined
    if (member.kind === '0' && isKept(member)) files.set(member.name, content)
  }

  return {
    files,
    isInside: () => current !== undefined || rest.length > 0,
    take(chunk) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      while (current !== undefined || rest.length >= BLOCK) {
        if (current === undefined) begin()
        if (current === undefined) continue
        const before = rest.length
        if (!fill(current)) {
          current.left -= before
          return
        }
        end(current)
        current = undefined
      }
    },
  }
}

function isKept({ kind, name }: Member): boolean {
  return kind === '0' ? KEPT.test(name) : kind === 'x' || kind === 'L'
}

/** undefined for a block of zeros, which ends the file. */
function readMember(from: string, block: Buffer): Member | undefined {
  if (block.every((byte) => byte === 0)) return undefined
  const text = (start: number, length: number) =>
    block.toString('utf8', start, start + length).replace(/\0.*$/s, '')
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  const size = Number.parseInt(text(124, 12).trim() || '0', 8)
  if (Number.parseInt(text(148, 8).trim(), 8) !== sum || Number.isNaN(size))
    throw bad(from, 'is not a tar.gz file')
  const before = text(257, 5) === 'ustar' ? text(345, 155) : ''
  const kind = text(156, 1) || '0'
  return { name: before === '' ? text(0, 100) : `${before}/${text(0, 100)}`, size, kind }
}

/** Path in a pax record such as `27 path=IMGTHLA/wmda/x.txt\n`. */
function paxPath(records: string): string | undefined {
  return /^\d+ path=(.*)$/m.exec(records)?.[1]
}

function bad(from: string, why: string): HlaError {
  return new HlaError('bad-release-file', `${from} ${why}`, { offending: from })
}
