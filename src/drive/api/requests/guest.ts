/** Who has no account, and reads what a link of `anyone` opens: a file, its content, what is in a folder. */
import type { FastifyRequest } from 'fastify'
import { type Caller, GUEST } from '../../contract/caller.ts'
import { findSeen } from '../../domain/access/access.ts'
import type { Database } from '../../persistence/database/database.ts'

/** Undefined: without credentials there is nothing. */
export function guestFor(db: Database, request: FastifyRequest): Caller | undefined {
  const id = itemAsked(request)
  return id !== undefined && isOpenToAnyone(db, id) ? GUEST : undefined
}

export function isOpenToAnyone(db: Database, id: string): boolean {
  return id !== 'root' && findSeen(db, GUEST, id) !== undefined
}

/** A list of what is in one folder; what else it asks for makes it no longer. */
const IN_FOLDER = /^'([\w-]{1,100})' in parents(?: and |$)/

function itemAsked({ method, params, query, routeOptions }: FastifyRequest): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const asked = query as Readonly<Record<string, unknown>> // as fastify parses it
  switch (routeOptions.url) {
    case '/drive/v2/files/:fileId':
      // that would be written down, of nobody; and older contents are for writers
      if (asked['updateViewedDate'] !== undefined || asked['revisionId'] !== undefined) return undefined
      // the route has it
      return (params as { readonly fileId: string }).fileId
    case '/drive/v2/files/:fileId/export':
      if (asked['revisionId'] !== undefined) return undefined
      // as above
      return (params as { readonly fileId: string }).fileId
    case '/drive/v2/files': {
      const { q } = asked
      return typeof q === 'string' && !/\bor\b/i.test(q) ? IN_FOLDER.exec(q)?.[1] : undefined
    }
    default:
      return undefined
  }
}
