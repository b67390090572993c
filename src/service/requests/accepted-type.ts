/** Whether who asks would rather read text than JSON: what `Accept` says of the two. JSON where it says nothing of text. */
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The answer depends on the header from now on, and says so to caches. */
export function prefersPlain({ headers: { accept } }: FastifyRequest, reply: FastifyReply): boolean {
  const others = reply.getHeader('vary')
  reply.header('vary', others === undefined ? 'accept' : `${String(others)}, accept`)
  return accept !== undefined && isPlainPreferred(accept)
}

/** `text/plain` has to be named, and be better than JSON: a browser that takes anything is given JSON. */
export function isPlainPreferred(accept: string): boolean {
  const ranges = accept.slice(0, LONGEST).split(',').map(readRange)
  const plain = qualityOf(ranges, PLAIN_RANGES)
  return plain > 0 && plain > qualityOf(ranges, JSON_RANGES)
}

/** No client says more; what is behind is not read. */
const LONGEST = 1000
/** The most exact first. */
const PLAIN_RANGES = ['text/plain', 'text/*']
const JSON_RANGES = ['application/json', 'application/*', '*/*']

interface AcceptedRange {
  readonly type: string
  readonly quality: number
}

function readRange(text: string): AcceptedRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const given = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = given === undefined ? 1 : Number(given.slice(2))
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 }
}

function qualityOf(ranges: readonly AcceptedRange[], types: readonly string[]): number {
  for (const type of types) {
    const range = ranges.find((one) => one.type === type)
    if (range !== undefined) return range.quality
  }
  return 0
}
