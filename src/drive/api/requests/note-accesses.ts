/** Notes accesses to files for the record: when an answer begins, so that a download that is broken off is one too. */
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { type Caller, isGuest } from '../../contract/failure.ts'
import type { Method } from '../../contract/methods.ts'
import { isAlias } from '../../domain/items/file-row.ts'
import { findOpeningLink } from '../../domain/permissions/permissions.ts'
import type { AccessAction } from '../../persistence/access-record.ts'
import { findRequestedItem } from './authenticate.ts'
import type { DriveContext } from './call.ts'
import { pathOf, queryOf } from './parts.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** File that the operation answered with: it may be a new one, and an upload's caller is that of its session. */
    accessed: { readonly file: string; readonly caller: Caller; readonly method: string } | undefined
  }
}

interface AccessKind {
  readonly action: AccessAction
  readonly method: string
}

/**
 * Undefined if the operation is about no single file: searches, and operations on the account. A list of files is about
 * one folder only for callers without an account.
 */
export function accessOf({ id, httpMethod, path }: Method): AccessKind | undefined {
  if (id === 'files.list') return { action: 'open', method: id }
  if (!/\{(?:fileId|folderId)\}/.test(path) && id !== 'files.insert') return undefined
  const isReading = httpMethod === 'GET' || id === 'files.watch'
  if (id === 'files.export') return { action: 'download', method: id }
  if (isReading) return { action: 'open', method: id }
  return { action: id.startsWith('permissions.') ? 'share' : 'change', method: id }
}

/** Length of the digest prefix that names a token, as in the record of administration. */
const TOKEN_NAME_LENGTH = 10

/** Hook of one route, because a hook of all would look up the options of each request's route. */
export function accessHook(
  { store: { read }, accesses }: Pick<DriveContext, 'store' | 'accesses'>,
  access: AccessKind,
): onSendHookHandler {
  const isContent = CONTENTS.has(access.method)
  const note = (action: AccessAction, method: string, file: string, caller: Caller) => {
    const { user, client, via } = caller
    const token = via?.[0]?.slice(0, TOKEN_NAME_LENGTH)
    const link = isGuest(caller) ? () => findOpeningLink(read, file, user)?.link : undefined
    accesses.note({ action, method, file, user, client, token }, link)
  }
  return (request, reply, _payload, done) => {
    const { statusCode: status } = reply
    if (status < 300 || status === 304) {
      const { caller, accessed } = request
      const asked = fileAsked(request)
      // an upload that has only begun has changed nothing
      const file = accessed?.file ?? (access.method === 'files.insert' ? undefined : asked)
      const by = accessed?.caller ?? caller
      if (file !== undefined && by !== undefined) {
        const isDownload = isContent && status !== 304 && asksForContent(request)
        const method =
          isContent && isThumbnail(request, reply) ? THUMBNAIL : (accessed?.method ?? access.method)
        note(isDownload && method !== THUMBNAIL ? 'download' : access.action, method, file, by)
        // a copy takes the content of another file
        if (access.method === 'files.copy' && asked !== undefined) note('download', access.method, asked, by)
      }
    }
    done()
  }
}

/** Operations that answer with a content if asked by `alt=media`. */
const CONTENTS: ReadonlySet<string> = new Set(['files.get', 'revisions.get'])

function asksForContent(request: FastifyRequest): boolean {
  return request.method === 'GET' && queryOf(request)['alt'] === 'media'
}

/** Method of a small image that a list of the page shows: an access that opened the file, not a download. */
const THUMBNAIL = 'thumbnail'

/** Bytes. A larger content, or one that is no image, is a download whatever the request calls it. */
const MAX_THUMBNAIL_BYTES = 1e6

function isThumbnail(request: FastifyRequest, reply: FastifyReply): boolean {
  if (queryOf(request)['source'] !== THUMBNAIL) return false
  const [, whole] = /\/(\d+)$/.exec(String(reply.getHeader('content-range'))) ?? []
  const size = Number(whole ?? reply.getHeader('content-length'))
  return String(reply.getHeader('content-type')).startsWith('image/') && size <= MAX_THUMBNAIL_BYTES
}

/** Id in the path, or the folder whose list a caller without an account gets; undefined for an alias. */
function fileAsked(request: FastifyRequest): string | undefined {
  const { fileId, folderId } = pathOf(request)
  const isByLink = request.caller !== undefined && isGuest(request.caller)
  const id = fileId ?? folderId ?? (isByLink ? findRequestedItem(request) : undefined)
  return id === undefined || isAlias(id) ? undefined : id
}
