/** The body of an upload as it comes.  [network] */
import type { FastifyRequest } from 'fastify'
import { StorageFailure } from '../../model/failure.ts'
import type { Incoming } from '../../store/content-file.ts'

/** Stopping early does not destroy the connection: the answer still has to be sent. @throws 400 uploadBrokenConnection */
export async function* incoming({ raw }: FastifyRequest): Incoming {
  try {
    // nothing sets an encoding
    yield* raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>
  } catch (error) {
    const failure = new StorageFailure(
      400,
      'uploadBrokenConnection',
      'The connection broke during the upload.',
    )
    failure.cause = error
    throw failure
  }
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
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of content) {
    size += piece.length
    if (size > most) throw new StorageFailure(413, 'uploadTooLarge', 'The body of the request is too large.')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
