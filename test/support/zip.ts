/** A zip writer, so that tests need no zip program. */
import { deflateRawSync } from 'node:zlib'

export function zipOf(
  files: ReadonlyMap<string, Buffer> | readonly (readonly [string, Buffer])[],
  isPacked = false,
): Buffer {
  const members: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  const all = [...files]
  for (const [name, bytes] of all) {
    const packed = isPacked ? deflateRawSync(bytes) : bytes
    const fields = commonFields(Buffer.byteLength(name), bytes, packed)
    const local = Buffer.concat([signature(0x04034b50), fields, Buffer.from(name), packed])
    directory.push(
      Buffer.concat([signature(0x02014b50), u16(20), fields, placement(offset), Buffer.from(name)]),
    )
    members.push(local)
    offset += local.length
  }
  const index = Buffer.concat(directory)
  const counts = [u16(0), u16(0), u16(all.length), u16(all.length)]
  return Buffer.concat([
    ...members,
    index,
    signature(0x06054b50),
    ...counts,
    u32(index.length),
    u32(offset),
    u16(0),
  ])
}

/** Fields that the local header and the central directory share: version, flags, method, time, date, checksum, sizes, name length. */
function commonFields(nameLength: number, bytes: Buffer, packed: Buffer): Buffer {
  const sizes = [u32(crc32(bytes)), u32(packed.length), u32(bytes.length), u16(nameLength), u16(0)]
  const method = packed === bytes ? 0 : 8
  return Buffer.concat([u16(20), u16(0), u16(method), u16(0), u16(0x21), ...sizes])
}

/** Comment length, disk, attributes and offset of the member. */
function placement(offset: number): Buffer {
  return Buffer.concat([u16(0), u16(0), u16(0), u32(0), u32(offset)])
}

function signature(value: number): Buffer {
  return u32(value)
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** The type declarations of Node 20.19 lack zlib.crc32. */
function crc32(bytes: Buffer): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
  }
  return ~sum >>> 0
}
