/** A file port that can say how a file begins before it is read: what can be read once goes on from there.  [disk, network] */
import type { ByteInput, FilePort } from '../../../io/file-port.ts'

export interface LookingFilePort extends FilePort {
  /** Its first bytes, as they are stored; none of what cannot be read, which whoever reads it says. */
  readonly beginning: (file: string) => Promise<{ readonly name: string; readonly sample: Buffer }>
}

/** Bytes that are looked at where they do not have to be waited for. */
const LOOKED_AT = 64 * 1024

export function lookingFilePort(files: FilePort): LookingFilePort {
  const begun = new Map<string, ByteInput>()
  return {
    ...files,
    source: (file) => begun.get(file) ?? files.source(file),
    async beginning(file) {
      const source = await files.source(file)
      const chunks = source.bytes()[Symbol.asyncIterator]()
      const sample = await readBeginning(chunks)
      const canBeReadAgain = file !== '-' && source.size !== undefined && !files.isRemote(file)
      if (canBeReadAgain || sample === undefined) await chunks.return?.()
      else begun.set(file, { ...source, bytes: () => goneOn(sample, chunks) })
      return { name: source.title, sample: sample ?? Buffer.alloc(0) }
    },
  }
}

/** At least a line: who types it would be kept waiting for more. undefined: it cannot be read. */
async function readBeginning(chunks: AsyncIterator<Buffer>): Promise<Buffer | undefined> {
  let sample = Buffer.alloc(0)
  try {
    while (sample.length < LOOKED_AT && !sample.includes('\n')) {
      const next = await chunks.next()
      if (next.done === true) break
      sample = Buffer.concat([sample, next.value])
    }
    return sample
  } catch {
    return undefined
  }
}

async function* goneOn(sample: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (sample.length > 0) yield sample
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value
}
