/** Name, size and digest of a file.  [disk] */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

export interface FileIdentity {
  readonly name: string
  readonly bytes: number
  readonly sha256: string
}

export async function fileIdentity(name: string): Promise<FileIdentity> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(name)) {
    hash.update(chunk as Buffer) // a stream without an encoding yields buffers
    bytes += (chunk as Buffer).length
  }
  return { name, bytes, sha256: hash.digest('hex') }
}
