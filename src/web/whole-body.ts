/**
 * Reads the whole body of a request as bytes or text. Fastify would keep every chunk, which for chunks of one byte is
 * 400 times the body.  [network]
 */
import type { FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import { ByteBlocks } from '../byte-blocks.ts'

/**
 * Content type parser. `read` converts the bytes to the handler's body; its errors become the answer. `run` runs that
 * step, and the handler with it.
 */
export function wholeBody<T>(
  read: (bytes: Buffer) => T,
  run: (request: FastifyRequest, step: () => void) => void = (_, step) => step(),
): (request: FastifyRequest, payload: Readable, done: (error: Error | null, body?: T) => void) => void {
  return (request, payload, done) => {
    const most = request.routeOptions.bodyLimit
    if (Number(request.headers['content-length']) > most) return done(tooLarge())
    const bytes = new ByteBlocks()
    const stop = () => {
      payload.off('data', add)
      payload.off('end', end)
      payload.off('error', broken)
    }
    const add = (piece: Buffer) => {
      bytes.add(piece)
      if (bytes.size > most) fail(tooLarge())
    }
    const fail = (error: Error) => {
      stop()
      done(error)
    }
    // a connection that breaks midway is not a server error
    const broken = (error: Error) => fail(Object.assign(error, { statusCode: 400 }))
    const end = () => {
      stop()
      run(request, () => {
        try {
          done(null, read(bytes.joined()))
        } catch (error) {
          done(error as Error)
        }
      })
    }
    payload.on('data', add).on('end', end).on('error', broken)
  }
}

/** Same error as Fastify's. */
function tooLarge(): Error {
  const code = 'FST_ERR_CTP_BODY_TOO_LARGE'
  return Object.assign(new Error('the body is too large'), { code, statusCode: 413 })
}
