/** Whether the caller has this very state already. */
import type { FastifyRequest } from 'fastify'
import { matchesWeakly, parseEntityTags } from '../../protocol/etags.ts'

export function isKnown({ method, headers }: FastifyRequest, etag: string | undefined): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const tags = parseEntityTags(headers['if-none-match'])
  return tags !== undefined && matchesWeakly(tags, etag)
}
