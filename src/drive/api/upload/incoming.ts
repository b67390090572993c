/** The body of an upload as it comes.  [network] */
import type { FastifyRequest } from 'fastify'
import { ByteBlocks } from '../../../byte-blocks.ts'
import { StorageFailure } from '../../contract/failure.ts'
import type { Incoming } from '../../persistence/contents/content-file.ts'

/** Stopping early does not destroy the connection: the answer still has to be sent. @throws 400 uploadBrokenConnection */
export async function* incoming({ raw }: FastifyRequest): Incoming {
  try {
    // nothing sets an encoding
    yield* raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>
  } catch (error) {
    throw broken(error)
  }
}

/** All of a small body: to take it piece by piece takes longer than all that is done with it. @throws 400 uploadBrokenConnection */
export function wholeBody({ raw }: FastifyRequest): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const bytes = new ByteBlocks()
    const fail = (error?: unknown) => {
      if (!raw.readableEnded) reject(broken(error))
    }
    // as above
    raw.on('data', (piece: Buffer) => bytes.add(piece))
    raw.once('end', () => resolve(bytes.joined()))
    raw.once('error', fail)
    raw.once('close', fail)
    if (raw.destroyed) fail()
  })
}

function broken(cause: unknown): StorageFailure {
  const failure = new StorageFailure(400, 'uploadBrokenConnection', 'The connection broke during the upload.')
  failure.cause = cause
  return failure
}

/** Without its first bytes. */
export async function* without(content: Incoming, count: number): Incoming {
  let left = count
  for await (const chunk of content) {
    if (chunk.length > left) yield chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}

/** @throws 413 */
export async function collect(content: Incoming, most: number): Promise<Uint8Array> {
  const bytes = new ByteBlocks()
  for await (const piece of content) {
    bytes.add(piece)
    if (bytes.size > most)
      throw new StorageFailure(413, 'uploadTooLarge', 'The body of the request is too large.')
  }
  return bytes.joined()
}
